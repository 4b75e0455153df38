/**
 * Escapes tried from inside a real sandbox: files, sockets, processes, the network, the server, and what the server would
 * do outside if it were asked.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LAUNCHER, MuxHome } from '../support/mux.ts';
import { hasSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const test = suite('sandbox');
const home = new MuxHome({
  files: { 'in.txt': 'inside\n' },
  config: [
    'sandbox: { enabled: true, network: none }',
    'agents:',
    '  robot: { command: sh, args: ["-c", "{prompt}"], prompt_args: [], ai: true }',
    '  cat: { command: cat, ai: true }',
    '  open: { command: cat, ai: true, sandbox: { network: open } }',
    '  listed: { command: cat, ai: true, sandbox: { network: { allow: ["localhost:PORT", "127.0.0.1:PORT"] } } }',
    '',
  ].join('\n'),
});
const person = join(home.dir, 'home');
const secret = join(person, '.ssh/id');
mkdirSync(join(person, '.ssh'));
writeFileSync(secret, 'top secret\n');
writeFileSync(join(home.dir, 'other.txt'), 'top secret\n');
test.after(() => home.end());

const mux = `'${process.execPath}' '${LAUNCHER}'`;
let count = 0;

/** What a line of shell says and ends with in a session that runs in a sandbox. */
async function inside(line: string, ...flags: readonly string[]): Promise<{ out: string; exit: number }> {
  const name = `s${count++}`;
  const file = join(home.work, `${name}.out`);
  const text = `{ ${line}\n} >'${file}' 2>&1; echo "exit $?" >>'${file}'; exec cat`;
  await home.ok('new', name, '--sandbox', '--background', ...flags, text);
  const read = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const logs = await until(
    'it has run',
    async () =>
      /^exit \d+$/m.test(read()) || (await home.cli('logs', name, '--text')).stdout.includes('mux: sandbox'),
    {
      describe: read,
    },
  ).then(read);
  const [, out = '', exit = '-1'] = /^([\s\S]*?)exit (\d+)\n$/.exec(logs) ?? [];
  return { out, exit: Number(exit) };
}

