/**
 * bubblewrap(1): a root of its own made of what is granted, with processes, network and users of its own.
 *
 * What is not granted is not hidden but absent: the root is empty, and paths are put into it one by one, the shallow ones
 * first, so that the nearest rule lies on top.
 */
import { layered } from '../decide.ts';
import { isWithin } from '../paths.ts';
import type { Policy } from '../types.ts';
import {
  isAtLeast,
  PROXY_FOLDER,
  PROXY_PORT,
  versionIn,
  type Backend,
  type Machine,
  type Probe,
  type Wrapped,
  type Wrapping,
} from './backend.ts';

/** The first with --unshare-cgroup-try and --die-with-parent as they are used here. */
const LEAST = [0, 3];
/** The first with --disable-userns. */
const DISABLES_USERS = [0, 8];
/** Room of a folder that is there only to be empty: nothing is written into it. */
const NO_ROOM = '4096';
/** Room for what programs put into shared memory and /run, in bytes. */
const SMALL_ROOM = String(64 * 1024 * 1024);
/** Where the proxy's socket is inside. */
const PROXY_INSIDE = '/run/mux-proxy';
/**
 * Starts the bridge (`$1 $2 SOCKET PORT`) and waits until it says that it listens: a background process's output is read
 * to its end, which it closes then. It ends with the namespace.
 */
const WITH_BRIDGE = [
  'r=$("$1" "$2" "$3" "$4" &)',
  '[ "$r" = ready ] || { echo "mux: sandbox: the way to the proxy could not be opened" >&2; exit 1; }',
  'shift 4; exec "$@"',
].join('\n');

export const bubblewrap: Backend = {
  name: 'bubblewrap',
  isVerified: true,
  probe(machine): Probe {
    if (machine.platform !== 'linux') return no('it needs Linux', 'choose another sandbox.backend');
    const program = machine.find('bwrap');
    if (!program) return no('there is no program bwrap', 'apt install bubblewrap (or dnf, pacman, apk)');
    const version = versionIn(machine.run([program, '--version']));
    if (!version) return no(`${program} does not say its version`, 'install bubblewrap anew');
    if (!isAtLeast(version, LEAST))
      return no(`bubblewrap ${version.join('.')} is older than ${LEAST.join('.')}`, 'install a newer one');
    if (
      machine
        .run([
          program,
          ...NAMESPACES,
          '--ro-bind',
          '/',
          '/',
          '--proc',
          '/proc',
          '--dev',
          '/dev',
          '/bin/sh',
          '-c',
          'echo ok',
        ])
        ?.trim() !== 'ok'
    )
      return no(
        'the kernel gives no namespaces to users here',
        'sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000; with AppArmor a profile for bwrap; in a container --security-opt seccomp=unconfined',
      );
    return { usable: true, program, version: version.join('.'), notes: [] };
  },
  wrap({ policy, program, version, argv, cwd, bridge, machine }: Wrapping): Wrapped {
    const isAlone = policy.network !== 'open';
    const hasProxy = typeof policy.network === 'object';
    const last = isAtLeast(versionIn(version) ?? [], DISABLES_USERS) ? ['--disable-userns'] : [];
    return {
      profile: undefined,
      argv: [
        program,
        ...NAMESPACES,
        ...last,
        ...(isAlone ? ['--unshare-net'] : []),
        ...mounts(policy, machine),
        ...(hasProxy ? ['--ro-bind', PROXY_FOLDER, PROXY_INSIDE, ...proxyVariables()] : []),
        ...serverMounts(policy.server),
        '--remount-ro',
        '/',
        '--chdir',
        cwd,
        '--',
        ...(hasProxy ? withBridge(bridge, argv) : argv),
      ],
    };
  },
};

/** No --new-session: the terminal is the session's own, and a shell without job control is of little use. */
const NAMESPACES = [
  '--die-with-parent',
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--cap-drop',
  'ALL',
];

function no(why: string, remedy: string): Probe {
  return { usable: false, why, remedy };
}

/** The tree of files, in the order in which they lie over each other. */
function mounts(policy: Policy, machine: Machine): string[] {
  const granted = [...policy.read, ...policy.write].map(({ path }) => path);
  const args = [
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--size',
    SMALL_ROOM,
    '--tmpfs',
    '/run',
    '--bind',
    policy.temp,
    '/tmp',
    '--dir',
    '/var',
    '--symlink',
    '../tmp',
    '/var/tmp',
    '--dir',
    policy.home,
  ];
  args.push(...links(policy, granted, machine));
  const ends: string[] = [];
  for (const { kind, grant } of layered(policy)) {
    const { path } = grant;
    if (kind === 'read' || kind === 'write') {
      args.push(kind === 'read' ? '--ro-bind' : '--bind', path, path);
      continue;
    }
    // What lies in nothing that is granted is not there anyway.
    if (!granted.some(root => isWithin(root, path) && (root !== path || kind === 'hidden'))) continue;
    if (kind === 'fixed') args.push('--ro-bind', path, path);
    else if (!machine.isFolder(path)) args.push('--ro-bind', '/dev/null', path);
    else {
      args.push('--size', NO_ROOM, '--tmpfs', path);
      ends.push('--remount-ro', path);
    }
  }
  const names = machine.link('/etc/resolv.conf') === undefined ? [] : resolver(machine, granted);
  return [...args, ...names, ...ends];
}

/** Links to what is granted, where they do not lie in something granted and so are there already. */
function links(policy: Policy, granted: readonly string[], machine: Machine): string[] {
  return (
    policy.links
      .filter(({ path }) => !granted.some(root => isWithin(root, path)))
      // `/bin/sh` is there with the link `/bin`.
      .filter(({ path }) => !policy.links.some(one => one.path !== path && isWithin(one.path, path)))
      .flatMap(({ path, target }) => ['--symlink', machine.link(path) ?? target, path])
  );
}

/** Names of hosts are looked up by a file that is often a link into /run. */
function resolver(machine: Machine, granted: readonly string[]): string[] {
  const file = machine.run(['/usr/bin/realpath', '/etc/resolv.conf'])?.trim() ?? '';
  return file === '' || granted.some(root => isWithin(root, file)) ? [] : ['--ro-bind-try', file, file];
}

/** The server's socket may be made anew while a program runs: its folder is shown, and a link where clients look for it. */
function serverMounts(server: Policy['server']): string[] {
  if (!server) return [];
  const { folder, socket } = server;
  return ['--ro-bind-try', folder, folder, '--symlink', `${folder}/s`, socket];
}

function proxyVariables(): string[] {
  const url = `http://127.0.0.1:${PROXY_PORT}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
  // Node's own fetch uses a proxy when it is told to (node:http, since 22.21 and 24).
  return [...names.flatMap(name => ['--setenv', name, url]), '--setenv', 'NODE_USE_ENV_PROXY', '1'];
}

function withBridge([program = '', script = '']: readonly string[], argv: readonly string[]): string[] {
  const own = [program, script, `${PROXY_INSIDE}/p`, String(PROXY_PORT)];
  return ['/bin/sh', '-c', WITH_BRIDGE, 'mux-bridge', ...own, ...argv];
}
