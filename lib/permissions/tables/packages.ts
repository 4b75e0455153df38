/** Package managers of JavaScript and Python: what they install runs. What a lock file names is written, what is new is elevated. */
import { alike, plain } from '../apply.ts';
import type { Tool } from '../types.ts';
import {
  ASKS,
  LOCKED,
  NEW,
  PUBLISHES,
  REMOVES,
  RUNS,
  after,
  install,
  packageRunner,
} from './package-words.ts';

const NPM_SUBS: Readonly<Record<string, Tool>> = {
  ...alike(
    'read',
    ASKS,
    'ls list ll la view info show v outdated audit search fund why explain help version-check doctor ping root prefix bin whoami query docs repo bugs home explore/- licenses sbom diff',
    {},
  ),
  ...alike(
    'write',
    LOCKED,
    'ci clean-install init create prune dedupe rebuild pack shrinkwrap version link cache/add cache/verify set-script pkg store import patch patch-commit fetch why-not',
  ),
  'config get': plain('read', ASKS),
  'config list': plain('read', ASKS),
  'config ls': plain('read', ASKS),
  config: plain('elevated', 'changes settings of packages'),
  set: plain('elevated', 'changes settings of packages'),
  ...alike(
    'write',
    RUNS,
    'run run-script test t tst start stop restart build dev lint workspaces workspace',
    {},
  ),
  ...alike('elevated', NEW, 'update upgrade up add-global global'),
  install: install('-C --prefix --dir -w --workspace --filter --registry'),
  i: install('-C --prefix --dir -w --workspace --filter --registry'),
  in: install(''),
  add: plain('elevated', NEW),
  it: plain('write', LOCKED),
  ...alike('write', REMOVES, 'uninstall un remove rm unlink r', {
    flags: [['-g --global', 'elevated', REMOVES]],
  }),
  'audit fix': plain('elevated', NEW),
  'cache clean': plain('write', 'empties a cache'),
  'store prune': plain('write', 'empties a cache'),
  ...alike(
    'elevated',
    PUBLISHES,
    'publish deprecate dist-tag access owner team hook login logout adduser token star profile org trust',
  ),
  ...alike('destructive', 'takes away what others use', 'unpublish'),
  exec: packageRunner('write'),
  x: packageRunner('elevated'),
  dlx: packageRunner('elevated'),
};

const NPM: Tool = plain('write', RUNS, {
  values: '-C --prefix --dir -w --workspace --filter -F --cwd --registry --loglevel',
  subs: NPM_SUBS,
});

const YARN: Tool = {
  ...NPM,
  subs: {
    ...NPM_SUBS,
    'global add': plain('elevated', NEW),
    workspace: plain('write', RUNS, {
      check: ({ operands, call }, judge) => {
        if (/^(?:add|remove|up)$/.test(operands[1]?.text ?? '')) judge.note('elevated', NEW);
        if (call.name === '') return;
      },
    }),
    'config set': plain('elevated', 'changes settings of packages'),
    'npm publish': plain('elevated', PUBLISHES),
    'set version': plain('elevated', NEW),
    'plugin import': plain('elevated', NEW),
  },
};

const BUN: Tool = {
  ...NPM,
  codes: '',
  subs: {
    ...NPM_SUBS,
    'pm ls': plain('read', ASKS),
    upgrade: plain('elevated', NEW),
    repl: plain('elevated', 'an interpreter'),
  },
  check: ({ call }, judge) => {
    const at = call.args.findIndex(({ text }) => /^(?:-e|--eval|-p|--print)$/.test(text));
    if (at >= 0 && call.args[at + 1])
      judge.run([{ ...call.args[at]!, text: 'node' }, ...call.args.slice(at, at + 2)]);
  },
};

const PIP_VALUES =
  '-r --requirement -c --constraint -e --editable -t --target --prefix --root -i --index-url --extra-index-url -f --find-links --python --log --proxy --timeout';
/** `pip install -r requirements.txt` names what the project names. */
const PIP: Tool = plain('elevated', NEW, {
  values: PIP_VALUES,
  subs: {
    ...alike(
      'read',
      ASKS,
      'list show freeze check search index help debug inspect config/list config/get cache/dir cache/list hash',
    ),
    ...alike('elevated', NEW, 'install download'),
    ...alike('elevated', REMOVES, 'uninstall'),
    wheel: plain('write', 'builds packages'),
    config: plain('elevated', 'changes settings of packages'),
    'cache purge': plain('write', 'empties a cache'),
  },
});

