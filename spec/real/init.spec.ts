/** `mux init` as people run it: asked on a terminal, and told by flags, against a model server on loopback. */
// spec-long
import { existsSync, lstatSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { events, ModelServer } from '../support/ai/model-server.ts';
import { MuxHome } from '../support/mux.ts';

const test = suite('init');
let home: MuxHome;
let server: ModelServer;
test.before.each(async () => {
  server = await new ModelServer().start();
});
test.after.each(async () => {
  await home.end();
  await server.end();
});

const ANSWER = {
  pieces: [
    events({ choices: [{ index: 0, delta: { content: 'ready' }, finish_reason: null }] }),
    events({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  ],
};
const OLD = `# mine
screen: {mouse: off}   # by hand
ai:
  compaction_budget: 5000 # small
`;
const configOf = ({ dir }: MuxHome): string => join(dir, 'config.yaml');
const textOf = (one: MuxHome): string => readFileSync(configOf(one), 'utf8');

test('without a terminal it says what to do, and with flags it does it', async () => {
  home = new MuxHome();
  const asked = await home.cli('init');
  assert.is(asked.status, 2);
  assert.match(asked.stderr, /^mux: init: there is no terminal to ask on \(say mux init --yes --provider /);
  assert.not.ok(existsSync(configOf(home)));
  server.answers(ANSWER);
  const flags = [
    '--provider',
    'near',
    '--base-url',
    `${server.url}/v1`,
    '--model',
    'tiny',
    '--completion',
    'bash',
  ];
  const done = await home.cli('init', '--yes', ...flags);
  assert.is(done.status, 0, done.stderr);
  assert.is(server.requests.length, 1, 'it was tried');
  server.answers(ANSWER);
  assert.is(await home.ok('ask', 'x'), 'ready\n');
  assert.match(readFileSync(join(home.env.HOME!, '.bashrc'), 'utf8'), /^source <\(mux completion bash\)\n$/);
});

test('settings that are there stay to the byte, the change is shown, and the old file is kept', async () => {
  home = new MuxHome({ config: OLD });
  const words = [
    'init',
    '--yes',
    '--no-check',
    '--provider',
    'anthropic',
    '-m',
    'haiku',
    '--agent',
    'claude',
  ];
  const shown = await home.ok(...words);
  assert.match(shown, /^\+ {2}default_model: haiku$/m);
  assert.is(textOf(home), `${OLD}  default_model: haiku\ndefault_agent: claude\n`);
  assert.is(readFileSync(`${configOf(home)}.old`, 'utf8'), OLD);
  assert.match(await home.ok(...words), /it says so already/);
  assert.is(textOf(home), `${OLD}  default_model: haiku\ndefault_agent: claude\n`);
});

test('nothing is written where it cannot be right', async () => {
  home = new MuxHome({ config: OLD });
  const base = ['init', '--yes', '--provider', 'near', '--base-url', `${server.url}/v1`, '-m', 'tiny'];
  server.answers({ status: 401, pieces: ['{"error":{"message":"no such key"}}'] });
  const cases: readonly [readonly string[], number, RegExp][] = [
    [base, 4, /near/],
    [['init', '--yes'], 2, /no provider is chosen/],
    [['init', '--yes', '--provider', 'nowhere', '-m', 'x'], 2, /nowhere is not known/],
    [['init', '--yes', '--provider', 'openai', '-m', 'gpt-9'], 4, /its key is missing/],
    [[...base, '--key-env', 'sk-not a variable'], 2, /name of a variable/],
    [[...base, '--agent', 'nobody'], 2, /is no agent/],
    [[...base, '--completion', 'csh'], 2, /no completion/],
  ];
  for (const [words, exit, says] of cases) {
    const { status, stderr } = await home.cli(...words);
    assert.is(status, exit, `${words.join(' ')}: ${stderr}`);
    assert.match(stderr, says);
    assert.not.match(stderr, /sk-not/);
  }
  assert.is(textOf(home), OLD);
  writeFileSync(configOf(home), 'ai: [\n');
  const broken = await home.cli(...base);
  assert.match(broken.stderr, /config\.yaml:\d+:\d+: not valid YAML.*mend it first/);
  assert.is(textOf(home), 'ai: [\n');
});

test('a link into other files stays one', async () => {
  home = new MuxHome({ config: OLD });
  const real = join(home.dir, 'dotfiles.yaml');
  renameSync(configOf(home), real);
  symlinkSync(real, configOf(home));
  await home.ok('init', '--yes', '--no-check', '--provider', 'anthropic', '-m', 'haiku');
  assert.ok(lstatSync(configOf(home)).isSymbolicLink());
  assert.match(readFileSync(real, 'utf8'), /default_model: haiku/);
});

test('on a terminal a person is asked, sees the change, and says whether it is written', async () => {
  home = new MuxHome({ config: OLD });
  const walk = async (last: string): Promise<number> => {
    server.answers(ANSWER);
    const mux = home.start({ args: ['init'], rows: 60, env: { NEAR_KEY: 'k' } });
    await mux.waitFor('the providers', /another one/);
    mux.type('4\r');
    await mux.waitFor('a name', /a name for it/);
    mux.type('near\r');
    await mux.waitFor('an address', /its address/);
    mux.type(`${server.url}/v1\r`);
    await mux.waitFor('the variable', /variable that holds its key/);
    mux.type('NEAR_KEY\r');
    await mux.waitFor('a model', /^model/m);
    mux.type('tiny\r');
    await mux.waitFor('an agent', /^agent/m);
    mux.type('shell\r');
    await mux.waitFor('the change', /default_model: providers\/near\/models\/tiny[^]*Write it\?/);
    mux.type(`${last}\r`);
    if (last === 'y') {
      await mux.waitFor('completion', /Add 'source <\(mux completion bash\)'/);
      mux.type('\r');
    }
    return mux.ended();
  };
  assert.is(await walk(''), 1);
  assert.is(textOf(home), OLD);
  assert.is(await walk('y'), 0);
  assert.match(textOf(home), /api_key_env: NEAR_KEY/);
  assert.not.ok(existsSync(join(home.env.HOME!, '.bashrc')));
});

test('one who leaves in the middle leaves everything as it was', async () => {
  home = new MuxHome({ config: OLD });
  for (const key of ['\x03', '\x04']) {
    const mux = home.start({ args: ['init'] });
    await mux.waitFor('the providers', /another one/);
    mux.type(key);
    assert.is(await mux.ended(), 130);
    await mux.waitFor('a word', /nothing was written/);
  }
  assert.is(textOf(home), OLD);
});

test.run();
