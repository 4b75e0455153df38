/**
 * What scripts rely on: JSON keys, JSON mode, what is data, targets, words that run a program, a pane's environment.
 */
// Some hundred programs are started, each of which takes long where many others run.
// spec-timeout: 400
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { VARIABLES } from '../../lib/cmd/variables.ts';
import { until } from '../support/until.ts';
import { isRunning, LAUNCHER, Mux, ROOT, runProgram } from './mux.ts';

const test = suite('the command line as scripts know it');
const mux = new Mux();
/** Nothing here that makes JSON by itself. */
const PERSON = { MUX_AGENT_MODE: undefined, CLAUDECODE: undefined, CLAUDE_CODE: undefined };

type Row = Record<string, unknown>;

/** Text of a file that a pane's program writes, once it ends in a line feed. */
async function written(name: string): Promise<string> {
  const read = (): string => {
    try {
      return readFileSync(join(mux.home, name), 'utf8');
    } catch {
      // ENOENT: the program has not come to it yet.
      return '';
    }
  };
  await until(`${name} is written`, () => read().endsWith('END\n'));
  return read().slice(0, -'END\n'.length);
}

const self = `${process.execPath} ${LAUNCHER}`;

test('--detach starts a server, tells its sessions and the way back, and lets go of one that runs', async () => {
  const first = await mux.ok('--detach', '--', 'cat');
  assert.match(first, /^server default runs with nobody attached; come back with 'mux'\ncat\t[0-9a-f]{8}\t/);
  const again = await mux.json('--detach');
  assert.equal([again.server, again.attach], ['default', 'mux']);
  assert.is((again.sessions as Row[]).length, 1, 'a server that runs needs no other pane');
});

