/**
 * What is the same on every machine: what programs need of the system, what nobody gets unasked, and what the agents
 * that mux knows need for themselves. Pure tables.
 */

/** Folders of the system: programs, libraries, settings. Read only. */
export const SYSTEM_FOLDERS: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/opt',
  '/nix',
  '/gnu',
  '/run/current-system',
  // Of macOS.
  '/System',
  '/Library',
  '/private/etc',
];

/** What proves who a person is, or tells what they did: hidden also within what is granted, unless it is named itself. */
export const CREDENTIALS: readonly string[] = [
  '~/.ssh',
  '~/.gnupg',
  '~/.aws',
  '~/.azure',
  '~/.kube',
  '~/.docker',
  '~/.config/gcloud',
  '~/.config/gh',
  '~/.config/hub',
  '~/.config/op',
  '~/.config/sops',
  '~/.config/git/credentials',
  '~/.config/google-chrome',
  '~/.config/chromium',
  '~/.mozilla',
  '~/.local/share/keyrings',
  '~/.password-store',
  '~/.git-credentials',
  '~/.netrc',
  '~/.npmrc',
  '~/.pypirc',
  '~/.cargo/credentials.toml',
  '~/.terraform.d',
  '~/.vault-token',
  '~/.bash_history',
  '~/.zsh_history',
  '~/.python_history',
  '~/Library/Keychains',
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/ssl/private',
  '/etc/krb5.keytab',
  '/etc/ssh/ssh_host_ecdsa_key',
  '/etc/ssh/ssh_host_ed25519_key',
  '/etc/ssh/ssh_host_rsa_key',
];

/** Settings that programs of every kind read, and that hold no secrets. */
export const HOME_SETTINGS: readonly string[] = [
  '~/.gitconfig',
  '~/.config/git',
  '~/.config/mux/config.yaml',
];

/** What an agent keeps for itself: its login, its conversations. `fixed`: what it would run by, so it does not write it. */
export interface AgentNeeds {
  readonly write: readonly string[];
  readonly fixed: readonly string[];
  readonly env: readonly string[];
}

/** By entry of `agents:`. */
export const AGENT_NEEDS: Readonly<Record<string, AgentNeeds>> = {
  claude: {
    write: ['~/.claude', '~/.claude.json'],
    // Its hooks are run by whatever Claude reads them next, also outside.
    fixed: ['~/.claude/settings.json'],
    env: ['ANTHROPIC_*', 'CLAUDE_*'],
  },
  codex: { write: ['~/.codex'], fixed: ['~/.codex/config.toml'], env: ['OPENAI_*', 'CODEX_*'] },
  gemini: { write: ['~/.gemini'], fixed: ['~/.gemini/settings.json'], env: ['GEMINI_*', 'GOOGLE_API_KEY'] },
  opencode: {
    write: ['~/.local/share/opencode', '~/.local/state/opencode', '~/.cache/opencode'],
    fixed: ['~/.config/opencode'],
    env: ['OPENCODE_*', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
  },
  'cursor-agent': {
    write: ['~/.cursor', '~/.config/cursor'],
    fixed: ['~/.cursor/hooks.json'],
    env: ['CURSOR_*'],
  },
  aider: { write: [], fixed: ['~/.aider.conf.yml'], env: ['AIDER_*', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY'] },
  pi: {
    write: ['~/.pi'],
    fixed: ['~/.pi/agent/settings.json'],
    env: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
  },
  chat: { write: [], fixed: [], env: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OLLAMA_HOST'] },
};

/** Variables that say where and how a program runs, and nothing of a person's secrets. */
export const PLAIN_VARIABLES: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'LC_*',
  'TZ',
  'TERM',
  'COLORTERM',
  'TERM_PROGRAM',
  'TERM_PROGRAM_VERSION',
  'COLUMNS',
  'LINES',
  'NO_COLOR',
  'FORCE_COLOR',
  'EDITOR',
  'VISUAL',
  'PAGER',
  'LESS',
  'LESSHISTFILE',
  'PS1',
  'PWD',
  // Of the session itself. MUX_TOKEN is its own.
  'MUX_SERVER',
  'MUX_SESSION',
  'MUX_SOCKET',
  'MUX_TOKEN',
  'MUX_PANE',
  'MUX_AGENT',
  'MUX_AGENT_MODE',
  'MUX_HOME',
  'MUX_ROLE',
  'MUX_ROLE_FILE',
  'MUX_MODEL',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_RUNTIME_DIR',
];

/** Whether `name` is one of `patterns`; `*` at the end of one stands for any ending. */
export function isNamed(name: string, patterns: readonly string[]): boolean {
  return patterns.some(one => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
}
