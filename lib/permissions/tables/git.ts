/** Git, and the tools of the places where repositories are kept. */
import { alike, plain } from '../apply.ts';
import { findOption } from '../args.ts';
import { setting, GIT_CONFIG } from './git-settings.ts';
import type { Check, Judge, Tool, Use } from '../types.ts';

const GIT_CHECK = ({ options, operands }: Use, judge: Judge): void => {
  for (const { name, value } of options) {
    if (name !== '-c' || !value) continue;
    const [key = '', text = ''] = value.text.split(/=([\s\S]*)/);
    setting(key, { ...value, text }, judge);
  }
  const helper = findOption(options, '--upload-pack --receive-pack -u')?.value;
  if (helper) judge.code(helper.text, helper.sources);
  if (operands.some(({ text }) => text.startsWith('ext::'))) {
    judge.note('elevated', 'a transport that runs a command');
    for (const { text } of operands)
      if (text.startsWith('ext::')) judge.code(text.slice(5).replace(/%./g, ' '));
  }
};

/** Forced by a refspec (`+main`), deleted by one (`:main`). */
function refspecs({ operands }: Use, judge: Judge): void {
  for (const { text } of operands.slice(1)) {
    if (text.startsWith('+')) judge.note('destructive', 'a forced push takes away what others have');
    if (/^:./.test(text)) judge.note('destructive', 'deletes a branch elsewhere');
  }
}

const SHOWS = 'shows what a repository holds';
const LOCAL = 'changes a repository';
const LOSES = 'loses changes that are nowhere else';

/** Words that make a command that lists change something. */
function lists(writes: string, options: string, flags: Tool['flags'] = []): Tool {
  return plain('read', SHOWS, {
    flags: [[options, 'write', LOCAL], ...flags],
    check: ({ operands, options: given }, judge) => {
      const [first] = operands;
      if (!first) return;
      if (
        findOption(
          given,
          '-l --list --contains --merged --no-merged --points-at --no-contains -v -a -r --show-current --sort --format',
        )
      )
        return;
      judge.note('write', writes);
    },
  });
}

/** `checkout -- FILE`, `checkout .`: overwrites files. A name alone is a branch. */
const CHECKOUT = plain('write', LOCAL, {
  values: '-b -B --orphan --conflict --pathspec-from-file',
  flags: [
    ['-f --force --ours --theirs -m --merge --pathspec-from-file', 'destructive', LOSES],
    ['-B', 'destructive', 'moves a branch that there is'],
  ],
  check: ({ call, operands }, judge) => {
    const words = call.args.map(arg => arg.text);
    const isBranch = words.some(word => /^(?:-b|--orphan|-t|--track)$/.test(word));
    const isFiles = words.includes('--') || (!isBranch && operands.length > 1);
    const looksLikePath = operands.some(
      ({ text, isGlob }) =>
        isGlob ||
        /^(?:\.{1,2}$|\.{0,2}\/|:)/.test(text) ||
        (/\.\w{1,5}$|\/$/.test(text) && !/^v?\d/.test(text)),
    );
    if (isFiles || (!isBranch && looksLikePath)) judge.note('destructive', LOSES);
  },
});

const RESTORE = plain('destructive', LOSES, { values: '-s --source --conflict --pathspec-from-file' });

/** `bisect run CMD`, `submodule foreach TEXT`. */
const runsRest: Check = ({ call, operands }, judge) => {
  const at = call.args.indexOf(operands[0]!);
  if (at >= 0) judge.run(call.args.slice(at));
};
const codeRest: Check = ({ call, operands }, judge) => {
  const rest = operands[0] ? call.args.slice(call.args.indexOf(operands[0])) : [];
  if (rest.length > 0)
    judge.code(
      rest.map(arg => arg.text).join(' '),
      rest.flatMap(arg => arg.sources),
    );
};

const PUSH: Tool = plain('elevated', 'publishes', {
  values: '-o --push-option --repo --receive-pack --exec',
  codes: '--receive-pack --exec',
  dry: '-n --dry-run',
  flags: [
    [
      '-f --force --force-with-lease --force-if-includes --mirror --prune',
      'destructive',
      'takes away what others have',
    ],
    ['-d --delete', 'destructive', 'deletes a branch elsewhere'],
  ],
  check: (use, judge) => {
    if (!findOption(use.options, '-n --dry-run')) refspecs(use, judge);
  },
});