const UV: Tool = plain('write', LOCKED, {
  values: '--directory --project --python -p --config-file',
  subs: {
    ...alike(
      'read',
      ASKS,
      'tree version help pip/list pip/show pip/freeze pip/check pip/tree python/list python/find tool/list tool/dir cache/dir export',
    ),
    ...alike(
      'write',
      LOCKED,
      'sync lock venv init build format pip/compile pip/sync cache/clean cache/prune remove',
    ),
    ...alike(
      'elevated',
      NEW,
      'add pip/install pip/uninstall tool/install tool/upgrade tool/uninstall python/install python/uninstall self/update self tool/update-shell python/pin',
    ),
    publish: plain('elevated', PUBLISHES),
    run: plain('write', 'runs with the packages of the project', { check: after('run'), runsWords: true }),
    'tool run': plain('elevated', 'runs the program of a package', { check: after('run') }),
  },
});

/** By name. */
export const PACKAGES: Readonly<Record<string, Tool>> = {
  npm: NPM,
  pnpm: NPM,
  cnpm: NPM,
  yarn: YARN,
  yarnpkg: YARN,
  bun: BUN,
  npx: packageRunner('write'),
  pnpx: packageRunner('elevated'),
  bunx: packageRunner('elevated'),
  corepack: plain('elevated', NEW),
  ...alike(
    'elevated',
    NEW,
    'nvm fnm volta n asdf mise rtx pyenv rbenv nodenv jenv sdk goenv tfenv rustup ghcup juliaup conan vcpkg spack',
    {
      subs: {
        ...alike(
          'read',
          ASKS,
          'ls list current which versions version show where whence list-remote ls-remote plugin/list env doctor help',
        ),
      },
      verbs: [[/^(?:uninstall|remove)$/, 'elevated', REMOVES]],
    },
  ),
  mise: plain('elevated', NEW, {
    subs: {
      ...alike('read', ASKS, 'ls list current which version doctor env where'),
      exec: plain('elevated', NEW, {
        check: ({ call, operands }, judge) => {
          const at = call.args.findIndex(({ text }) => text === '--');
          judge.run(at >= 0 ? call.args.slice(at + 1) : operands);
        },
      }),
      run: plain('write', RUNS),
    },
  }),
  pip: PIP,
  pip3: PIP,
  pipx: plain('elevated', NEW, {
    subs: { ...alike('read', ASKS, 'list environment'), run: packageRunner('elevated') },
  }),
  uv: UV,
  uvx: packageRunner('elevated'),
  rye: plain('elevated', NEW, {
    subs: {
      ...alike('read', ASKS, 'show list version'),
      ...alike('write', LOCKED, 'sync lock build fmt lint test init'),
      run: plain('write', RUNS, { check: after('run') }),
      publish: plain('elevated', PUBLISHES),
    },
  }),
  hatch: plain('write', RUNS, {
    subs: {
      ...alike('read', ASKS, 'version status dep/show env/show'),
      publish: plain('elevated', PUBLISHES),
      run: plain('write', RUNS, { check: after('run') }),
    },
  }),
  pdm: plain('elevated', NEW, {
    subs: {
      ...alike('read', ASKS, 'list info show outdated'),
      ...alike('write', LOCKED, 'sync lock build init remove'),
      publish: plain('elevated', PUBLISHES),
      run: plain('write', RUNS, { check: after('run') }),
      install: plain('write', LOCKED),
    },
  }),
  poetry: plain('write', LOCKED, {
    values: '-C --directory -P --project',
    subs: {
      ...alike('read', ASKS, 'show check about search version env/info env/list config/--list help list'),
      ...alike('write', LOCKED, 'install lock sync build init new remove env/use export'),
      ...alike('elevated', NEW, 'add update self'),
      ...alike('destructive', REMOVES, 'env/remove'),
      config: plain('elevated', 'changes settings of packages'),
      publish: plain('elevated', PUBLISHES),
      run: plain('write', RUNS, { check: after('run') }),
      shell: plain('elevated', 'a shell'),
    },
  }),
  pipenv: plain('write', LOCKED, {
    subs: {
      ...alike('read', ASKS, 'graph check verify requirements'),
      install: install('-r --python'),
      run: plain('write', RUNS, { check: after('run') }),
      shell: plain('elevated', 'a shell'),
      ...alike('elevated', NEW, 'update upgrade'),
    },
  }),
  ...alike('elevated', NEW, 'conda mamba micromamba', {
    values: '-n --name -p --prefix -c --channel',
    subs: {
      ...alike('read', ASKS, 'list info search env/list config/--show compare doctor'),
      ...alike('destructive', REMOVES, 'remove uninstall env/remove clean'),
      run: plain('write', RUNS, { check: after('run', '-n --name -p --prefix --cwd') }),
      activate: plain('write', 'changes the environment'),
      deactivate: plain('passthrough', 'changes the environment'),
    },
  }),
  pixi: plain('elevated', NEW, {
    subs: {
      ...alike('read', ASKS, 'list info tree search'),
      run: plain('write', RUNS),
      ...alike('write', LOCKED, 'install lock'),
    },
  }),
  twine: plain('elevated', PUBLISHES, { subs: { check: plain('read', ASKS) } }),
};
