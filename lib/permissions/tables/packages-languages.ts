/** Package managers and builders of other languages. */
import { alike, plain } from '../apply.ts';
import type { Tool } from '../types.ts';
import { ASKS, LOCKED, NEW, PUBLISHES, REMOVES, RUNS, after } from './package-words.ts';

const CARGO: Tool = plain('write', 'builds', {
  values:
    '--manifest-path -p --package --bin --example --test --features --target --target-dir -j --jobs --config -Z --color --profile',
  flags: [['--config', 'elevated', 'settings can name programs to run']],
  subs: {
    ...alike(
      'read',
      ASKS,
      'tree metadata search info locate-project pkgid version help read-manifest verify-project audit outdated deny',
    ),
    ...alike(
      'write',
      'builds',
      'build b check c test t bench run r doc d clippy fmt fix new init vendor fetch package generate-lockfile nextest expand miri watch llvm-cov sqlx machete rustc rustdoc remove rm',
    ),
    ...alike('elevated', NEW, 'install add update uninstall binstall upgrade'),
    update: plain('write', LOCKED),
    clean: plain('write', 'removes what was built'),
    ...alike('elevated', PUBLISHES, 'publish login logout owner yank release'),
  },
});

const GO: Tool = plain('write', 'builds', {
  style: 'words',
  codes: '-exec -toolexec -vettool',
  flags: [['-modfile -overlay', 'write', 'builds']],
  subs: {
    ...alike('read', ASKS, 'version env list doc help mod/graph mod/why mod/verify tool/dist'),
    env: plain('read', ASKS, { flags: [['-w -u', 'elevated', 'changes settings of all builds']] }),
    ...alike(
      'write',
      'builds',
      'build test vet fmt fix generate run mod/tidy mod/download mod/vendor mod/init mod/edit work clean bug tool telemetry',
      { outputs: '-o' },
    ),
    ...alike('elevated', NEW, 'install get'),
    clean: plain('write', 'empties a cache', { flags: [['-modcache', 'write', 'empties a cache']] }),
  },
});

/** By name. */
export const LANGUAGE_PACKAGES: Readonly<Record<string, Tool>> = {
  gem: plain('elevated', NEW, {
    subs: {
      ...alike(
        'read',
        ASKS,
        'list search info contents dependency environment env outdated specification which help server-none query',
      ),
      ...alike('write', 'builds', 'build fetch unpack lock'),
      ...alike('elevated', PUBLISHES, 'push signin owner'),
      ...alike('destructive', 'takes away what others use', 'yank'),
      uninstall: plain('elevated', REMOVES),
      cleanup: plain('elevated', REMOVES),
    },
  }),
  bundle: plain('write', LOCKED, {
    subs: {
      ...alike('read', ASKS, 'list show info outdated check licenses platform version help doctor env'),
      ...alike('elevated', NEW, 'add update'),
      exec: plain('write', RUNS, { runsWords: true, check: after('exec', '') }),
      config: plain('elevated', 'changes settings of packages'),
      clean: plain('write', REMOVES),
      console: plain('elevated', 'an interpreter'),
    },
  }),
  bundler: plain('write', LOCKED),
  composer: plain('write', LOCKED, {
    values: '-d --working-dir',
    subs: {
      ...alike(
        'read',
        ASKS,
        'show info search outdated licenses why depends prohibits why-not validate audit diagnose about status fund suggests check-platform-reqs',
      ),
      ...alike('elevated', NEW, 'require update upgrade create-project global self-update config'),
      remove: plain('write', REMOVES),
      exec: plain('write', RUNS, { check: after('exec', '') }),
    },
  }),
  cargo: CARGO,
  go: GO,
  gofmt: plain('read', 'formats', { flags: [['-w', 'write', 'changes files']] }),
  cpan: plain('elevated', NEW),
  cpanm: plain('elevated', NEW),
  luarocks: plain('elevated', NEW, { subs: alike('read', ASKS, 'list search show which path') }),
  opam: plain('elevated', NEW, {
    subs: {
      ...alike('read', ASKS, 'list show search info env config switch/list'),
      exec: plain('write', RUNS, { check: after('exec', '') }),
    },
  }),
  ...alike('write', 'builds', 'stack cabal', {
    subs: {
      ...alike('read', ASKS, 'path ls list query info'),
      ...alike('elevated', NEW, 'install upload update'),
      exec: plain('write', RUNS, { check: after('exec', '') }),
    },
  }),
  mix: plain('write', RUNS, {
    subs: {
      ...alike('read', ASKS, 'help deps hex.outdated hex.info'),
      ...alike('elevated', NEW, 'archive.install escript.install hex.publish local.hex'),
      ...alike('destructive', 'drops databases', 'ecto.drop ecto.reset'),
    },
  }),
  dart: plain('write', RUNS, {
    subs: {
      ...alike('read', ASKS, 'analyze info pub/deps pub/outdated'),
      ...alike('elevated', NEW, 'pub/add pub/global pub/publish pub/upgrade'),
    },
  }),
  flutter: plain('write', RUNS, {
    subs: {
      ...alike('read', ASKS, 'doctor analyze devices --version'),
      ...alike('elevated', NEW, 'pub/add pub/global pub/publish upgrade channel downgrade'),
    },
  }),
  dotnet: plain('write', 'builds', {
    subs: {
      ...alike(
        'read',
        ASKS,
        '--info --list-sdks --list-runtimes list tool/list nuget/locals package/list package/search sdk/check',
      ),
      ...alike('elevated', NEW, 'add tool/install tool/update workload nuget/push tool/restore package/add'),
      publish: plain('write', 'builds'),
    },
  }),
  nuget: plain('elevated', NEW, { subs: alike('read', ASKS, 'list search sources') }),
  pod: plain('write', LOCKED, {
    subs: { ...alike('read', ASKS, 'search list outdated env'), ...alike('elevated', NEW, 'trunk update') },
  }),
  lerna: plain('write', RUNS, {
    subs: {
      publish: plain('elevated', PUBLISHES),
      ...alike('read', ASKS, 'ls list changed diff info'),
      exec: plain('write', RUNS, { check: after('exec', '--scope --ignore') }),
    },
  }),
  npm_check: plain('read', ASKS),
  ncu: plain('read', ASKS, { flags: [['-u --upgrade', 'write', 'changes files']] }),
  'npm-check-updates': plain('read', ASKS, { flags: [['-u --upgrade', 'write', 'changes files']] }),
  softwareupdate: plain('elevated', 'changes the system', { dry: '-l --list' }),
  mas: plain('elevated', NEW, { subs: alike('read', ASKS, 'list search outdated info') }),
};
