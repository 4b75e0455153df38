/**
 * Programs that run the command behind them. What they run is looked into by itself; privilege costs in addition.
 */
import { findOption, names, sortWords } from '../args.ts';
import { PARALLEL, XARGS } from './piping.ts';
import { judgeAssignmentWord } from '../environment.ts';
import type { Tier } from '../tier.ts';
import { UNKNOWN, type Arg, type Judge, type Tool, type Use } from '../types.ts';

interface Wrapper {
  /** Options that take a value, so that it is not taken for the command. */
  readonly values?: string;
  /** Operands before the command. */
  readonly operands?: number;
  /** `NAME=VALUE` words may come before the command. */
  readonly assigns?: boolean;
  /** Options whose value is shell text. */
  readonly codes?: string;
  /** Options are whole words. */
  readonly style?: 'words';
  readonly tier?: Tier;
  readonly why?: string;
}

/** A tool that runs the words behind its options. */
function wrapper(row: Wrapper): Tool {
  const { tier = 'passthrough', why = 'runs another command' } = row;
  return { tier, why, runsWords: true, check: (use, judge) => runRest(use.call.args, row, judge, use) };
}

function runRest(args: readonly Arg[], row: Wrapper, judge: Judge, { call }: Use): void {
  const values = new Set([...names(row.values), ...names(row.codes)]);
  const sorted = sortWords(args, { values, style: row.style ?? 'letters', stopsAtOperand: true });
  const coded = row.codes ? findOption(sorted.options, row.codes) : undefined;
  if (coded?.value) judge.code(coded.value.text, coded.value.sources);
  let rest = sorted.operands;
  if (row.assigns) while (rest[0] && judgeAssignmentWord(rest[0], judge)) rest = rest.slice(1);
  rest = rest.slice(row.operands ?? 0);
  // `flock FILE -c TEXT`: an option behind the operand.
  if (row.codes && rest[0] && names(row.codes).includes(rest[0].text)) {
    if (rest[1]) judge.code(rest[1].text, rest[1].sources);
    return;
  }
  if (rest.length > 0) judge.run(rest, call.input);
}

const PRIVILEGE = { tier: 'elevated', why: 'runs with the rights of another user' } as const;

/** `env`: with options that are text to be split into words, and without a command it lists variables. */
const ENV: Tool = {
  tier: 'read',
  why: 'shows the environment, or changes it for a command',
  runsWords: true,
  check: ({ call }, judge) => {
    const args = call.args.flatMap(splitString);
    runRest(args, { values: '-u --unset -C --chdir -a --argv0 --block-signal', assigns: true }, judge, {
      call,
      options: [],
      operands: [],
    });
  },
};

/** -S TEXT, -STEXT, --split-string=TEXT, and -vS. */
function splitString(arg: Arg, at: number, all: readonly Arg[]): Arg[] {
  const before = all[at - 1]?.text ?? '';
  if (/^-[iv0]*S$|^--split-string$/.test(before)) return pieces(arg, arg.text);
  if (/^-[iv0]*S$|^--split-string$/.test(arg.text)) return [];
  const inside = /^(?:-[iv0]*S|--split-string=)([\s\S]+)$/.exec(arg.text)?.[1];
  return inside === undefined ? [arg] : pieces(arg, inside);
}

