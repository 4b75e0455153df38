/**
 * Screens of the chat program as files to be read. UPDATE=1 rewrites them; look at the difference before keeping it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Size } from '../../lib/base/geometry.ts';
import { help } from '../../lib/mode/help.ts';
import { assistant, call, editCall, emptyApp, Scene, user } from '../support/chat/scene.ts';

const test = suite('chat goldens');
/** From dist/spec/chat to the sources. */
const GOLDEN = join(import.meta.dirname, '../../../spec/golden');
const SIZES: readonly Size[] = [
  { cols: 80, rows: 24 },
  { cols: 160, rows: 50 },
];

const ANSWER = [
  'The lock is taken **too late**, see `claim`:',
  '',
  '```ts',
  'const row = await db.one(sql, [berth]); // 日本',
  '```',
  '',
  '| step | ms |',
  '|------|---:|',
  '| read | 12 |',
  '',
  '- [x] the lock',
  '- [ ] the test',
].join('\n');

const MESSAGES = [
  {
    ...user('m0', '/src/berth.ts\n```\nconst a = 1;\n```'),
    labels: { 'sgpt.com/injected-file': 'true' },
    annotations: { 'sgpt.com/file-path': '/src/berth.ts' },
  },
  user('m1', 'Why do two requests get the same berth?'),
  {
    ...assistant('m2', ANSWER),
    blocks: [{ thought: 'Let me see.\nTwo of them?' }, { text: ANSWER }],
    model_usage: { input_token: { quantity: 7200 }, output_token: { quantity: 310 } },
    price: 0.0234,
  },
];

function read(size: Size): Scene {
  return new Scene(emptyApp(size, { title: 'Berths taken twice', effort: 'high' })).on({
    type: 'loaded',
    key: 0,
    messages: MESSAGES,
    isWhole: true,
  });
}

const GRAVE = call({
  args: { command: 'rm -rf build && git push --force origin main' },
  decision: {
    mode: 'ask',
    tier: 'destructive',
    wantsWord: true,
    opinions: [
      { part: 'rm -rf build', mode: 'ask', why: 'it is destructive: that is asked about each time' },
    ],
  },
});

const SCREENS: Readonly<Record<string, readonly [covers: string, make: (size: Size) => Scene]>> = {
  empty: ['a chat in which nothing was said', size => new Scene(emptyApp(size))],
  read: ['files, a question, a thought, Markdown, tokens, cost and context', read],
  streaming: [
    'an answer that comes, words that wait to be said, two tabs',
    size => {
      const scene = read(size);
      const { tab } = scene;
      scene.on({
        type: 'tab',
        tab: { ...tab, chat: 'organizations/o/users/u/chats/two', title: 'Another one', isUnread: true },
        isShown: false,
      });
      scene.hears(
        { type: 'state', state: 'streaming' },
        { type: 'text', index: 0, text: 'It goes on with half a sen' },
      );
      return scene.on({ type: 'queued', key: 0, queued: ['and add a test'] });
    },
  ],
  review: [
    'a change that needs a word, with its diff',
    size => read(size).hears({ type: 'state', state: 'waiting' }, { type: 'call', call: editCall() }),
  ],
  word: [
    'two calls, the first of which cannot be undone',
    size =>
      read(size)
        .hears({ type: 'call', call: GRAVE }, { type: 'call', call: call({ id: 'c2' }) })
        .press('y'),
  ],
  writing: [
    'a message of several lines, an attachment, what completes the last word',
    size =>
      read(size)
        .on({ type: 'paste', text: 'x\n'.repeat(40) })
        .types('See')
        .press('M-Enter')
        .types('@b')
        .on({
          type: 'suggestions',
          key: 0,
          query: 'b',
          entries: [
            { text: '@src/berth.ts', note: '' },
            { text: '@lib/base.ts', note: '' },
          ],
        }),
  ],
  selected: [
    'the timeline with a block of code selected',
    size => read(size).press('Escape', 'k').hears().press('j', ']', ']'),
  ],
  error: [
    'what went wrong, and a call that was refused',
    size =>
      read(size).hears(
        {
          type: 'call',
          call: call({
            state: 'done',
            outcome: { content: 'rejected by the person: not now', isError: true },
          }),
        },
        {
          type: 'end',
          end: {
            reason: 'failed',
            text: '',
            unanswered: 0,
            error: Object.assign(new Error('the provider is overloaded'), { hint: 'try again' }) as never,
          },
        },
      ),
  ],
  chats: [
    'the list of all chats',
    size =>
      read(size).on(
        {
          type: 'chats',
          chats: [
            { name: 'c/1', title: 'Berths taken twice', updated: 940_000, price: 0.0234, isFavourite: false },
            { name: 'c/2', title: 'The harbour master', updated: 0, price: 1.5, isFavourite: true },
          ],
        },
        { type: 'preview', chat: 'c/2', lines: [[{ text: 'Who is the harbour master?' }]] },
      ),
  ],
  keys: [
    'help made from the keys',
    size => {
      const scene = read(size);
      return scene.on({ type: 'overlay', overlay: { type: 'help', help: help(scene.keys.help()) } });
    },
  ],
};

for (const size of SIZES)
  for (const [name, [covers, make]] of Object.entries(SCREENS))
    test(`the ${name} screen looks as it did at ${size.cols}×${size.rows}: ${covers}`, () => {
      const text = `# ${covers}\n${make(size).dump()}`;
      const path = join(GOLDEN, `chat-${name}-${size.cols}x${size.rows}.txt`);
      if (process.env['UPDATE'] === '1') {
        mkdirSync(GOLDEN, { recursive: true });
        writeFileSync(path, text);
      }
      assert.fixture(text, readFileSync(path, 'utf8'));
    });

test.run();