test('list and show have every key', async () => {
  await mux.ok('new', 'build', '--label', 'a', '--label', 'b', '--env', 'COLOUR=red', '--background', 'cat');
  const keys =
    'id name agent status attention pid cwd worktree branch base_branch dirty ahead behind labels starred parent_id conversation_id role model command created_at last_output_at exit_code summary pane window stop_reason deleted_at expires_at fleet'.split(
      ' ',
    );
  const { sessions } = (await mux.json('list')) as { sessions: Row[] };
  for (const session of sessions) assert.equal(Object.keys(session).sort(), [...keys].sort());
  const shown = await mux.json('show', 'build');
  assert.equal(Object.keys(shown).sort(), [...keys].sort());
  assert.equal(
    [shown.name, shown.labels, shown.pane, shown.window, shown.exit_code, shown.cwd],
    ['build', ['a', 'b'], null, null, null, mux.home],
  );
  assert.match(String(shown.created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  assert.is(typeof shown.pid, 'number');
});

test('list takes labels, folders and a format', async () => {
  const answers = await Promise.all([
    mux.ok('list', '--label', 'a', '--label', 'b', '-F', '#{session_name}'),
    mux.ok('ls', '--label', 'c'),
    mux.ok('list', '--repo', '.', '-F', '#{session_name}'),
    mux.ok('list', '--repo', '/nonexistent'),
    mux.ok('path', 'build'),
    mux.ok('list'),
  ]);
  assert.equal(answers.slice(0, 5), ['build\n', '', 'cat\nbuild\n', '', `${mux.home}\n`]);
  for (const line of answers[5]!.trimEnd().split('\n'))
    assert.match(line, /^[^\t ]+(\t[^\t]+){4}$/, 'tabs in a pipe');
});

test('what git says is of now, also the first time', async () => {
  const repo = join(mux.home, 'repo');
  const git = (...words: string[]): Promise<unknown> =>
    runProgram(['git', '-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
      env: mux.environment(),
      cwd: repo,
    });
  mkdirSync(repo);
  await git('init', '-q', '-b', 'trunk');
  await git('commit', '-q', '--allow-empty', '-m', 'first');
  const made = await mux.json('new', 'coder', '--repo', repo, '--background', 'cat');
  assert.equal([made.branch, made.dirty], ['trunk', false]);
  writeFileSync(join(repo, 'new'), '');
  assert.is((await mux.json('show', 'coder')).dirty, true);
  await git('checkout', '-q', '-b', 'topic');
  const { sessions } = (await mux.json('list', '--repo', repo)) as { sessions: Row[] };
  assert.equal([sessions.length, sessions[0]!.branch], [1, 'topic']);
  await mux.ok('delete', 'coder');
});

test('a session is found by name, id and the beginning of its id', async () => {
  const { id } = await mux.json('show', 'build');
  const found = await mux.ok('list', '-F', '#{session_id}');
  const unique = [...String(id)].findIndex((_, n) => {
    const begin = String(id).slice(0, n + 1);
    return found.split('\n').filter(line => line.startsWith(begin)).length === 1;
  });
  const ways = [String(id), String(id).slice(0, unique + 1), 'build'];
  const names = await Promise.all(ways.map(async way => (await mux.json('show', way)).name));
  assert.equal(names, ['build', 'build', 'build']);
});

test('windows, panes, clients and the server tell their keys', async () => {
  const [windows, panes, clients, status, version] = await Promise.all([
    mux.json('list-windows'),
    mux.json('list-panes', '-a'),
    mux.json('clients'),
    mux.json('server', 'status'),
    mux.json('version'),
  ]);
  assert.equal(windows, { windows: [{ index: 1, name: 'cat', active: true, panes: 1 }] });
  const [pane] = panes.panes as Row[];
  assert.equal(Object.keys(pane!), 'id index window cols rows active session_id title dead'.split(' '));
  assert.equal([pane!.id, pane!.cols, pane!.rows, pane!.dead], ['%0', 80, 24, false]);
  assert.equal(clients, { clients: [] });
  for (const key of ['server_pid', 'version', 'protocol', 'uptime_seconds']) assert.ok(key in status, key);
  assert.is(version.version, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version);
});

test('an agent that calls gets JSON, a person does not', async () => {
  const variables =
    'MUX_AGENT CLAUDECODE CLAUDE_CODE CURSOR_AGENT GITHUB_COPILOT AMAZON_Q OPENCODE GRAITH_SESSION_ID'.split(
      ' ',
    );
  const cases: (readonly [Record<string, string | undefined>, readonly string[], boolean])[] = [
    [PERSON, ['config', 'path'], false],
    [{ ...PERSON, MUX_AGENT_MODE: '1' }, ['config', 'path'], true],
    [{ ...PERSON, MUX_AGENT_MODE: '1' }, ['list'], true],
    [{ MUX_AGENT_MODE: '0', CLAUDECODE: '1' }, ['list'], false],
    [{ MUX_AGENT_MODE: '0' }, ['--json', 'list'], true],
    [{ MUX_AGENT_MODE: '0' }, ['list', '--json'], true],
    [{ MUX_AGENT_MODE: '0' }, ['config', 'path', '--json'], true],
    ...variables.map(name => [{ ...PERSON, [name]: '1' }, ['config', 'path'], true] as const),
  ];
  for (const [env, words, isJson] of cases) {
    const { out } = await mux.run(words, { env });
    assert.is(out.startsWith('{'), isJson, `${JSON.stringify(env)} ${words.join(' ')}: ${out}`);
  }
});

test('data stays as it is for an agent, until it asks', async () => {
  const env = { ...PERSON, CLAUDECODE: '1' };
  const data = [
    ['display-message', '-p', '#{pane_id}'],
    ['list-panes', '-F', '#{pane_id}'],
    ['list-windows', '-F', '#{window_index}'],
    ['list', '-F', '#{session_name}'],
    ['capture-pane', '-p', '-t', '%0'],
  ];
  const chained = data.flatMap((words, i) => (i === 0 ? words : [';', ...words]));
  const { out } = await mux.run(chained, { env });
  assert.not.match(out, /[{[]/);
  assert.ok(out.startsWith('%0\n%0\n1\ncat\nbuild\n'), out);
  const asked = await mux.run(['--json', ...chained], { env });
  const lines = asked.out.trimEnd().split('\n');
  assert.is(lines.length, data.length, asked.out);
  for (const line of lines) assert.type(JSON.parse(line), 'object');
  const wrong = await mux.run(['show', 'nobody'], { env });
  assert.is(JSON.parse(wrong.out).error.code, 'not_found');
});

test('several words are a program and its arguments, one word is a shell line', async () => {
  const lines = [
    ['new-window', '-d', `echo $((40+2)) > one; echo END >> one`],
    ['new-window', '-d', 'sh', '-c', 'printf "%s\n" "$1" END > two', 'sh', '$((40+2)) && false'],
    ['new-window', '-d', '--', 'sh', '-c', 'printf "%s\n" "$1" END > three', 'sh', '--flag'],
    ['new', 'four', '--background', '--', 'echo "$HOME" > four; echo END >> four'],
    ['split-window', '-d', 'sh', '-c', 'printf "%s\n" -x END > five', '-d'],
  ];
  await mux.ok(...lines.flatMap((words, i) => (i === 0 ? words : [';', ...words])));
  const texts = await Promise.all(['one', 'two', 'three', 'four', 'five'].map(written));
  assert.equal(texts, ['42\n', '$((40+2)) && false\n', '--flag\n', `${process.env.HOME}\n`, '-x\n']);
});

test('a pane knows where it runs, and is no agent unless it is one', async () => {
  const home = mux.home;
  await mux.ok(
    'new',
    'plain',
    '--env',
    'COLOUR=red',
    '-c',
    '/',
    `env > ${home}/plain; pwd >> ${home}/plain; echo END >> ${home}/plain`,
  );
  const text = await written('plain');
  const { id, pane } = await mux.json('show', 'plain');
  const env = new Map(text.split('\n').map(line => line.split(/=(.*)/s, 2) as [string, string]));
  assert.equal(
    ['TERM_PROGRAM', 'COLORTERM', 'MUX_SERVER', 'MUX_SESSION', 'MUX_PANE', 'COLOUR', 'MUX_AGENT', 'TMUX'].map(
      name => env.get(name),
    ),
    ['mux', 'truecolor', 'default', id, pane, 'red', undefined, undefined],
  );
  assert.ok(env.get('TERM'));
  assert.match(text, /\n\/\n$/);
});

test('an AI agent is told its name', async () => {
  const config =
    'agents: { robot: { command: sh, args: ["-c", "echo $MUX_AGENT > robot; echo END >> robot"], ai: true } }\n';
  const other = new Mux();
  writeFileSync(join(other.home, 'config.yaml'), config);
  await other.ok('new', 'r2', '--agent', 'robot', '-c', mux.home);
  assert.is(await written('robot'), 'robot\n');
  await other.stop();
});

test('a command that runs in a pane means that pane', async () => {
  const line = `${self} display-message -p '#{pane_id} #{window_index}' > here; ${self} split-window -d -P -F '#{window_index}' cat >> here; ${self} --json show > own; echo END >> own; echo END >> here; cat`;
  const made = await mux.ok('new-window', '-d', '-P', '-F', '#{pane_id} #{window_index}', line);
  const window = made.trim().split(' ')[1];
  assert.is(await written('here'), `${made}${window}\n`);
  assert.is((JSON.parse(await written('own')) as Row).pane, made.split(' ')[0]);
});

test('inside a pane mux refuses to open in itself, and --detach works', async () => {
  const line = `{ ${self}; echo $?; ${self} --detach | head -1; echo END; } > nest 2>&1; cat`;
  await mux.ok('new-window', '-d', line);
  const text = await written('nest');
  assert.match(text, /^mux: attach: this is a pane of server default already \(leave it with C-b d first/);
  assert.match(text, /\n4\nserver default runs with nobody attached/);
});

test('what is made can be printed', async () => {
  const made = await mux.ok(
    'new-window',
    '-d',
    '-P',
    'cat',
    ';',
    'split-window',
    '-d',
    '-P',
    '-F',
    '#{pane_id}',
    'cat',
  );
  assert.match(made, /^\d+\.0\n%\d+\n$/);
  const pane = made.split('\n')[1]!;
  assert.match(
    await mux.ok('break-pane', '-d', '-n', 'out', '-P', '-F', '#{window_name}', '-s', pane),
    /^out\n$/,
  );
});

test('windows are chosen by index, name and a pane in them, and in turn', async () => {
  const steps = [
    'new-window -n alpha cat',
    'new-window -n beta cat',
    'select-window -t alpha',
    'last-window',
    'last-window',
    'select-window -t 1',
    'select-window -t :beta',
    'previous-window',
    'next-window',
    'select-window -t %0',
    'rename-window -t beta gamma',
    'select-window -t gamma',
    'kill-window',
  ];
  const words = steps.flatMap(step => [
    ...step.split(' '),
    ';',
    'display-message',
    '-p',
    '#{window_name}',
    ';',
  ]);
  const names = (await mux.ok(...words.slice(0, -1))).trimEnd().split('\n');
  assert.equal(names, 'alpha beta alpha beta alpha cat beta alpha beta cat cat gamma cat'.split(' '));
});

test('every name of a format has an answer', async () => {
  const names =
    'pane_id pane_index pane_width pane_height pane_title pane_pid pane_current_path pane_current_command pane_active pane_dead pane_in_mode window_index window_name window_active session_name cursor_x cursor_y history_size'.split(
      ' ',
    );
  const format = names.map(name => `${name}=#{${name}}`).join('\n');
  for (const line of (await mux.ok('display-message', '-p', '-t', '%0', format)).trimEnd().split('\n'))
    assert.match(line, /=./, line);
  const all = Object.keys(VARIABLES);
  const told = await mux.ok('display-message', '-p', all.map(name => `#{${name}}`).join('\n'));
  assert.is(told.split('\n').length, all.length + 1, 'an answer is one line');
});

test('panes are driven from outside', async () => {
  const shown = async (pane: string, text: string): Promise<void> =>
    void (await until(`${text} is shown`, async () =>
      (await mux.ok('capture-pane', '-p', '-t', pane)).includes(text),
    ));
  const pane = (await mux.ok('new-window', '-d', '-P', '-F', '#{pane_id}', 'cat')).trim();
  await mux.ok('select-pane', '-t', pane, '-T', 'a title', ';', 'send-keys', '-t', pane, 'typed', 'Enter');
  await shown(pane, 'typed');
  assert.is(await mux.ok('display-message', '-p', '-t', pane, '#{pane_title}'), 'a title\n');
  await mux.ok('set-buffer', 'pasted', ';', 'paste-buffer', '-d', '-t', pane);
  await shown(pane, 'pasted');
  await mux.ok('capture-pane', '-t', pane, '-b', 'shot');
  assert.match(await mux.ok('show-buffer', '-b', 'shot'), /^typed\ntyped\npasted\n/);
  await mux.ok(
    'pipe-pane',
    '-t',
    pane,
    `cat > ${join(mux.home, 'piped')}`,
    ';',
    'send-keys',
    '-t',
    pane,
    'Enter',
    'through',
    'Enter',
  );
  await until('the pipe has it', () => {
    try {
      return readFileSync(join(mux.home, 'piped'), 'utf8').includes('through');
    } catch {
      // ENOENT: the command has not started yet.
      return false;
    }
  });
  const before = await mux.ok('display-message', '-p', '-t', pane, '#{pane_pid}');
  await mux.ok('respawn-pane', '-k', '-t', pane);
  assert.not.equal(await mux.ok('display-message', '-p', '-t', pane, '#{pane_pid} #{pane_dead}'), before);
  await mux.ok('send-keys', '-t', pane, 'C-d');
  const dead = ['display-message', '-p', '-t', pane, '#{pane_dead} #{pane_dead_status}'];
  await until('the program has ended', async () => (await mux.ok(...dead)) === '1 0\n');
  const { status, err } = await mux.run(['send-keys', '-t', pane, 'x']);
  assert.equal([status, /its program has ended/.test(err)], [1, true]);
  await mux.ok('resize-pane', '-x', '40', '-t', pane, ';', 'kill-pane', '-t', pane);
  assert.is((await mux.run(['detach'])).status, 1);
});

test('buffers, keys, options and files of commands', async () => {
  writeFileSync(
    join(mux.home, 'more'),
    '# a file of commands\nbind-key -N "a note" X split-window -h # not a comment here\nset-option mouse off\n',
  );
  const steps = [
    ['set-buffer', '-b', 'one', 'two words'],
    ['show-buffer', '-b', 'one'],
    ['set-buffer', 'newest'],
    ['show-buffer'],
    ['delete-buffer', '-b', 'one'],
    ['list-buffers'],
    ['bind-key', '-n', 'M-x', 'new-window'],
    ['list-keys', '-T', 'root'],
    ['unbind-key', '-n', 'M-x'],
    ['set-option', '-g', 'sidebar', 'off'],
    ['show-options', '-v', 'sidebar'],
    ['has-session', '-t', 'build'],
    ['source-file', '-q', 'none'],
  ];
  const out = await mux.ok(...steps.flatMap((words, i) => (i === 0 ? words : [';', ...words])));
  assert.match(
    out,
    /^two words\nnewest\nbuffer\d+\t6\tnewest\n(.*\n)*bind-key -T root +M-x +new-window\n(.*\n)*off\n$/,
  );
  await mux.ok('source-file', 'more');
  assert.match(
    await mux.ok('list-keys', '-T', 'prefix', ';', 'show-options', '-v', 'mouse'),
    / X +split-window[^\n]*\n(.*\n)*off\n$/,
  );
});

test('a session stops, stays listed, starts again and is deleted', async () => {
  await mux.ok('new', 'life', 'cat');
  await mux.ok('stop', 'life');
  const stopped = await mux.json('show', 'life');
  assert.ok(['stopped', 'failed'].includes(String(stopped.status)), String(stopped.status));
  assert.is(stopped.pid, null);
  assert.is(typeof stopped.exit_code, 'number');
  await mux.ok('resume', 'life');
  assert.is(typeof (await mux.json('show', 'life')).pid, 'number');
  await mux.ok('restart', 'life');
  await mux.ok('delete', 'life');
  assert.is((await mux.run(['show', 'life'])).status, 3);
});

test('help and version are on every level, without a server', async () => {
  const nobody = { env: { MUX_SERVER: 'nobody' } };
  const helps: (readonly [readonly string[], RegExp])[] = [
    [['--help'], /^usage: mux \[FLAGS\] \[COMMAND …\]\n(.*\n)+.*split-window/],
    [['--help', 'list'], /^usage: mux list/],
    [['list', '--help'], /^usage: mux list/],
    [['help', 'list'], /^usage: mux list/],
    [['help'], /^usage: mux \[FLAGS\]/],
    [['split-window', '-h', '--help'], /^usage: mux split-window/],
    [['new', '--help'], /^usage: mux new .*NAME \[CMD…\]/],
    [['attach', '--help'], /^usage: mux attach/],
    [['server', 'status', '--help'], /^usage: mux server status/],
    [['config', 'show', '--help'], /^usage: mux config show\|path\|check/],
    [['kill-server', '--help'], /^usage: mux kill-server/],
    [['--version'], /^mux \d+\.\d+\.\d+\n$/],
    [['list', '--version'], /^mux \d+\.\d+\.\d+\n$/],
    [['version'], /^mux \d+\.\d+\.\d+\n$/],
  ];
  for (const [words, says] of helps) {
    const { status, out, err } = await mux.run(words, nobody);
    assert.equal({ status, err }, { status: 0, err: '' }, words.join(' '));
    assert.match(out, says);
  }
});

test('servers are parted by name', async () => {
  await mux.ok('-L', 'second', '--detach', '--', 'cat');
  const [first, second, viaEnv] = await Promise.all([
    mux.json('list'),
    mux.json('-L', 'second', 'list'),
    mux.run(['--json', 'list'], { env: { MUX_SERVER: 'second' } }),
  ]);
  assert.ok((first.sessions as Row[]).length > 1);
  assert.is((second.sessions as Row[]).length, 1);
  assert.equal(JSON.parse(viaEnv.out).sessions.length, 1);
  await mux.ok('-L', 'second', 'kill-server', '-y');
  assert.is((await mux.run(['-L', 'second', 'list'])).status, 3);
});

test('a reader that goes away leaves no trace', async () => {
  const { err } = await runProgram(['sh', '-c', `${self} list-keys | head -1 > /dev/null`], {
    env: mux.environment(),
  });
  assert.is(err, '');
});

test('config shows the whole, its place and its problems', async () => {
  const other = new Mux();
  const file = join(other.home, 'config.yaml');
  assert.is(await other.ok('config', 'path'), `${file}\n`);
  assert.match(await other.ok('config', 'show'), /^server:\n {2}default_size: 80x24\n/);
  assert.is(await other.ok('config', 'check'), `${file}: fine\n`);
  writeFileSync(file, 'screen:\n  sidbar: on\n');
  const { status, err } = await other.run(['config', 'check']);
  assert.is(status, 1);
  assert.match(err, /^mux: .*config\.yaml:2:3: .*sidbar.*did you mean sidebar\?/);
  const elsewhere = await other.run(['--config', 'other.yaml', 'config', 'path']);
  assert.is(elsewhere.out, `${join(other.home, 'other.yaml')}\n`);
});

test('kill-server ends the server before it returns', async () => {
  const { server_pid: pid } = await mux.json('server', 'status');
  await mux.stop();
  assert.not.ok(isRunning(Number(pid)));
  assert.is((await mux.run(['list'])).status, 3);
});

test.run();
