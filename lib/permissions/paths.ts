/**
 * What it means that a file is written: most are just files, some are the system, and some are code that runs later.
 */
import { UNKNOWN, type Arg } from './types.ts';
import type { Tier } from './tier.ts';

interface Row {
  readonly pattern: RegExp;
  readonly tier: Tier;
  readonly why: string;
}

/** The first that matches counts. Patterns see a path without `.`, `..` and doubled slashes. */
const PATHS: readonly Row[] = [
  {
    pattern: /^\/dev\/(?:null|zero|full|stdin|stdout|stderr|tty|fd\/\d+|ptmx|pts\/\d+)$/,
    tier: 'passthrough',
    why: 'no file',
  },
  { pattern: /^\/dev\/(?:tcp|udp)\//, tier: 'elevated', why: 'opens a network connection' },
  {
    pattern: /^\/(?:dev\/shm|var\/tmp|var\/folders|tmp|private\/tmp|private\/var\/folders)\//,
    tier: 'write',
    why: 'writes a temporary file',
  },
  { pattern: /^(?:\/|~|~\/)$/, tier: 'destructive', why: 'a whole tree' },
  { pattern: /^\/(?:home|Users)(?:\/[^/]+)?$/, tier: 'destructive', why: "a person's whole folder" },
  { pattern: /^\/[*?[]/, tier: 'destructive', why: 'a whole tree' },
  {
    pattern:
      /^\/(?:etc|usr|bin|sbin|lib\w*|boot|sys|proc|dev|root|opt|System|Library|Applications|private|var|run|nix)(?:\/|$)/,
    tier: 'destructive',
    why: 'part of the system',
  },
  { pattern: /^[A-Za-z]:[\\/](?:Windows|Program Files)/i, tier: 'destructive', why: 'part of the system' },
  {
    pattern:
      /(?:^|\/)(?:\.(?:bash|zsh|k?sh|csh|tcsh)rc|\.bash_(?:profile|login|logout|aliases)|\.z(?:profile|shenv|login|logout)|\.profile|\.login|\.xprofile|\.xinitrc|\.xsession(?:rc)?|\.inputrc|config\.fish|\.pam_environment)$/,
    tier: 'elevated',
    why: 'a start-up file of a shell: code that runs later',
  },
  { pattern: /(?:^|\/)\.ssh(?:\/|$)/, tier: 'elevated', why: 'decides who may log in, and where' },
  {
    pattern:
      /(?:^|\/)(?:\.gnupg|\.aws|\.kube|\.docker|\.config\/gcloud|\.azure|\.config\/gh)(?:\/|$)|(?:^|\/)(?:\.netrc|\.pgpass|\.pypirc|\.my\.cnf)$/,
    tier: 'elevated',
    why: 'credentials',
  },
  {
    pattern:
      /(?:^|\/)\.git(?:\/(?:hooks|config|info|objects|refs|modules|worktrees)(?:[./]|$)|$)|(?:^|\/)\.husky\//,
    tier: 'elevated',
    why: 'inside a repository: hooks and settings run later',
  },
  {
    pattern:
      /(?:^|\/)(?:\.gitconfig|\.config\/git\/|\.gitmodules$|\.npmrc|\.yarnrc(?:\.yml)?|\.envrc|\.direnvrc|\.vimrc|\.exrc|\.emacs|\.tmux\.conf|\.screenrc|\.gdbinit|\.lldbinit|\.curlrc|\.wgetrc|\.pythonrc|\.Rprofile|\.irbrc|\.perltidyrc|\.mailrc|\.forward|\.procmailrc|\.my\.cnf|\.psqlrc|\.sqliterc|\.config\/pip\/|\.pip\/|\.cargo\/config)/,
    tier: 'elevated',
    why: 'settings of a tool that can run code',
  },
  {
    pattern:
      /(?:^|\/)(?:\.config\/(?:autostart|systemd|fish|nvim|environment\.d)|\.local\/bin|bin|LaunchAgents|LaunchDaemons|\.vim|\.emacs\.d|site-packages|cron\.\w+)\/|(?:^|\/)crontab$|(?:^|\/)(?:sitecustomize|usercustomize)\.py$/,
    tier: 'write',
    why: 'a place from where code may be run',
  },
];

/** Among the places above, those outside of a project: what is put there runs by itself. */
const RUNS_ALONE =
  /(?:^|\/)(?:\.config\/(?:autostart|systemd|fish|nvim|environment\.d)|\.local\/bin|LaunchAgents|LaunchDaemons|\.vim|\.emacs\.d|site-packages|cron\.\w+)\/|^~\/bin\/|customize\.py$|(?:^|\/)crontab$/;

/** What writing this file comes to. */
export function pathTier(file: Arg): { readonly tier: Tier; readonly why: string } {
  const path = normalPath(file.text);
  const row = PATHS.find(({ pattern }) => pattern.test(path));
  if (row?.tier === 'write' && RUNS_ALONE.test(path))
    return { tier: 'elevated', why: `writes ${path}: code that runs later` };
  if (row)
    return { tier: row.tier, why: row.tier === 'passthrough' ? row.why : `writes ${show(path)}: ${row.why}` };
  return { tier: 'write', why: `writes ${show(path)}` };
}

/** Without `.`, `..` and doubled slashes; `$HOME` is `~` by now. */
export function normalPath(text: string): string {
  const steps: string[] = [];
  const isAbsolute = text.startsWith('/');
  for (const step of text.split('/')) {
    if (step === '' || step === '.') continue;
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop();
    else if (step !== '..' || !isAbsolute) steps.push(step);
  }
  const path = steps.join('/');
  if (isAbsolute) return `/${path}${text.endsWith('/') && path !== '' ? '/' : ''}`;
  return path === '' ? '.' : `${path}${text.endsWith('/') ? '/' : ''}`;
}

/** For people: what is not known as three dots. */
export function show(text: string): string {
  return text.replaceAll(UNKNOWN, '…');
}