function pieces(arg: Arg, text: string): Arg[] {
  return text
    .replace(/\\_/g, ' ')
    .split(/\s+/)
    .filter(word => word !== '')
    .map(word => ({ ...arg, text: word.replace(/^(['"])([\s\S]*)\1$/, '$2') }));
}

/** `su NAME -c TEXT`: the option may stand behind the name. */
function user(values: string): Tool {
  return {
    ...PRIVILEGE,
    values,
    codes: '-c --command --session-command',
    runsWords: true,
    check: ({ options, operands, call }, judge) => {
      const isCommand = findOption(options, '-u --user') && operands.length > 0;
      if (isCommand) judge.run(operands, call.input);
      else if (operands.length > 1)
        judge.code(
          operands
            .slice(1)
            .map(arg => arg.text)
            .join(' '),
        );
      else if (call.input.kind === 'pipe' || call.input.kind === 'text') shellInput(call.input, judge);
    },
  };
}

/** A shell reads its commands from its input. */
export function shellInput(input: Use['call']['input'], judge: Judge): void {
  const isWhole = input.text !== undefined && !input.text.includes(UNKNOWN);
  if (input.text !== undefined) judge.code(input.text, input.sources);
  if (isWhole) return;
  if (input.kind === 'pipe') judge.note('destructive', 'runs whatever a pipe brings');
  else judge.note('write', 'runs a script');
}

/** Everything that runs what stands behind it. */
export const WRAPPERS: Readonly<Record<string, Tool>> = {
  builtin: wrapper({}),
  command: {
    tier: 'passthrough',
    why: 'runs another command',
    runsWords: true,
    check: (use, judge) => {
      // -v and -V only tell what a name means.
      if (!/^-[pvV]*[vV]/.test(use.call.args[0]?.text ?? '')) runRest(use.call.args, {}, judge, use);
    },
  },
  exec: wrapper({ values: '-a' }),
  env: ENV,
  nice: wrapper({ values: '-n --adjustment' }),
  ionice: wrapper({ values: '-c -n -p -P -u --class --classdata --pid --pgid --uid' }),
  nohup: wrapper({}),
  setsid: wrapper({}),
  setarch: wrapper({ operands: 1 }),
  linux32: wrapper({}),
  linux64: wrapper({}),
  arch: wrapper({ values: '-e -d' }),
  stdbuf: wrapper({ values: '-i -o -e --input --output --error' }),
  unbuffer: wrapper({}),
  time: wrapper({ values: '-f -o --format --output' }),
  gtime: wrapper({ values: '-f -o --format --output' }),
  timeout: wrapper({ values: '-s -k --signal --kill-after', operands: 1 }),
  gtimeout: wrapper({ values: '-s -k --signal --kill-after', operands: 1 }),
  flock: wrapper({ values: '-E -w --timeout --conflict-exit-code', operands: 1, codes: '-c --command' }),
  lockf: wrapper({ values: '-t', operands: 1 }),
  chroot: wrapper({
    values: '--userspec --groups',
    operands: 1,
    tier: 'elevated',
    why: 'runs in another root',
  }),
  taskset: wrapper({ values: '-p --pid', operands: 1 }),
  chrt: wrapper({ values: '-T -P -D', operands: 1 }),
  numactl: wrapper({
    values: '-i -m -N -C -p --interleave --membind --cpunodebind --physcpubind --preferred',
  }),
  prlimit: wrapper({ values: '-p --pid -o --output' }),
  cgexec: wrapper({ values: '-g' }),
  sudo: sudo(
    '-u -g -h -p -C -r -t -T -U -R -D -a -c --user --group --host --prompt --close-from --role --type --command-timeout --other-user --chroot --chdir',
  ),
  doas: sudo('-u -C -a'),
  pkexec: wrapper({ ...PRIVILEGE, values: '-u --user' }),
  gosu: wrapper({ ...PRIVILEGE, operands: 1 }),
  'su-exec': wrapper({ ...PRIVILEGE, operands: 1 }),
  setpriv: wrapper({
    ...PRIVILEGE,
    values: '--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --selinux-label',
  }),
  capsh: wrapper({ ...PRIVILEGE }),
  su: user('-g -G -s -w --group --supp-group --shell --whitelist-environment'),
  runuser: user('-u -g -G -s -w --user --group --supp-group --shell --whitelist-environment'),
  sg: {
    ...PRIVILEGE,
    runsWords: true,
    codes: '-c',
    check: ({ operands }, judge) =>
      operands[1] &&
      judge.code(
        operands
          .slice(1)
          .map(arg => arg.text)
          .join(' '),
      ),
  },
  busybox: wrapper({}),
  toybox: wrapper({}),
  xargs: XARGS,
  gxargs: XARGS,
  parallel: PARALLEL,
  strace: wrapper({ values: '-e -o -p -s -u -a -b -E -I -O -P -S -X', tier: 'read' }),
  ltrace: wrapper({ values: '-e -o -p -s -u -a -A -D -F -l -n -x', tier: 'read' }),
  dtruss: wrapper({ values: '-n -p -t', ...PRIVILEGE }),
  perf: {
    tier: 'read',
    why: 'measures',
    runsWords: true,
    values: '-e -o -p -F -C',
    check: ({ operands, call }, judge) => {
      if (/^(?:stat|record|trace|mem|c2c|sched)$/.test(operands[0]?.text ?? ''))
        runRest(
          call.args.slice(call.args.indexOf(operands[0]!) + 1),
          { values: '-e -o -p -F -C -r -I --event --output --repeat' },
          judge,
          { call, options: [], operands: [] },
        );
    },
  },
  valgrind: wrapper({ tier: 'write', why: 'runs a program under watch' }),
  rr: wrapper({ operands: 1, tier: 'write', why: 'records a program' }),
  unshare: wrapper({
    values:
      '-S -G -R -w --setuid --setgid --root --wd --propagation --map-user --map-group --map-users --map-groups --setgroups',
  }),
  nsenter: wrapper({
    values: '-t -S -G --target --setuid --setgid',
    tier: 'elevated',
    why: 'runs inside another process’s world',
  }),
  'systemd-run': wrapper({
    values:
      '-p -u -t -E -M -H --property --unit --slice --description --uid --gid --nice --working-directory --on-active --on-boot --on-calendar --timer-property --setenv --machine --host --service-type',
    tier: 'elevated',
    why: 'runs as a service',
  }),
  'systemd-inhibit': wrapper({ values: '--what --who --why --mode' }),
  'systemd-nspawn': wrapper({
    ...PRIVILEGE,
    values: '-D -M -u -i -b --directory --machine --user --image --bind',
  }),
  'systemd-cat': wrapper({ values: '-t -p --identifier --priority' }),
  'ssh-agent': wrapper({ values: '-a -t -E -P', tier: 'write', why: 'starts an agent for keys' }),
  'dbus-run-session': wrapper({ values: '--config-file --dbus-daemon' }),
  'dbus-launch': wrapper({}),
  'xvfb-run': wrapper({
    values: '-n -e -f -p -s -w --server-num --error-file --auth-file --xauth-protocol --server-args --wait',
  }),
  entr: wrapper({ tier: 'write', why: 'runs a command again and again' }),
  watch: watching('-n --interval -q --equexit'),
  watchexec: wrapper({
    values: '-e -w -i -f -s -d --exts --watch --ignore --filter --signal --debounce --shell',
    tier: 'write',
    why: 'runs a command at changes',
  }),
  hyperfine: watching(
    '-w -r -m -M -p -c -s -S -n --warmup --runs --min-runs --max-runs --prepare --cleanup --setup --conclude --shell --command-name --export-json --export-csv --export-markdown',
  ),
  nodemon: {
    tier: 'write',
    why: 'runs a command at changes',
    codes: '-x --exec',
    values: '-w --watch -e --ext -i --ignore -d --delay',
  },
  concurrently: {
    tier: 'write',
    why: 'runs commands side by side',
    values: '-n --names -c --prefix-colors -p --prefix',
    check: ({ operands }, judge) => operands.forEach(arg => judge.code(arg.text, arg.sources)),
  },
  script: {
    tier: 'write',
    why: 'records a terminal',
    runsWords: true,
    codes: '-c --command',
    values: '-E -I -O -B -T -m -o --echo --log-in --log-out --log-io --log-timing',
    check: (use, judge) => {
      if (use.operands[0]) judge.write(use.operands[0]);
      // BSD: script FILE COMMAND…
      if (use.operands.length > 1) judge.run(use.operands.slice(1), use.call.input);
    },
  },
  expect: { tier: 'elevated', why: 'runs and answers programs', codes: '-c' },
  caffeinate: wrapper({ values: '-t -w' }),
  proxychains: wrapper({ values: '-f' }),
  proxychains4: wrapper({ values: '-f' }),
  torsocks: wrapper({ values: '-u -p -a -P' }),
  tsocks: wrapper({}),
  fakeroot: wrapper({ values: '-l -s -i -b' }),
  fakechroot: wrapper({ values: '-e -s' }),
  proot: wrapper({ values: '-r -b -w -q -k', style: 'words' }),
  firejail: wrapper({}),
  bwrap: bubblewrap(),
  'aa-exec': wrapper({ values: '-p -n --profile --namespace' }),
  sem: PARALLEL,
  chpst: wrapper({ values: '-u -U -b -e -d -o -p -f -c -m -n -l -L' }),
  softlimit: wrapper({ values: '-m -d -s -l -a -o -p -f -c -r -t' }),
  tini: wrapper({}),
  'dumb-init': wrapper({}),
  chronic: wrapper({}),
  ts: { tier: 'read', why: 'stamps lines with the time' },
  faketime: wrapper({ operands: 1 }),
  direnv: {
    tier: 'elevated',
    why: 'runs the settings of a folder',
    runsWords: true,
    subs: {
      exec: {
        tier: 'elevated',
        why: 'runs with the settings of a folder',
        runsWords: true,
        check: ({ operands, call }, judge) => judge.run(operands.slice(1), call.input),
      },
      status: { tier: 'read', why: 'tells its state' },
    },
  },
  dotenv: wrapper({ values: '-f -e -c -v' }),
  'cross-env': wrapper({ assigns: true }),
  rlwrap: wrapper({ values: '-f -H -s -b -c -l -p' }),
  sshpass: wrapper({ values: '-p -f -d -P', tier: 'elevated', why: 'gives a password' }),
  op: {
    tier: 'elevated',
    why: 'reads secrets',
    runsWords: true,
    subs: {
      run: {
        tier: 'elevated',
        why: 'runs with secrets',
        runsWords: true,
        check: ({ operands, call }, judge) => judge.run(operands, call.input),
      },
    },
  },

  winpty: wrapper({}),
  wsl: wrapper({
    values: '-d -u --distribution --user --cd',
    tier: 'elevated',
    why: 'runs in another system',
  }),
};

function sudo(values: string): Tool {
  return {
    ...PRIVILEGE,
    runsWords: true,
    check: (use, judge) => {
      runRest(use.call.args, { values, assigns: true }, judge, use);
      // -s and -i give the words to a shell; without any, its input is the script.
      const { operands, options } = sortWords(use.call.args, {
        values: new Set(names(values)),
        style: 'letters',
        stopsAtOperand: true,
      });
      if (!findOption(options, '-s -i --shell --login')) return;
      if (operands.length > 0)
        judge.code(
          operands.map(arg => arg.text).join(' '),
          operands.flatMap(arg => arg.sources),
        );
      else if (use.call.input.kind !== 'inherited') shellInput(use.call.input, judge);
    },
  };
}

/** Its words are shell text, as those of `sh -c`. */
function watching(values: string): Tool {
  return {
    tier: 'read',
    why: 'runs a command again and again',
    runsWords: true,
    check: ({ call }, judge) => {
      const { operands, options } = sortWords(call.args, {
        values: new Set(names(values)),
        style: 'letters',
        stopsAtOperand: true,
      });
      for (const { name, value } of options)
        if (/^--(?:prepare|cleanup|setup|conclude)$|^-p$/.test(name) && value)
          judge.code(value.text, value.sources);
      if (operands.length > 0)
        judge.code(
          operands.map(arg => arg.text).join(' '),
          operands.flatMap(arg => arg.sources),
        );
    },
  };
}

/** Options of bwrap by how many words they take. */
const BWRAP_ONE = new Set(
  names(
    '--chdir --uid --gid --hostname --dev --proc --tmpfs --dir --mqueue --unsetenv --args --seccomp --cap-add --cap-drop --lock-file --sync-fd --info-fd --perms --size --remount-ro --exec-label --file-label --userns --pidns',
  ),
);
const BWRAP_TWO = new Set(
  names(
    '--bind --bind-try --dev-bind --dev-bind-try --ro-bind --ro-bind-try --symlink --setenv --file --bind-data --ro-bind-data --chmod',
  ),
);

function bubblewrap(): Tool {
  return {
    tier: 'passthrough',
    why: 'runs another command in a sandbox',
    runsWords: true,
    check: ({ call }, judge) => {
      let at = 0;
      for (let word = call.args[0]?.text; word?.startsWith('-'); word = call.args[at]?.text)
        at += BWRAP_ONE.has(word) ? 2 : BWRAP_TWO.has(word) ? 3 : 1;
      if (call.args[at]) judge.run(call.args.slice(at), call.input);
    },
  };
}
