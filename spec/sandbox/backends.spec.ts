/**
 * What backends are told, as files to be read in spec/golden. UPDATE=1 rewrites them; look at the difference.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Machine } from '../../lib/sandbox/backends/backend.ts';
import { bubblewrap } from '../../lib/sandbox/backends/bubblewrap.ts';
import { nono, nonoProfile } from '../../lib/sandbox/backends/nono.ts';
import { safehouse } from '../../lib/sandbox/backends/safehouse.ts';
import { seatbelt } from '../../lib/sandbox/backends/seatbelt.ts';
import { BACKENDS, chooseBackend } from '../../lib/sandbox/backends/table.ts';
import type { Policy } from '../../lib/sandbox/types.ts';

const test = suite('backends');
const GOLDEN = join(import.meta.dirname, '../../../spec/golden');
const grants = (...paths: readonly string[]): { path: string; why: string }[] =>
  paths.map(path => ({ path, why: 'x' }));

const POLICY: Policy = {
  read: grants('/usr', '/etc', '/home/ann/a "quoted" folder'),
  write: grants('/home/ann/code', '/home/ann/code/.git'),
  hidden: grants('/etc/shadow', '/home/ann/code/secret', '/home/ann/.ssh'),
  fixed: grants('/home/ann/code/.git/hooks'),
  links: [{ path: '/bin', target: '/usr/bin' }],
  temp: '/data/s1/tmp',
  home: '/home/ann',
  network: { allow: ['example.com'] },
  env: ['PATH', 'LC_*'],
  server: { socket: '/run/user/1/mux/default.sock', folder: '/run/user/1/mux/default.in' },
};

function machine(change: Partial<Machine> = {}): Machine {
  return {
    platform: 'linux',
    kernel: '6.8.0-1',
    find: name => `/usr/bin/${name}`,
    run: argv => (argv.includes('--version') ? 'tool 0.70.0' : 'ok'),
    link: path => (path === '/bin' ? 'usr/bin' : undefined),
    isFolder: path => path !== '/etc/shadow',
    ...change,
  };
}

function matches(name: string, text: string): void {
  const path = join(GOLDEN, `sandbox-${name}.txt`);
  if (process.env['UPDATE'] === '1') writeFileSync(path, text);
  assert.fixture(text, readFileSync(path, 'utf8'));
}

for (const [backend, network] of [
  [bubblewrap, POLICY.network],
  [nono, POLICY.network],
  [seatbelt, 'none'],
  [safehouse, 'open'],
] as const)
  test(`${backend.name}: the command line and the profile of a policy`, () => {
    const bridge = ['/usr/bin/node', '/mux/bridge-main.js'];
    const wrapped = backend.wrap({
      // nono refuses to hide what lies in a writable folder: see below.
      policy: { ...POLICY, network, ...(backend === nono ? { hidden: grants('/home/ann/.ssh') } : {}) },
      program: `/usr/bin/${backend.name}`,
      version: '0.70.0',
      argv: ['claude', '--resume', 'x y'],
      cwd: '/home/ann/code',
      bridge,
      machine: machine(),
    });
    // One that nobody could try says so in its golden file.
    const head = backend.isVerified ? '' : 'unverified: written by the manual\n\n';
    matches(backend.name, `${head}${wrapped.argv.join('\n')}\n\n${wrapped.profile ?? ''}`);
  });

test('nono, which cannot take away from what it gives, refuses where it would have to', () => {
  const policy = { ...POLICY, hidden: grants('/home/ann/code/secret') };
  assert.throws(() => nonoProfile(policy, '/home/ann/code'), /cannot hide/);
});

test('safehouse takes no path with a colon', () => {
  const policy: Policy = { ...POLICY, network: 'open', read: grants('/a:b') };
  const wrapping = {
    policy,
    program: 's',
    version: '',
    argv: ['x'],
    cwd: '/c',
    bridge: [],
    machine: machine(),
  };
  assert.throws(() => safehouse.wrap(wrapping), /colon/);
});

for (const [what, backend, change, network] of [
  ['no program', 'bubblewrap', { find: () => undefined }, false],
  ['no version', 'bubblewrap', { run: () => 'what?' }, false],
  [
    'too old',
    'bubblewrap',
    { run: (argv: readonly string[]) => (argv.includes('--version') ? 'bubblewrap 0.1.7' : 'ok') },
    false,
  ],
  [
    'no namespaces',
    'bubblewrap',
    { run: (argv: readonly string[]) => (argv.includes('--version') ? 'bubblewrap 0.8.0' : undefined) },
    false,
  ],
  ['not Linux', 'bubblewrap', { platform: 'darwin' }, false],
  ['too old', 'nono', { run: () => 'nono 0.65.9' }, false],
  ['an old kernel', 'nono', { kernel: '5.10.0' }, false],
  ['a kernel that does not tell', 'nono', { kernel: '' }, false],
  ['a kernel without rules on TCP', 'nono', { kernel: '6.1.0' }, true],
  ['not macOS', 'sandbox-exec', {}, false],
  ['rules on hosts', 'sandbox-exec', { platform: 'darwin' }, true],
  ['rules on hosts', 'safehouse', { platform: 'darwin' }, true],
  ['an unknown name', 'bublewrap', {}, false],
] as const)
  test(`${backend} is refused with a remedy: ${what}`, () => {
    try {
      chooseBackend(backend, machine(change as Partial<Machine>), network);
    } catch (error) {
      const { code, hint } = error as { code?: string; hint?: string };
      assert.is(code, 'refused');
      assert.ok(hint);
      return;
    }
    assert.unreachable();
  });

test('without a name only one that specs have seen to work is taken', () => {
  assert.is(chooseBackend('', machine(), true).backend.name, 'bubblewrap');
  assert.throws(
    () =>
      chooseBackend('', machine({ find: name => (name === 'nono' ? '/usr/bin/nono' : undefined) }), false),
    /none can be used/,
  );
  assert.equal(
    BACKENDS.filter(one => one.isVerified).map(one => one.name),
    ['bubblewrap'],
  );
});

test.run();