/** `rm --cached` leaves the files; without force git refuses to lose what is nowhere else. */
const GIT_RM: Tool = plain('read', 'takes files out', {
  dry: '-n --dry-run',
  check: ({ options, operands }, judge) => {
    if (findOption(options, '-n --dry-run')) return;
    if (findOption(options, '--cached')) return judge.note('write', LOCAL);
    const many =
      findOption(options, '-r -f --force') || operands.some(arg => arg.isGlob || /[*?]/.test(arg.text));
    judge.note(many ? 'destructive' : 'write', many ? 'deletes files' : LOCAL);
  },
});

const GIT_SUBS: Readonly<Record<string, Tool>> = {
  ...alike(
    'read',
    SHOWS,
    'status log show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree ls-remote cat-file name-rev merge-base for-each-ref show-ref show-branch cherry count-objects var check-ignore check-attr check-ref-format check-mailmap whatchanged range-diff diff-tree diff-index diff-files fsck verify-commit verify-tag verify-pack get-tar-commit-id help version column fmt-merge-msg request-pull stripspace interpret-trailers patch-id mailinfo bugreport diagnose for-each-repo unpack-file merge-tree show-index',
    {
      outputs: '--output',
      codes: '--upload-pack',
      values: '-n --format --pretty --author --since --until --grep -S -G -L --max-count',
    },
  ),
  diff: plain('read', SHOWS, { outputs: '--output' }),
  grep: plain('read', SHOWS, {
    codes: '-O --open-files-in-pager',
    values: '-e -f -A -B -C -m',
    check: ({ call }, judge) => {
      const pager = call.args.find(({ text }) => /^(?:-O.|--open-files-in-pager=)/.test(text));
      if (pager) judge.code(pager.text.replace(/^(?:-O|--open-files-in-pager=)/, ''), pager.sources);
    },
  }),
  difftool: plain('write', 'starts another program', { codes: '-x --extcmd', values: '-t --tool' }),
  ...alike(
    'write',
    LOCAL,
    'add commit merge cherry-pick revert mv init apply am pull rebase notes pack-objects pack-refs hash-object write-tree commit-tree mktree mktag read-tree update-index repack maintenance multi-pack-index commit-graph unpack-objects index-pack format-patch archive bundle fast-export fast-import merge-file merge-index rerere sparse-checkout mergetool stage citool gui gitk instaweb subtree lfs flow credential unpack submodule bisect worktree remote stash sequencer backfill replay hook',
    { outputs: '-o --output --output-directory' },
  ),
  fetch: plain('read', 'fetches from elsewhere', {
    codes: '--upload-pack',
    values: '-j --depth --deepen --shallow-since -o',
    flags: [['-f --force', 'write', LOCAL]],
    check: ({ operands }, judge) => {
      if (operands.some(({ text }) => /:./.test(text) && !/^\w+:\/\/|@/.test(text)))
        judge.note('write', LOCAL);
    },
  }),
  clone: plain('write', 'fetches a repository', {
    codes: '-u --upload-pack',
    values: '-b -o --branch --origin --depth --template --reference -j -c --config --separate-git-dir',
    check: ({ operands, options }, judge) => {
      if (operands[1]) judge.write(operands[1]);
      for (const { name, value } of options)
        if (name === '--config' && value) {
          const [key = '', text = ''] = value.text.split(/=([\s\S]*)/);
          setting(key, { ...value, text }, judge);
        }
      if (findOption(options, '--template')) judge.note('elevated', 'takes hooks from a folder');
    },
  }),
  rebase: plain('write', LOCAL, { codes: '-x --exec', values: '-s -X --onto -C' }),
  merge: plain('write', LOCAL, { values: '-m -F -s -X', flags: [['--abort', 'write', LOCAL]] }),
  am: plain('write', LOCAL),
  commit: plain('write', LOCAL, {
    values: '-m -F -C -c -t --message --file --author --date --trailer --fixup --squash',
  }),
  push: PUSH,
  'send-pack': PUSH,
  'http-push': PUSH,
  'send-email': plain('elevated', 'sends mail', { codes: '--sendmail-cmd --to-cmd --cc-cmd' }),
  'imap-send': plain('elevated', 'sends mail'),
  svn: plain('elevated', 'talks to another repository', { subs: alike('read', SHOWS, 'log info') }),
  p4: plain('elevated', 'talks to another repository'),
  reset: plain('write', LOCAL, {
    flags: [
      ['--hard', 'destructive', LOSES],
      ['--merge --keep', 'destructive', LOSES],
    ],
  }),
  clean: plain('destructive', 'deletes files that are nowhere else', {
    values: '-e --exclude',
    dry: '-n --dry-run',
  }),
  checkout: CHECKOUT,
  'checkout-index': plain('write', LOCAL, { flags: [['-f --force', 'destructive', LOSES]] }),
  switch: plain('write', LOCAL, {
    values: '-c -C --create --force-create --orphan',
    flags: [['-f --force --discard-changes -C --force-create', 'destructive', LOSES]],
  }),
  restore: {
    ...RESTORE,
    tier: 'read',
    why: 'takes files from a commit',
    check: ({ options }, judge) => {
      const isStaged = findOption(options, '-S --staged') && !findOption(options, '-W --worktree');
      judge.note(isStaged ? 'write' : 'destructive', isStaged ? LOCAL : LOSES);
    },
  },
  rm: GIT_RM,
  'stash list': plain('read', SHOWS),
  'stash show': plain('read', SHOWS),
  'stash drop': plain('destructive', LOSES),
  'stash clear': plain('destructive', LOSES),
  branch: lists(
    'makes or moves a branch',
    '-m -M -c -C --move --copy -u --set-upstream-to --unset-upstream --edit-description -t --track -d --delete -f --force',
    [
      ['-D', 'destructive', 'deletes a branch whatever it holds'],
      ['-f --force -M -C', 'destructive', 'takes a branch from what it holds'],
    ],
  ),
  tag: lists('makes a tag', '-a -s -u -m -F -d --delete --annotate --sign', [
    ['-f --force', 'destructive', 'moves a tag'],
  ]),
  'remote add': plain('write', LOCAL, { values: '-t -m' }),
  'remote rename': plain('write', LOCAL),
  'remote remove': plain('write', LOCAL),
  'remote rm': plain('write', LOCAL),
  'remote prune': plain('write', LOCAL, { dry: '-n --dry-run' }),
  'remote show': plain('read', SHOWS),
  'remote get-url': plain('read', SHOWS),
  remote: lists(LOCAL, '--add'),
  config: GIT_CONFIG,
  'reflog expire': plain('destructive', 'forgets commits', { dry: '-n --dry-run' }),
  'reflog delete': plain('destructive', 'forgets commits', { dry: '-n --dry-run' }),
  reflog: plain('read', SHOWS),
  gc: plain('write', 'tidies up', { flags: [['--prune=now --prune=all', 'destructive', 'forgets commits']] }),
  prune: plain('destructive', 'forgets commits', { dry: '-n --dry-run' }),
  'prune-packed': plain('write', LOCAL),
  'update-ref': plain('write', 'moves a ref', {
    flags: [['-d --stdin', 'destructive', 'deletes a ref']],
    values: '-m',
  }),
  'symbolic-ref': plain('write', 'moves HEAD', { flags: [['-d --delete', 'destructive', 'deletes a ref']] }),
  replace: plain('write', LOCAL),
  'filter-branch': plain('destructive', 'rewrites history', {
    codes:
      '--env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter --setup',
  }),
  'filter-repo': plain('destructive', 'rewrites history'),
  'worktree list': plain('read', SHOWS),
  'worktree remove': plain('write', 'removes a folder', { flags: [['-f --force', 'destructive', LOSES]] }),
  'worktree prune': plain('write', LOCAL, { dry: '-n --dry-run' }),
  'worktree add': plain('write', LOCAL, {
    values: '-b -B --reason',
    flags: [['-f --force -B', 'destructive', 'moves a branch that there is']],
  }),
  'submodule status': plain('read', SHOWS),
  'submodule summary': plain('read', SHOWS),
  'submodule foreach': plain('read', 'runs a command in each module', { check: codeRest }),
  'submodule deinit': plain('write', LOCAL, { flags: [['-f --force --all', 'destructive', LOSES]] }),
  'bisect run': plain('write', LOCAL, { check: runsRest }),
  'bisect log': plain('read', SHOWS),
  'bisect view': plain('read', SHOWS),
  'notes list': plain('read', SHOWS),
  'notes show': plain('read', SHOWS),
  'notes remove': plain('destructive', 'deletes notes'),
  'lfs ls-files': plain('read', SHOWS),
  'lfs status': plain('read', SHOWS),
  'lfs prune': plain('destructive', 'deletes files', { dry: '-d --dry-run' }),
  'lfs push': plain('elevated', 'publishes'),
  'lfs migrate': plain('destructive', 'rewrites history'),
  'lfs install': plain('elevated', 'installs hooks'),
  'flow feature finish': plain('write', LOCAL),
  daemon: plain('elevated', 'serves repositories'),
  'upload-pack': plain('elevated', 'serves a repository'),
  'receive-pack': plain('elevated', 'takes pushes'),
  shell: plain('elevated', 'a shell'),
  'fetch-pack': plain('read', 'fetches from elsewhere', { codes: '--exec --upload-pack' }),
  archive: plain('read', SHOWS, {
    outputs: '-o --output',
    codes: '--exec',
    values: '--format --prefix --remote',
  }),
  'maintenance start': plain('elevated', 'adds jobs that run later'),
  'maintenance register': plain('elevated', 'changes settings of all repositories'),
  'credential fill': plain('elevated', 'shows passwords'),
  'credential-store': plain('elevated', 'shows passwords'),
};

