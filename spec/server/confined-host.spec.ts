import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HostPort } from '../../lib/cmd/spec.ts';
import { confinedHost } from '../../lib/server/confined-host.ts';

const test = suite('confined host');

/** A host that tells what it was asked to do. */
function host(): { host: HostPort; done: string[] } {
  const done: string[] = [];
  const all = (name: string): unknown =>
    new Proxy(() => undefined, {
      get: (_, key) => (key === 'then' ? undefined : all(`${name}${name && '.'}${String(key)}`)),
      apply: () => void done.push(name),
    });
  const names = [
    'readCommands',
    'readFile',
    'writeFile',
    'pipePane',
    'editText',
    'fleets',
    'launch',
    'lifecycle',
    'status',
  ];
  return { host: Object.fromEntries(names.map(name => [name, all(name)])) as unknown as HostPort, done };
}

const refused = (action: () => unknown): void =>
  assert.throws(action, (error: { code?: string }) => error.code === 'refused');

test('for a session inside the server reads and writes no files, runs no programs and starts no fleets', () => {
  const { host: own, done } = host();
  const confined = confinedHost(own);
  refused(() => confined.readFile('/etc/passwd', '/', 1));
  refused(() => confined.readCommands('/etc/passwd', '/'));
  refused(() => confined.writeFile('/x', '/', new Uint8Array(), { append: false }));
  refused(() => confined.pipePane({} as never, 'cat', { onlyIfNone: false }));
  refused(() => confined.editText('x', 'y'));
  refused(() => confined.fleets.read('/x', '/'));
  refused(() => confined.fleets.save({} as never, { force: true }));
  refused(() => confined.launch({ role: 'r' } as never));
  assert.equal(done, []);
});

test('a role is refused to it, and a session without one is made', async () => {
  const { host: own, done } = host();
  const { lifecycle } = confinedHost(own);
  await lifecycle.create({ launch: { role: 'r' } } as never).then(
    () => assert.unreachable(),
    (error: { code?: string }) => assert.is(error.code, 'refused'),
  );
  await lifecycle.create({ launch: { role: '' } } as never);
  await lifecycle.stop({} as never);
  assert.equal(done, ['lifecycle.create', 'lifecycle.stop']);
});

test.run();
