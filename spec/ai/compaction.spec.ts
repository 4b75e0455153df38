/** Compaction: what goes, what stays, and that all of it comes back. */
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectAi } from '../../lib/ai/client.ts';
import { compact, rebuild } from '../../lib/ai/compact.ts';
import { compactionPlan, footprint, PINNED, SUMMARY_PROMPT } from '../../lib/ai/compaction.ts';
import type { Message, Role } from '../../lib/ai/wire.ts';
import { CONTRACT, type Anything } from '../support/ai/foreign-client.ts';
import { ServiceHome } from '../support/ai/service.ts';
import { PLAIN } from '../support/ai/scripted.ts';

const test = suite('compaction');

const call = (id: string): Message => ({
  role: 'ROLE_ASSISTANT',
  blocks: [{ tool_call: { id, name: 't' } }],
});
const result = (id: string): Message => ({
  role: 'ROLE_TOOL',
  blocks: [{ tool_result: { tool_call_id: id, content: 'r'.repeat(40) } }],
});
const says = (role: Role, text: string, labels = {}): Message => ({ role, labels, blocks: [{ text }] });

/** Conversations as they are: turns of a person, answers, calls with their results. */
const conversations = fc
  .array(fc.record({ size: fc.nat(400), calls: fc.nat(3), isPinned: fc.boolean() }), { maxLength: 12 })
  .map(turns => [
    says('ROLE_SYSTEM', 'be brief'),
    ...turns.flatMap(({ size, calls, isPinned }, turn) => [
      says('ROLE_USER', 'q'.repeat(size), isPinned ? { [PINNED]: 'true' } : {}),
      ...Array.from({ length: calls }, (_, at) => [call(`${turn}-${at}`), result(`${turn}-${at}`)]).flat(),
      says('ROLE_ASSISTANT', 'a'.repeat(size)),
    ]),
  ]);

test('prompts, pins and the last turn stay, and no call is parted from its result', () => {
  fc.assert(
    fc.property(conversations, fc.nat(2000), (messages, budget) => {
      const plan = compactionPlan(messages, budget);
      if (!plan) return;
      const stays = messages.filter(message => !plan.older.includes(message));
      const ids = (of: readonly Message[], pick: (block: Anything) => string | undefined): string[] =>
        of.flatMap(({ blocks = [] }) => blocks.map(pick)).filter(id => id !== undefined);
      assert.equal(
        ids(stays, block => block.tool_call?.id),
        ids(stays, block => block.tool_result?.tool_call_id),
      );
      const last = messages.findLastIndex(({ role }) => role === 'ROLE_USER');
      assert.equal(stays.slice(-(messages.length - last)), messages.slice(last));
      assert.ok(plan.older.every(({ role, labels = {} }) => role !== 'ROLE_SYSTEM' && !(PINNED in labels)));
    }),
  );
});

test('a chat within its budget is left alone', () => {
  fc.assert(
    fc.property(conversations, messages =>
      assert.is(compactionPlan(messages, footprint(messages)), undefined),
    ),
  );
});

test('a compacted chat is told in a summary, whole in the list, and whole to models once it is rebuilt', async () => {
  const home = await new ServiceHome().start();
  const client = connectAi({ contract: CONTRACT, baseUrl: home.address });
  const chat = 'organizations/o/users/u/chats/c';
  const ask = (text: string, more: Message[] = []) =>
    home.stream({ parent: chat, model: PLAIN.name, messages: [...more, says('ROLE_USER', text)] });
  home.provider.says('one').says('two').says('three').says('they spoke').says('four').says('five');
  await ask('a', [says('ROLE_SYSTEM', 'be brief')]);
  await ask('b');
  await ask('c');
  const options = { client, chat, model: PLAIN.name, budget: 100_000 };
  assert.is(await compact(options), undefined, 'it is within its budget');
  const done = await compact({ ...options, isForced: true });
  assert.is(done?.messages, 4);
  const [, , , summary] = home.provider.requests;
  assert.is(summary!.system, SUMMARY_PROMPT);
  assert.match((summary!.messages[0]!.parts[0] as Anything).text, /^user: a\n\nassistant: one\n\nuser: b/);
  await ask('d');
  const told = (at: number): [string, string[]] => {
    const { system, messages } = home.provider.requests[at]!;
    return [system, messages.map(({ parts }) => (parts[0] as Anything).text)];
  };
  assert.equal(told(4), [
    'be brief\n\nSummary of the conversation before what follows:\n\nthey spoke',
    ['c', 'three', 'd'],
  ]);
  const { messages } = await home.call('ListMessages', { parent: chat });
  assert.is(messages.length, 10, 'all of it is there to be read');
  assert.is(await rebuild(client, chat), 4);
  await ask('e');
  assert.equal(told(5), ['be brief', ['a', 'one', 'b', 'two', 'c', 'three', 'd', 'four', 'e']]);
  const { chats } = await home.call('ListChats', { parent: 'organizations/o/users/u' });
  assert.is(chats.length, 1, 'nobody sees where the summary was made');
  client.close();
  await home.end();
});

test.run();
