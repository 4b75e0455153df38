import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plain } from '../../lib/base/styled.ts';
import { mail, reduceMail, selectedMessage, type Mail, type MailEvent } from '../../lib/mode/mail.ts';
import type { MailMessage } from '../../lib/mode/mail-rows.ts';
import type { MailStream } from '../../lib/mode/mail-streams.ts';
import { mailLayout, mailScroll, seenMessages } from '../../lib/mode/mail-view.ts';

const test = suite('mode/mail');

const STREAMS: readonly MailStream[] = [
  { id: 'inbox:human', kind: 'person', name: 'Inbox', unread: 2, note: '' },
  { id: 'inbox:s1', kind: 'session', name: 'api', unread: 0, state: 'ready', note: '' },
  { id: 'topic:build', kind: 'topic', name: 'build', unread: 0, note: '4m' },
];

function message(id: string, change: Partial<MailMessage> = {}): MailMessage {
  return {
    id,
    seq: 1,
    stream: 'inbox:human',
    senderId: 's1',
    from: 'api',
    to: '',
    body: `text of ${id}`,
    at: 0,
    threadId: null,
    noReply: false,
    isOwn: false,
    isUnread: false,
    ...change,
  };
}

const run = (state: Mail, ...events: MailEvent[]): Mail =>
  events.reduce((s, event) => reduceMail(s, event).state, state);
const came = (...messages: MailMessage[]): MailEvent => ({
  type: 'messages',
  stream: 'inbox:human',
  messages,
});
const ids = (state: Mail): string[] => state.rows.map(row => `${' '.repeat(row.depth)}${row.message.id}`);
const START = mail(STREAMS);
const layout = (state: Mail): ReturnType<typeof mailLayout> =>
  mailLayout(state, { width: 30, age: () => 'now', cache: new Map() });

test('threads stand together, and the one that was written to last is at the end', () => {
  const state = run(
    START,
    came(message('a'), message('b'), message('c', { threadId: 'a' }), message('d', { threadId: 'b' })),
  );
  assert.equal(ids(state), ['a', ' c', 'b', ' d']);
  assert.equal(ids(run(state, came(message('a'), message('b'), message('c', { threadId: 'a' })))), [
    'b',
    'a',
    ' c',
  ]);
});

test('the newest is followed while it is selected; else the selection stays on its message', () => {
  const two = run(START, came(message('a'), message('b')), 'accept');
  assert.is(selectedMessage(run(two, came(message('a'), message('b'), message('c'))))?.id, 'c');
  const up = run(two, 'up');
  assert.is(selectedMessage(up)?.id, 'a');
  assert.is(selectedMessage(run(up, came(message('a'), message('b'), message('c'))))?.id, 'a');
  assert.is(selectedMessage(run(up, 'bottom', came(message('b'), message('c'))))?.id, 'c');
});

test('another stream asks for its messages, and shows none of the old; what comes late is dropped', () => {
  const full = run(START, came(message('a')));
  const { state, intents } = reduceMail(full, { type: 'select', index: 2 });
  assert.equal(intents, [{ type: 'load' }]);
  assert.equal(ids(state), []);
  assert.is(run(state, came(message('late'))).rows.length, 0);
  assert.is(selectedMessage(state), undefined);
});

test('up from the oldest asks for older ones, but not where all are there', () => {
  const many = Array.from({ length: 100 }, (_, n) => message(`m${n}`));
  const top = run(START, came(...many), 'accept', 'top');
  assert.equal(reduceMail(top, 'up').intents, [{ type: 'load' }]);
  assert.is(reduceMail(top, 'up').state.limit, 200);
  assert.equal(reduceMail(run(START, came(message('a')), 'accept'), 'up').intents, []);
});

test('a reply to what one has written oneself answers what that answered', () => {
  const own = message('b', { threadId: 'a', isOwn: true, senderId: 'human' });
  const [intent] = reduceMail(run(START, came(message('a'), own)), 'reply').intents;
  assert.equal(intent, { type: 'reply', message: message('a') });
  const [none] = reduceMail(run(START, came(message('x', { isOwn: true }))), 'reply').intents;
  assert.is(none?.type, 'tell');
});

test('Escape leaves the filter, then the messages, then the viewer', () => {
  const filtered = run(START, came(message('a'), message('b')), 'accept', 'filter', {
    type: 'text',
    text: 'of b',
  });
  assert.equal(ids(filtered), ['b']);
  const [first, second] = [run(filtered, 'accept', 'cancel'), run(filtered, 'accept', 'cancel', 'cancel')];
  assert.equal(ids(first), ['a', 'b']);
  assert.is(first.focus, 'messages');
  assert.is(second.focus, 'streams');
  assert.equal(reduceMail(second, 'cancel').intents, [{ type: 'cancel' }]);
});

test('a long message shows its beginning until it is unfolded; only what is in sight counts as seen', () => {
  const long = message('long', { body: Array.from({ length: 40 }, (_, n) => `line ${n}`).join('\n') });
  const state = run(START, came(message('a'), long, message('z')), 'accept', {
    type: 'extent',
    rows: 20,
    height: 6,
  });
  const folded = layout(state);
  assert.ok(folded.lines.some(line => /Enter shows all/.test(plain(line))));
  assert.equal(
    seenMessages(state, folded, mailScroll(state, folded)).map(({ id }) => id),
    ['z'],
  );
  const open = run(state, 'up', 'accept');
  assert.ok(layout(open).lines.some(line => /line 39/.test(plain(line))));
  const at = mailScroll(open, layout(open));
  assert.match(plain(layout(open).lines[at]!), /▸ api/, 'from its beginning');
  const further = run(open, 'preview-page-down');
  assert.is(mailScroll(further, layout(further)), at + 2);
});

test('what a body holds reaches the screen as text, in rows that fit', () => {
  const bad = message('bad', { body: `\x1b[2Jwipe\r\n${'漢'.repeat(40)} \u202eflip` });
  const { lines } = layout(run(START, came(bad)));
  const text = lines.map(plain).join('\n');
  assert.not.match(text, /[\x1b\u202e]/);
  assert.ok(lines.every(line => plain(line).length <= 30));
});

test.run();
