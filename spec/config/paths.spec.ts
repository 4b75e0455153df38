import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkServerName, muxPaths, serverName } from '../../lib/config/paths.ts';

const test = suite('paths');
/** What sun_path holds (unix(7)), less its closing NUL. */
const SOCKET_PATH_MAX = 107;
const machine = { uid: 1000, cwd: '/srv/dir' };

test('the XDG folders are used as they are set', () => {
  const env = {
    HOME: '/home/kim',
    XDG_CONFIG_HOME: '/c',
    XDG_DATA_HOME: '/d',
    XDG_STATE_HOME: '/s',
    XDG_RUNTIME_DIR: '/run/user/1000',
  };
  assert.equal(muxPaths(env, 'default', machine), {
    home: undefined,
    config: '/c/mux/config.yaml',
    data: '/d/mux/default',
    state: '/s/mux/default',
    run: '/run/user/1000/mux',
    socket: '/run/user/1000/mux/default.sock',
    hostSocket: '/run/user/1000/mux/default.host',
    personToken: '/s/mux/default/person.token',
    log: '/s/mux/default/server.log',
    hostLog: '/s/mux/default/host.log',
  });
});

test('an unset, empty or relative variable gives the place below HOME', () => {
  const env = { HOME: '/home/kim', XDG_CONFIG_HOME: '', XDG_DATA_HOME: 'rel', XDG_RUNTIME_DIR: '' };
  const paths = muxPaths(env, 'a', machine);
  assert.is(paths.config, '/home/kim/.config/mux/config.yaml');
  assert.is(paths.data, '/home/kim/.local/share/mux/a');
  assert.is(paths.state, '/home/kim/.local/state/mux/a');
  assert.is(paths.run, '/home/kim/.local/state/mux/run');
});

test('MUX_HOME puts everything under it, an empty one nothing', () => {
  const env = { HOME: '/home/kim', XDG_RUNTIME_DIR: '/run/user/1000', MUX_HOME: '/m' };
  for (const path of Object.values(muxPaths(env, 'a', machine))) assert.match(path ?? '', /^\/m/);
  assert.is(muxPaths({ MUX_HOME: 'here' }, 'a', machine).config, '/srv/dir/here/config.yaml');
  assert.is(muxPaths({ ...env, MUX_HOME: '' }, 'a', machine).run, '/run/user/1000/mux');
});

test('without HOME and MUX_HOME the error says what to set', () => {
  assert.throws(() => muxPaths({}, 'a', machine), /HOME: not set/);
});

test('a socket path that is too long moves to a short folder of this user, and is found again', () => {
  const env = { MUX_HOME: '/' + 'deep/'.repeat(30) + 'home' };
  const paths = muxPaths(env, 'a', machine);
  assert.match(paths.socket, /^\/tmp\/mux-1000\/[0-9a-f]{16}\.sock$/);
  assert.is(paths.run, '/tmp/mux-1000');
  assert.is(muxPaths(env, 'a', machine).socket, paths.socket);
  assert.is.not(muxPaths(env, 'b', machine).socket, paths.socket);
  assert.match(paths.state, /deep\/home\/state\/a$/);
  assert.match(muxPaths({ ...env, TMPDIR: '/t' }, 'a', machine).socket, /^\/t\/mux-1000\//);
});

test('no home, temp folder or name makes a socket path that the system would cut', () => {
  const piece = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 80 })
    .map(s => s.replace(/[\0/.]/g, 'x'));
  const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
  fc.assert(
    fc.property(piece, piece, name, (home, temp, server) => {
      const paths = muxPaths({ MUX_HOME: `/${home}`, TMPDIR: `/${temp}` }, server, machine);
      return [paths.socket, paths.hostSocket].every(p => Buffer.byteLength(p) <= SOCKET_PATH_MAX);
    }),
  );
});

test('exactly 107 bytes still stand in their own place', () => {
  const root = '/' + 'r'.repeat(SOCKET_PATH_MAX - 1 - '/run/a.sock'.length);
  assert.is(muxPaths({ MUX_HOME: root }, 'a', machine).run, `${root}/run`);
  assert.is(muxPaths({ MUX_HOME: root + 'r' }, 'a', machine).run, '/tmp/mux-1000');
});

test('a server name that could leave its folder is refused', () => {
  for (const name of ['', '.', '..', 'a/b', 'a b', 'ü', 'a\n', '\u001b[0m', 'x'.repeat(65)])
    assert.throws(() => checkServerName(name), /server name/);
  for (const name of ['default', 'a.b_c-D9', 'x'.repeat(64)]) assert.is(checkServerName(name), name);
});

test('the flag wins over MUX_SERVER, which wins over default', () => {
  assert.is(serverName({ MUX_SERVER: 'env' }, 'flag'), 'flag');
  assert.is(serverName({ MUX_SERVER: 'env' }, undefined), 'env');
  assert.is(serverName({ MUX_SERVER: '' }, undefined), 'default');
  assert.throws(() => serverName({}, ''), /empty/);
});

test.run();
