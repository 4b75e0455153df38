/**
 * Clients of AiService that mean harm: no protobuf, messages beyond all bounds, streams that are begun and left. Each costs
 * its own call, and others are answered.
 */
import { connect } from 'node:net';
import { Client, credentials, status, type ServiceError } from '@grpc/grpc-js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SERVICE } from '../../lib/ai/service/listen.ts';
import { ServiceHome } from '../support/ai/service.ts';

const test = suite('hostile clients of AiService');
const USER = 'organizations/o/users/u';
const home = new ServiceHome();
let client: Client;

test.before(async () => {
  await home.start();
  client = new Client(home.address, credentials.createInsecure(), {
    'grpc.max_send_message_length': -1,
  });
});
test.after(async () => {
  client.close();
  await home.end();
});

const pass = (value: Buffer): Buffer => value;
/** What a call with these bytes ends with. */
const send = (method: string, bytes: Buffer): Promise<number> =>
  new Promise(done =>
    client.makeUnaryRequest(`/${SERVICE}/${method}`, pass, pass, bytes, (error: ServiceError | null) =>
      done(error?.code ?? 0),
    ),
  );
const isWell = async (): Promise<void> =>
  assert.equal((await home.call('ListChats', { parent: USER })).chats, []);

test('bytes that are no protobuf are refused', async () => {
  const junk = [
    Buffer.from('\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff', 'latin1'),
    // A length that goes on behind the end, a group that is never closed, and groups within groups.
    Buffer.from('0affffffff0f', 'hex'),
    Buffer.from('0b', 'hex'),
    Buffer.from('0b'.repeat(50_000), 'hex'),
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  ];
  for (const method of ['CreateChat', 'ListChats', 'GetChat', 'UpdateChat'])
    for (const bytes of junk)
      assert.is.not(await send(method, bytes), 0, `${method} ${bytes.subarray(0, 9).toString('hex')}`);
  await isWell();
});

test('a message beyond the bound is refused before it is read', async () => {
  assert.is(await send('CreateChat', Buffer.alloc(80 * 1024 * 1024)), status.RESOURCE_EXHAUSTED);
  await isWell();
});

test('streams that are begun and cancelled at once leave nothing behind', async () => {
  for (let n = 0; n < 200; n++) {
    const call = client.makeServerStreamRequest(
      `/${SERVICE}/StreamGenerateMessage`,
      pass,
      pass,
      Buffer.from('0a01', 'hex'),
    );
    call.on('error', () => undefined);
    call.on('data', () => undefined);
    call.cancel();
  }
  await isWell();
});

test('what is no HTTP/2 is let go', async () => {
  const path = home.address.replace(/^unix:/, '');
  await Promise.all(
    [
      'GET / HTTP/1.1\r\n\r\n',
      '\0'.repeat(10_000),
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' + '\xff'.repeat(5000),
    ].map(
      text =>
        new Promise<void>(done => {
          const socket = connect(path, () => socket.end(Buffer.from(text, 'latin1')));
          socket.on('error', () => undefined);
          socket.on('close', () => done());
          socket.resume();
        }),
    ),
  );
  await isWell();
});

test.run();
