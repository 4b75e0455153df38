/**
 * Starts that something is wrong with: what can be worked around is, the rest is told in one line, and nothing is
 * lost or left behind.
 */
// Some hundred programs are started, each of which takes long where many others run.
// spec-timeout: 400
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tempDir } from '../support/temp.ts';
import { until } from '../support/until.ts';
import { has, LAUNCHER, Mux, ROOT, runProgram, type Answer } from './mux.ts';

const test = suite('starts');

/** Exactly one line of error, and nothing else. */
function fails({ status, out, err }: Answer, expected: number, says: RegExp): void {
  assert.equal({ status, out }, { status: expected, out: '' }, err);
  assert.match(err, /^mux: [^\n]+\n$/);
  assert.match(err, says);
}

/** A MUX_HOME in which a server starts, shows a shell and ends again. */
async function works(
  mux: Mux,
  options: Parameters<Mux['run']>[1] = {},
  told: RegExp = /^$/,
): Promise<string> {
  const started = await mux.run(['--detach'], options);
  assert.is(started.status, 0, started.err);
  assert.match(started.err, told);
  const listed = await mux.run(['list-panes', '-F', '#{pane_dead} #{pane_start_command}'], options);
  await mux.run(['kill-server', '-y'], options);
  assert.is(listed.status, 0, listed.err);
  return listed.out.trimEnd();
}

test('a Node that is too old is named', async () => {
  const preload = join(
    tempDir({ 'old.cjs': `Object.defineProperty(process, 'versions', { value: { node: '18.19.1' } });` }),
    'old.cjs',
  );
  const answer = await runProgram([process.execPath, '--require', preload, LAUNCHER, 'list'], {
    env: new Mux().environment(),
  });
  fails(answer, 1, /^mux: Node 18\.19\.1 is too old: mux needs 20\.19 or newer$/m);
});

test('a tree that has not been compiled says how to', async () => {
  const dir = tempDir({ 'package.json': '{"type":"module"}', 'bin/mux.js': '' });
  copyFileSync(LAUNCHER, join(dir, 'bin/mux.js'));
  const answer = await runProgram([process.execPath, join(dir, 'bin/mux.js')], {
    env: new Mux().environment(),
  });
  fails(answer, 1, /has not been compiled yet: run 'npm install'/);
});

test('a native module that is not built says how to', async () => {
  const dir = tempDir({ 'node_modules/node-pty/index.js': `throw new Error('no prebuild');` });
  const modules = realpathSync(join(ROOT, 'node_modules'));
  for (const name of readdirSync(modules)) {
    if (name !== 'node-pty') symlinkSync(join(modules, name), join(dir, 'node_modules', name));
  }
  for (const part of ['bin', 'dist/lib', 'themes', 'package.json'])
    cpSync(join(ROOT, part), join(dir, part), { recursive: true });
  const mux = new Mux();
  const answer = await runProgram([process.execPath, join(dir, 'bin/mux.js'), '--detach'], {
    env: mux.environment(),
  });
  fails(
    answer,
    1,
    /could not start: node-pty: its native module is not built.*npm rebuild node-pty.*its log is .*server\.log/,
  );
  assert.is((await mux.run(['list'])).status, 3);
});

test('a MUX_HOME that cannot be used is told', async () => {
  const file = join(tempDir({ home: 'a file' }), 'home');
  fails(
    await new Mux({ home: file }).run(['--detach'], { cwd: '/' }),
    1,
    /MUX_HOME .*home.*no directory.*set MUX_HOME/,
  );
  fails(await new Mux({ home: '/proc/mux' }).run(['--detach'], { cwd: '/' }), 1, /MUX_HOME \/proc\/mux/);
  // What needs no folders does without.
  assert.is((await new Mux({ home: file }).run(['version'], { cwd: '/' })).status, 0);
});

