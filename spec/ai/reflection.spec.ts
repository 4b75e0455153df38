/** AiService to those who know nothing of it but its address: reflection, health, and the token that all else needs. */
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor/index.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Anything, CallError } from '../support/ai/foreign-client.ts';
import { PLAIN } from '../support/ai/scripted.ts';
import { ServiceHome } from '../support/ai/service.ts';

const USER = 'organizations/o/users/u';
const SERVICE = 'malonaz.ai.ai_service.v1.AiService';
/** What this spec asks of grpc.reflection.v1 and grpc.health.v1, by their public numbers. */
const PUBLIC = protobuf.parse(
  `syntax = "proto3";
   message Ask { string file_containing_symbol = 4; string list_services = 7; }
   message Files { repeated bytes file_descriptor_proto = 1; }
   message Named { string name = 1; }
   message Services { repeated Named service = 1; }
   message Told { Files file_descriptor_response = 4; Services list_services_response = 6; }
   message Health { string service = 1; }
   message Healthy { int32 status = 1; }`,
  { keepCase: true },
).root;
const SERVING = 1;
const REFLECTION = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
const raw = (bytes: Buffer): Buffer => bytes;

let home: ServiceHome;
let client: Client;
let metadata: Metadata;

test.before.each(async () => {
  home = await new ServiceHome().start({ address: '127.0.0.1:0', token: 'secret' });
  client = new Client(home.address, credentials.createInsecure());
  metadata = new Metadata();
  metadata.set('authorization', 'Bearer secret');
});
test.after.each(async () => {
  client.close();
  await home.end();
});

/** One unary call of bytes. Rejects with CallError. */
function call(path: string, bytes: Uint8Array, given: Metadata): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, raw, raw, Buffer.from(bytes), given, (error, answer) =>
      error ? reject(error) : resolve(answer!),
    );
  });
}

/** One question to reflection. Rejects with CallError. */
function reflect(question: object, given: Metadata = metadata): Promise<Anything> {
  const stream = client.makeBidiStreamRequest(REFLECTION, raw, raw, given);
  stream.write(Buffer.from(PUBLIC.lookupType('Ask').encode(question).finish()));
  stream.end();
  return new Promise((resolve, reject) => {
    stream.on('data', (bytes: Buffer) => resolve(PUBLIC.lookupType('Told').decode(bytes)));
    stream.on('error', reject);
  });
}

test('a client that has no files of ours calls a method by what reflection tells', async () => {
  const { list_services_response: list } = await reflect({ list_services: '*' });
  assert.ok(list.service.some(({ name }: Anything) => name === SERVICE));
  const { file_descriptor_response: told } = await reflect({ file_containing_symbol: SERVICE });
  const file = told.file_descriptor_proto.map((bytes: Uint8Array) =>
    descriptor.FileDescriptorProto.decode(bytes),
  );
  const { fromDescriptor } = protobuf.Root as unknown as { fromDescriptor(set: object): protobuf.Root };
  const root = fromDescriptor({ file });
  root.resolveAll();
  const { requestType, responseType } = root.lookupService(SERVICE).methods.CreateChat!;
  // This library reads a map as what it is on the wire: a list of its entries.
  const labels = [{ key: 'k', value: 'v' }];
  const request = { parent: USER, chat_id: 'c', chat: { title: 'by reflection', labels } };
  const type = root.lookupType(requestType);
  const bytes = type.encode(type.fromObject(request)).finish();
  const answer = await call(`/${SERVICE}/CreateChat`, bytes, metadata);
  const chat = root.lookupType(responseType).toObject(root.lookupType(responseType).decode(answer));
  assert.equal([chat.name, chat.title, chat.labels], [`${USER}/chats/c`, 'by reflection', labels]);
  const kept = await home.call('GetChat', { name: `${USER}/chats/c` });
  assert.equal(kept.labels, { k: 'v' });
});

test('health is told to any, all else to those with the token', async () => {
  const probe = PUBLIC.lookupType('Health').encode({ service: SERVICE }).finish();
  const healthy = await call('/grpc.health.v1.Health/Check', probe, new Metadata());
  assert.is((PUBLIC.lookupType('Healthy').decode(healthy) as Anything).status, SERVING);
  for (const token of [undefined, 'Bearer wrong', 'secre']) {
    const given = new Metadata();
    if (token) given.set('authorization', token);
    const failed = [
      call(`/${SERVICE}/ListModels`, Buffer.alloc(0), given),
      reflect({ list_services: '*' }, given),
    ];
    for (const one of failed) {
      const error = await one.then(
        () => undefined,
        (thrown: unknown) => thrown as CallError,
      );
      assert.is(error?.code, status.UNAUTHENTICATED);
    }
  }
});

test('a message is changed by mask and etag, and a read mask reaches into lists and batches', async () => {
  const parent = `${USER}/chats/c`;
  const message = { role: 'ROLE_USER', blocks: [{ text: 'one' }], labels: { a: 'b' } };
  const made = await home.call('CreateMessage', { parent, message, message_id: 'm' });
  const change = { name: made.name, etag: made.etag, blocks: [{ text: 'two' }], labels: {} };
  const update = { message: change, update_mask: { paths: ['blocks'] } };
  const changed = await home.call('UpdateMessage', update);
  assert.equal([changed.blocks[0].text, changed.labels], ['two', { a: 'b' }]);
  assert.is((await home.fails('UpdateMessage', update)).code, status.ABORTED);
  const stale = { name: made.name, etag: made.etag };
  assert.is((await home.fails('DeleteMessage', stale)).code, status.ABORTED);
  const names = [made.name];
  const headers = { 'x-read-mask-strict': 'name' };
  for (const [method, request] of [
    ['BatchGetMessages', { parent, names }],
    ['ListMessages', { parent }],
  ] as const) {
    const { messages } = await home.call(method, request, headers);
    assert.equal(
      messages.map(({ name, role }: Anything) => [name, role]),
      [[made.name, undefined]],
      method,
    );
  }
  const batch = { parent: USER, names: [parent] };
  assert.is((await home.call('BatchGetChats', batch, headers)).chats[0].name, parent);
});

test('64 streams at a time each get their own answer', async () => {
  const count = 64;
  for (let i = 0; i < count; i++) home.provider.says('answer');
  const streams = Array.from({ length: count }, (_, i) =>
    home.stream({
      parent: `${USER}/chats/c${i}`,
      model: PLAIN.name,
      messages: [{ role: 'ROLE_USER', blocks: [{ text: `q${i}` }] }],
    }),
  );
  const ends = (await Promise.all(streams)).map(events => events.at(-1).generated_message);
  assert.equal(
    ends.map(({ name, blocks }) => [name.split('/messages/')[0], blocks[0].text]),
    ends.map((_, i) => [`${USER}/chats/c${i}`, 'answer']),
  );
});

test.run();
