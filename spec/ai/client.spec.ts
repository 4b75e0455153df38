/** The client of AiService where the network and the service are not as one wishes. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { status } from '@grpc/grpc-js';
import { CallFailure, connectAi, type AiClient } from '../../lib/ai/client.ts';
import type { Message } from '../../lib/ai/wire.ts';
import { BadWire } from '../support/ai/bad-wire.ts';
import { CONTRACT } from '../support/ai/foreign-client.ts';
import { PLAIN } from '../support/ai/scripted.ts';
import { ServiceHome } from '../support/ai/service.ts';
import { hasPrograms } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('AiService client');
const CHAT = 'organizations/o/users/u/chats/c';
const PROVIDER = { parent: 'providers/scripted' };
const TEXT = 'an answer of some words, 漢字 and 😀 '.repeat(20);
let home: ServiceHome;
let wire: BadWire;
let client: AiClient;
test.before.each(async () => {
  home = await new ServiceHome().start({ address: '127.0.0.1:0' });
  wire = await new BadWire(home.address).start();
  client = connectAi({ contract: CONTRACT, baseUrl: wire.url });
});
test.after.each(async () => {
  client.close();
  await wire.end();
  await home.end();
});

const question = (text: string) => ({
  parent: CHAT,
  model: PLAIN.name,
  messages: [{ role: 'ROLE_USER', blocks: [{ text }] }] as const,
});

async function answer(from: AiClient = client): Promise<string> {
  let text = '';
  for await (const { block } of from.generate(question('q'), new AbortController().signal))
    text += block?.text ?? '';
  return text;
}

async function failure(work: Promise<unknown>): Promise<CallFailure> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, CallFailure);
  return error as CallFailure;
}

async function inputs(): Promise<Message[]> {
  const { messages = [] } = (await home.call('ListMessages', { parent: CHAT })) as { messages?: Message[] };
  return messages.filter(({ role }) => role === 'ROLE_USER');
}

test('a network that splits every byte, or delays all, changes nothing', async () => {
  for (const options of [{ piece: 1 }, { delay: 5 }]) {
    wire.options = options;
    home.provider.says(TEXT);
    assert.is(await answer(), TEXT);
  }
});

test('a stream that is cut is told as a service that is away, and the client goes on with the next call', async () => {
  let isCut = false;
  home.provider.script({ type: 'text', index: 0, text: 'half' }, async signal => {
    await until('the client is cut off', () => isCut);
    await until('the service sees it', () => signal.aborted);
  });
  const asked = answer();
  await until('something came', () => home.provider.requests.length === 1 && wire.passed > 100);
  wire.cut();
  isCut = true;
  const error = await failure(asked);
  assert.ok(error.isAway, error.message);
  home.provider.says('whole');
  assert.is(await answer(), 'whole');
});

test('a call that was sent again because its answer was lost adds nothing twice', async () => {
  home.provider.says('answered');
  const request = { ...question('once'), request_id: '0b2a7c1e-6a3f-4d3b-9b1e-2f1f6f1d8c01' };
  await client.call('ListModels', PROVIDER);
  wire.options = { isDeaf: true };
  const asked = (async () => {
    for await (const _ of client.generate(request, new AbortController().signal));
  })();
  await until('the answer is kept', async () => {
    const kept = await home.call('ListMessages', { parent: CHAT }).catch(() => undefined);
    return kept?.messages.length === 2;
  });
  wire.options = {};
  wire.cut();
  // It is sent again by itself where nothing of an answer came, and otherwise by whoever asked.
  await asked.catch(() => undefined);
  const events: object[] = [];
  for await (const event of client.generate(request, new AbortController().signal)) events.push(event);
  assert.ok('generated_message' in events.at(-1)!);
  assert.is((await inputs()).length, 1);
  assert.is(home.provider.requests.length, 1);
});

test('a request that comes again while it is answered takes the place of the first, and its inputs stand once', async () => {
  const request = { ...question('once'), request_id: '0b2a7c1e-6a3f-4d3b-9b1e-2f1f6f1d8c02' };
  home.provider.script({ type: 'text', index: 0, text: 'half' }, signal =>
    until('the first is stopped', () => signal.aborted),
  );
  home.provider.says('whole');
  const first = failure(
    (async () => {
      for await (const _ of client.generate(request, new AbortController().signal));
    })(),
  );
  await until('the model is asked', () => home.provider.requests.length === 1);
  let text = '';
  for await (const { block } of client.generate(request, new AbortController().signal))
    text += block?.text ?? '';
  assert.is(text, 'whole');
  assert.is((await first).status, status.CANCELLED);
  const [only, ...others] = await inputs();
  assert.equal([only?.status, others.length], [undefined, 0]);
});

test('a service that does not answer is given up after the deadline', async () => {
  wire.options = { isDeaf: true };
  const error = await failure(client.call('ListModels', PROVIDER, { deadline: 300 }));
  assert.equal([error.code, error.status], ['timeout', status.DEADLINE_EXCEEDED]);
});

test('a service that is being started is waited for', async () => {
  const address = `unix:${join(home.dir, 'late.sock')}`;
  const late = new ServiceHome();
  const own = connectAi({ contract: CONTRACT, baseUrl: address });
  const asked = own.call<{ models?: object[] }>('ListModels', PROVIDER);
  await failure(own.call('ListModels', PROVIDER, { deadline: 50 }));
  await late.start({ address });
  assert.ok(((await asked).models ?? []).length > 0);
  own.close();
  await late.end();
});

test('what a service says of itself is not asked again, and is no service that is away', async () => {
  const { ProviderFailure } = await import('../../lib/ai/failure.ts');
  home.provider.script(new ProviderFailure('cut_off', 'scripted: cut off'));
  const error = await failure(answer());
  assert.equal([error.status, error.isAway], [status.UNAVAILABLE, false]);
  assert.is(home.provider.requests.length, 1);
});

test('an encrypted service is believed with its own authority, and with no other', async () => {
  if (!hasPrograms('openssl')) return;
  const dir = mkdtempSync(join(tmpdir(), 'mux-tls-'));
  const made = (...words: string[]) => execFileSync('openssl', words, { cwd: dir, stdio: 'ignore' });
  const file = (name: string) => readFileSync(join(dir, name));
  for (const name of ['own', 'other'])
    made(
      ...`req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${name} -keyout ${name}.key -out ${name}.pem`.split(
        ' ',
      ),
    );
  made(
    ...'req -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout s.key -out s.csr'.split(
      ' ',
    ),
  );
  made(
    ...'x509 -req -in s.csr -CA own.pem -CAkey own.key -CAcreateserial -days 2 -copy_extensions copy -out s.pem'.split(
      ' ',
    ),
  );
  const tls = { cert: file('s.pem'), key: file('s.key') };
  const safe = new ServiceHome();
  await safe.start({ address: '127.0.0.1:0', tls });
  const port = safe.address.split(':').at(-1);
  const baseUrl = `https://localhost:${port}`;
  const own = connectAi({ contract: CONTRACT, baseUrl, ca: file('own.pem') });
  assert.ok(await own.call('ListModels', PROVIDER));
  for (const ca of [file('other.pem'), undefined]) {
    const other = connectAi({ contract: CONTRACT, baseUrl, ...(ca ? { ca } : {}) });
    const error = await failure(other.call('ListModels', PROVIDER));
    assert.match(error.message, /cannot be reached.*certificate/i);
    other.close();
  }
  const wrongName = connectAi({
    contract: CONTRACT,
    baseUrl: `https://127.0.0.1:${port}`,
    ca: file('own.pem'),
  });
  assert.match((await failure(wrongName.call('ListModels', PROVIDER))).message, /altnames|IP/i);
  wrongName.close();
  own.close();
  await safe.end();
  rmSync(dir, { recursive: true, force: true });
});

test.run();