/** By name. */
export const GIT: Readonly<Record<string, Tool>> = {
  git: plain('write', 'git', {
    values: '-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source',
    flags: [['--exec-path=', 'elevated', 'takes its programs from elsewhere']],
    subs: GIT_SUBS,
    check: (use, judge) => {
      GIT_CHECK(use, judge);
      const path = use.options.find(({ name, value }) => /^--(?:exec-path|config-env)$/.test(name) && value);
      if (path) judge.note('elevated', 'takes programs or settings from elsewhere');
    },
  }),
  'git-lfs': plain('write', 'git-lfs'),
  tig: plain('read', SHOWS),
  lazygit: plain('elevated', 'a program of many powers'),
  gitk: plain('read', SHOWS),
  'pre-commit': plain('write', 'runs checks', {
    subs: alike('elevated', 'installs hooks', 'install autoupdate'),
  }),
  husky: plain('elevated', 'installs hooks'),
  hg: plain('write', 'changes a repository', {
    codes: '--config',
    subs: {
      ...alike(
        'read',
        SHOWS,
        'status st log diff cat annotate blame branches bookmarks tags heads parents summary identify id files paths root version help grep manifest incoming outgoing',
      ),
      push: plain('elevated', 'publishes', {
        flags: [['-f --force', 'destructive', 'takes away what others have']],
      }),
      ...alike('destructive', LOSES, 'revert purge strip rollback prune histedit'),
      update: plain('write', LOCAL, { flags: [['-C --clean', 'destructive', LOSES]] }),
    },
  }),
  svn: plain('write', 'changes a working copy', {
    subs: {
      ...alike('read', SHOWS, 'status st log diff info list ls cat blame help proplist propget'),
      ...alike('elevated', 'publishes', 'commit ci import mkdir copy cp move'),
      ...alike('destructive', LOSES, 'revert delete rm remove cleanup'),
    },
  }),
  jj: plain('write', LOCAL, {
    subs: {
      ...alike('read', SHOWS, 'log st status diff show op/log file/show'),
      'git push': plain('elevated', 'publishes'),
      ...alike('destructive', LOSES, 'abandon restore op/restore'),
    },
  }),
};