if (process.getuid?.() === 0 && has('setpriv')) {
  test('a MUX_HOME of somebody else is told', async () => {
    const mux = new Mux();
    chmodSync(mux.home, 0o755);
    const nobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'];
    const answer = await runProgram([...nobody, process.execPath, LAUNCHER, '--detach'], {
      env: mux.environment(),
      cwd: '/',
    });
    fails(answer, 1, /MUX_HOME .*permission denied \(set MUX_HOME to a folder that you can write to\)/);
  });

  test('a folder of sockets that belongs to somebody else is refused', async () => {
    const mux = new Mux();
    mkdirSync(join(mux.home, 'run'), { mode: 0o700 });
    chownSync(join(mux.home, 'run'), 65534, 65534);
    fails(await mux.run(['--detach']), 4, /run: it belongs to user 65534/);
    fails(await mux.run(['list']), 4, /run: it belongs to user 65534/);
  });
}

test('a folder of sockets that others may write to is refused', async () => {
  const mux = new Mux();
  mkdirSync(join(mux.home, 'run'));
  chmodSync(join(mux.home, 'run'), 0o777);
  fails(await mux.run(['--detach']), 4, /run: others may write to it \(chmod 700/);
  assert.equal(readdirSync(join(mux.home, 'run')), []);
});

test('a socket path that is too long is replaced by a short one', async () => {
  const home = join(tempDir(), 'deep'.repeat(30));
  mkdirSync(home);
  await works(new Mux({ home }));
});

test('a shell that cannot be run is replaced, and that is said in one line', async () => {
  for (const [SHELL, told] of [
    [undefined, /^$/],
    ['sh', /^mux: SHELL sh: it is no absolute path; panes get \/bin\/sh [^\n]*\n$/],
    ['/nonexistent', /^mux: SHELL \/nonexistent: it cannot be run; panes get \/bin\/sh [^\n]*\n$/],
    ['/etc/passwd', /^mux: SHELL \/etc\/passwd: it cannot be run/],
  ] as const) {
    assert.is(await works(new Mux({ env: { SHELL } }), {}, told), '0 /bin/sh', String(SHELL));
  }
});

test('without XDG_RUNTIME_DIR the sockets lie in the state folder', async () => {
  const home = tempDir();
  const env = { HOME: home, MUX_HOME: undefined, XDG_RUNTIME_DIR: '' };
  await works(new Mux({ home, env }));
  assert.ok(existsSync(join(home, '.local/state/mux/run')));
});

test('a working directory that is gone is no obstacle', async () => {
  const mux = new Mux();
  const script = `mkdir gone && cd gone && rmdir ../gone && ${process.execPath} ${LAUNCHER} --detach && ${process.execPath} ${LAUNCHER} list-panes -F '#{pane_dead}' && ${process.execPath} ${LAUNCHER} kill-server -y`;
  const { status, out, err } = await runProgram(['sh', '-c', script], {
    env: mux.environment(),
    cwd: mux.home,
  });
  assert.equal({ status, err }, { status: 0, err: '' });
  assert.match(out, /\n0\n$/);
});

test('a MUX_HOME and a --config that are relative mean the same to the server', async () => {
  const mux = new Mux();
  mkdirSync(join(mux.home, 'there'));
  writeFileSync(join(mux.home, 'own.yaml'), 'screen: { prefix: C-o }\n');
  const options = { env: { MUX_HOME: 'there' } };
  const words = [
    '--config',
    'own.yaml',
    'new',
    'x',
    'echo $MUX_HOME; cat',
    ';',
    'show-options',
    '-v',
    'prefix',
  ];
  assert.match((await mux.run(words, options)).out, /\nC-o\n$/);
  const shown = (): Promise<Answer> => mux.run(['capture-pane', '-p', '-t', 'x'], options);
  await until('the pane names the folder', async () =>
    (await shown()).out.startsWith(join(mux.home, 'there')),
  );
  await mux.run(['kill-server', '-y'], options);
});

test('settings that are wrong do not stop it, settings that cannot be read do', async () => {
  const wrong = new Mux();
  writeFileSync(join(wrong.home, 'config.yaml'), 'screen: {{{\n');
  await works(wrong, {}, /^mux: [^\n]*config\.yaml:2:1: not valid YAML: [^\n]*\n$/);
  const unreadable = new Mux();
  mkdirSync(join(unreadable.home, 'config.yaml'));
  fails(
    await unreadable.run(['--detach']),
    1,
    /^mux: server default: could not start: config .*config\.yaml: it is a directory .*its log is .*server\.log/,
  );
});

test('a file in the place of the socket is not touched', async () => {
  const mux = new Mux();
  mkdirSync(join(mux.home, 'run'), { mode: 0o700 });
  writeFileSync(join(mux.home, 'run/default.sock'), 'precious');
  fails(await mux.run(['--detach']), 1, /a file that is no socket is in the way \(move it away\)/);
  assert.is(statSync(join(mux.home, 'run/default.sock')).size, 'precious'.length);
});

test('a program that cannot be run leaves no server behind', async () => {
  const mux = new Mux();
  fails(await mux.run(['--detach', '--', 'no-such-program', 'x']), 1, /no-such-program: no such program/);
  // Not asked over the socket: that would keep it.
  await until('the server has ended', () => !existsSync(join(mux.home, 'run/default.sock')));
});

test('many starts at the same moment make one server and one pane', async () => {
  const mux = new Mux();
  const answers = await Promise.all(Array.from({ length: 8 }, () => mux.run(['--detach'])));
  for (const { status, err } of answers) assert.equal({ status, err }, { status: 0, err: '' });
  assert.is(((await mux.json('list')).sessions as object[]).length, 1);
  await mux.stop();
});

test('many sessions at the same moment are all made in one server', async () => {
  const mux = new Mux();
  const names = Array.from({ length: 8 }, (_, i) => `s${i}`);
  const answers = await Promise.all(names.map(name => mux.run(['new', name, '--background', 'cat'])));
  for (const { status, err } of answers) assert.equal({ status, err }, { status: 0, err: '' });
  const listed = (await mux.ok('list', '-F', '#{session_name} #{pid}')).trimEnd().split('\n');
  assert.equal(listed.map(line => line.split(' ')[0]).sort(), names);
  assert.is(new Set(listed.map(line => line.split(' ')[1])).size, 1);
  await mux.stop();
});

test('the socket of a server that was killed is replaced, that of a living one never', async () => {
  const mux = new Mux();
  const socket = join(mux.home, 'run/default.sock');
  await mux.ok('--detach', '--', 'cat');
  const { server_pid: first } = await mux.json('server', 'status');
  process.kill(Number(first), 'SIGKILL');
  await until('it is gone', async () => (await mux.run(['list'])).status === 3);
  assert.ok(existsSync(socket), 'this checks nothing without a stale socket');
  await mux.ok('--detach', '--', 'cat');
  const { server_pid: second } = await mux.json('server', 'status');
  const { ino } = statSync(socket);
  // Another server process finds the first one alive and leaves.
  const other = await mux.run(['server', 'run']);
  assert.equal({ status: other.status, ino: statSync(socket).ino }, { status: 0, ino });
  // Alive though it does not answer: it is told, and nothing is replaced.
  process.kill(Number(second), 'SIGSTOP');
  const silent = await mux.run(['--detach']);
  assert.is(silent.status, 1);
  assert.match(
    silent.err,
    /^mux: server default: no answer yet, still waiting .*\nmux: server: it does not answer/,
  );
  assert.is(statSync(socket).ino, ino);
  process.kill(Number(second), 'SIGCONT');
  assert.is((await mux.json('server', 'status')).server_pid, second);
  await mux.stop();
});

test('a start that died while it held the lock is got over', async () => {
  const mux = new Mux();
  mkdirSync(join(mux.home, 'run/default.sock.lock'), { recursive: true, mode: 0o700 });
  chmodSync(join(mux.home, 'run'), 0o700);
  await works(mux);
});

test('a server of another protocol is told apart', async () => {
  const mux = new Mux();
  mkdirSync(join(mux.home, 'run'), { mode: 0o700 });
  const path = join(mux.home, 'run/default.sock');
  const body = Buffer.from(
    JSON.stringify({
      type: 'handshake_err',
      payload: { code: 'protocol_mismatch', reason: 'it speaks protocol 7.0, this program 1.0' },
    }),
  );
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.length, 1);
  const server = createServer(socket => socket.on('error', () => undefined).end(Buffer.concat([head, body])));
  await new Promise<void>(done => server.listen(path, done));
  fails(await mux.run(['list']), 1, /it speaks protocol 7\.0, this program 1\.0 \(detach everywhere/);
  server
    .removeAllListeners('connection')
    .on('connection', socket => socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  fails(await mux.run(['list']), 1, /does not speak mux's protocol/);
  server.close();
});

test.run();