if (hasSandbox()) {
  test('its folder is all that it works in: it reads and writes there, and nowhere else', async () => {
    const { out } = await inside(
      'cat in.txt && echo made >made.txt; cat made.txt; touch ~/x; touch /usr/x; touch ../x; ls -A ~',
    );
    assert.match(out, /^inside\nmade\n/);
    assert.match(out, /\/usr\/x.*Read-only file system/);
    assert.not.match(out, /\.ssh/);
    for (const path of [join(home.dir, 'x'), join(person, 'x')]) assert.not.ok(existsSync(path));
  });

  test('credentials, state, tokens and what others keep are not there, by no way', async () => {
    symlinkSync(secret, join(home.work, 'link'));
    const tries = [
      secret,
      'link',
      '../home/.ssh/id',
      '../other.txt',
      '../state/default/state.json',
      '../state/default/person.token',
      `/proc/1/root${secret}`,
      '../data/default/tokens',
    ];
    const { out } = await inside(tries.map(path => `cat ${path}`).join('; '));
    assert.not.match(out, /top secret|[0-9a-f]{64}/);
    assert.is(out.trim().split('\n').length, tries.length, out);
  });

  test('other processes are not seen, so neither the server nor the PTY host can be ended or looked into', async () => {
    await home.ok('new', 'other', '--background', '--no-sandbox', 'cat');
    const pid = await home.serverPid();
    const { out } = await inside(
      `kill -9 ${pid}; cat /proc/${pid}/environ; ls /proc | grep -c '^[0-9]'; kill -9 -1`,
    );
    assert.is(await home.serverPid(), pid);
    assert.not.match(out, /MUX_TOKEN/);
  });

  test('of mux’s sockets only the one for sandboxes is there, and it cannot be replaced', async () => {
    const { out } = await inside(
      'ls "$(dirname "$MUX_SOCKET")"; rm -f "$MUX_SOCKET" ../run/default.in/s && echo removed',
    );
    assert.match(out, /^default\.in\ndefault\.sock\n/);
    assert.not.match(out, /removed|default\.host/);
  });

  test('it speaks to its server as itself, and keeps documents', async () => {
    const { out } = await inside(
      `${mux} status working; ${mux} store put note text && ${mux} store get note; ${mux} kill-server -y; ${mux} list | grep -c .`,
    );
    assert.match(out, /text/);
    assert.match(out, /kill-server: only a person may do that/);
  });

  test('what it starts is in a sandbox too, also a shell, and never gets more', async () => {
    const { out } = await inside(
      [
        `${mux} new kid --background "cat ${secret} >kid.out 2>&1; echo over >>kid.out; exec cat"; echo "kid $?"`,
        `${mux} new k2 --no-sandbox --background cat; echo "k2 $?"`,
        `${mux} new k3 --cwd ${person} --background cat; echo "k3 $?"`,
        `${mux} new k4 --cwd / --background cat; echo "k4 $?"`,
        `${mux} new k5 --role r --background cat; echo "k5 $?"`,
        `${mux} new k6 --agent cat --prompt-file ${secret} --background; echo "k6 $?"`,
        `${mux} pipe-pane 'cat ${secret}'; echo "k9 $?"`,
      ].join('\n'),
    );
    for (const [name, exit] of [
      ['kid', 0],
      ['k2', 4],
      ['k3', 4],
      ['k4', 4],
      ['k5', 4],
      ['k6', 4],
      ['k9', 4],
    ] as const)
      assert.match(out, new RegExp(`^${name} ${exit}$`, 'm'), out);
    const file = join(home.work, 'kid.out');
    await until('the kid has run', () => existsSync(file) && readFileSync(file, 'utf8').includes('over'));
    assert.not.match(readFileSync(file, 'utf8'), /top secret/);
  });

  test('with network none nothing is reached, not even what listens on this machine', async () => {
    const { server, port } = await listen();
    const { out } = await inside(`bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached'`);
    server.close();
    assert.not.match(out, /reached/);
  });

  test('listed hosts are reached by the proxy, others are refused', async () => {
    const { server, port } = await listen();
    writeFileSync(
      join(home.dir, 'config.yaml'),
      readFileSync(join(home.dir, 'config.yaml'), 'utf8').replaceAll('PORT', String(port)),
    );
    const request = (target: string): string =>
      `bash -c 'exec 3<>/dev/tcp/127.0.0.1/3128; printf "GET http://${target}/ HTTP/1.1\\r\\n\\r\\n" >&3; cat <&3'`;
    const run = `${request(`localhost:${port}`)}; ${request('example.com')}; bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached'`;
    await until('the settings are read', async () =>
      (await home.cli('config', 'show')).stdout.includes(String(port)),
    );
    const { out } = await inside(run, '--agent', 'listed');
    server.close();
    assert.match(out, /hello from outside/);
    assert.match(out, /403 Forbidden[\s\S]*does not allow example\.com:80/);
    assert.not.match(out, /^reached/m);
  });

  test('a server that starts anew is reached by what runs on in a sandbox', async () => {
    const file = join(home.work, 'again.out');
    await home.ok(
      'new',
      'again',
      '--sandbox',
      '--background',
      `while read -r line; do ${mux} status "$line" && echo "told $line" >>'${file}'; done`,
    );
    process.kill(await home.serverPid(), 'SIGKILL');
    await until('it is gone', async () => (await home.cli('list')).status === 3);
    await home.ok('--detach');
    await home.ok('type', 'again', 'hello');
    await until('it has told', () => existsSync(file) && readFileSync(file, 'utf8') === 'told hello\n');
  });

  test('a worktree with its git works inside: a commit is made, and neither hooks nor settings of git are', async () => {
    const { out } = await inside(
      'git init -q repo && cd repo && git -c user.name=x -c user.email=x@x commit -q --allow-empty -m one && git log --format=%s',
    );
    assert.match(out, /^one$/m);
    const repo = join(home.work, 'repo');
    const file = join(repo, 'log.out');
    await home.ok(
      'new',
      'tree',
      '--sandbox',
      '--background',
      '--worktree',
      '--no-fetch',
      '--repo',
      repo,
      `{ git -c user.name=x -c user.email=x@x commit -q --allow-empty -m two; git log --format=%s; git config a.b c; echo x >"$(git rev-parse --git-common-dir)/hooks/pre-commit"; cp /dev/null '${file}'; } >log.out 2>&1; echo over >>log.out; exec cat`,
    );
    const { cwd } = (await home.cli('show', 'tree', '--json')).json() as { cwd: string };
    const log = join(cwd, 'log.out');
    await until('it has run', () => existsSync(log) && readFileSync(log, 'utf8').includes('over'));
    const text = readFileSync(log, 'utf8');
    assert.match(text, /^two\none$/m);
    assert.not.ok(existsSync(join(repo, '.git/hooks/pre-commit')));
    assert.not.ok(existsSync(file), 'the source’s own working tree is not its');
    assert.not.match(readFileSync(join(repo, '.git/config'), 'utf8'), /b = c/);
  });

  test('sandbox run and sandbox explain say the same', async () => {
    for (const [path, op, allowed] of [
      ['in.txt', 'write', true],
      ['/usr/bin', 'read', true],
      ['/usr/bin', 'write', false],
      [secret, 'read', false],
      ['../other.txt', 'read', false],
      ['../state/default/person.token', 'read', false],
    ] as const) {
      assert.is(
        (await home.cli('sandbox', 'explain', '--path', path, '--op', op)).status,
        allowed ? 0 : 4,
        path,
      );
      const line = op === 'read' ? `head -c1 ${path} >/dev/null || ls ${path}` : `test -w ${path}`;
      assert.is((await home.cli('sandbox', 'run', '--', line)).status === 0, allowed, path);
    }
    assert.is((await home.cli('sandbox', 'explain', '--host', 'example.com')).status, 4);
    assert.is((await home.cli('sandbox', 'run', '--', 'sh', '-c', 'exit 7')).status, 7);
  });

  test('the environment of whoever started the server is not handed on', async () => {
    const { out } = await inside('env');
    assert.match(out, /^PATH=/m);
    assert.not.match(out, /^(EDITOR_SECRET|LD_)/m);
    assert.equal(out.split('\n').filter(line => line.startsWith('MUX_TOKEN=')).length, 1);
  });
}

test('where no sandbox can be used nothing is started, and it is said what to do', async () => {
  const bare = new MuxHome({
    config: 'sandbox: { enabled: true, backend: nono }\nagents: { robot: { command: cat, ai: true } }\n',
  });
  const { status, stderr } = await bare.cli('new', 'x', '--agent', 'robot', '--background');
  assert.is(status, 4, stderr);
  assert.match(stderr, /sandbox: none can be used here: nono: there is no program nono \(.+\)/);
  assert.not.match((await bare.cli('list')).stdout, /x/);
  await bare.end();
});

test('settings that cannot be read do not mean that there is none', async () => {
  const bare = new MuxHome({
    config: 'sandbox: { enabled: yess }\nagents: { robot: { command: cat, ai: true } }\n',
  });
  const { status, stderr } = await bare.cli('new', 'x', '--agent', 'robot', '--background');
  assert.is(status, 4, stderr);
  assert.match(stderr, /the settings are wrong/);
  await bare.end();
});

/** A server outside that says hello. */
async function listen(): Promise<{ server: Server; port: number }> {
  const server = createServer((_, response) => response.end('hello from outside\n'));
  await new Promise<void>(done => server.listen(0, done));
  return { server, port: (server.address() as AddressInfo).port };
}

test.run();
