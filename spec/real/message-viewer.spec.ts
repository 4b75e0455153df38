/**
 * Messages and documents on the screen, with real sessions that write.
 */
// spec-timeout: 300
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ctrl, ENTER, ESCAPE, prefix } from '../support/keys.ts';
import { MuxHome, startMux } from '../support/mux.ts';
import type { OuterTerminal } from '../support/outer-terminal.ts';
import { until } from '../support/until.ts';
import { Voice } from '../support/voice.ts';

const test = suite('message viewer');
const home = new MuxHome();
test.after(() => home.end());
let mux: OuterTerminal;
let api: Voice;
let docs: Voice;

const bodies = (text: string): string[] =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line).body);
async function closed(): Promise<void> {
  await mux.waitFor(
    'the panes alone',
    t => !/^ (Sessions|Messages|Answer|Write|Documents|Changes)/m.test(t.text()),
  );
}

test('what sessions write is marked in the top row, in the sidebar and among the sessions', async () => {
  ({ mux } = await startMux({ home, cols: 120, rows: 30 }));
  for (const name of ['api', 'docs'])
    await home.ok('new', '--background', '--label', 'team=db', name, 'exec cat');
  [api, docs] = [await Voice.of(home, 'api'), await Voice.of(home, 'docs')];
  await api.ok('msg', 'send', 'human', 'the lock is moved');
  await api.ok('msg', 'send', 'docs', 'describe the lock');
  await mux.waitFor('the mark of the inbox', t => / @1 /.test(t.screen()[0]!));
  await mux.waitFor('the mark in the sidebar', /docs +@1/);
  mux.type(prefix('w'));
  await mux.waitFor(
    'the mark among the sessions',
    t => /\[all 3\]/.test(t.text()) && /docs +exec +@1/.test(t.text()),
  );
  mux.type(ESCAPE);
  await closed();
});

test('the viewer shows them, follows, and marks as read what was shown in the own inbox alone', async () => {
  mux.type(prefix('m'));
  await mux.waitFor('the message', /the lock is moved/);
  await docs.ok('msg', 'send', 'human', 'described as well');
  await mux.waitFor('the next one, live', /described as well/);
  assert.is(
    bodies(await home.ok('--json', 'msg', 'inbox')).length,
    2,
    'looked at from the list it is not read',
  );
  mux.type(ENTER);
  await until('they are read', async () => (await home.ok('--json', 'msg', 'inbox')) === '');
  assert.is(bodies(await docs.ok('--json', 'msg', 'inbox')).length, 1, 'mail of others stays as it is');
});

test('a reply arrives in the inbox of who is answered, in its thread', async () => {
  mux.type('r');
  await mux.waitFor('the composer', /^ Answer/m);
  mux.type(`first line${ENTER}second line`);
  await mux.waitFor('the text', /second line/);
  mux.type(ctrl('s'));
  await until('the answer', async () => bodies(await docs.ok('--json', 'msg', 'inbox')).length === 2);
  const lines = (await docs.ok('--json', 'msg', 'inbox')).split('\n');
  const answer = JSON.parse(lines[1]!);
  assert.is(answer.body, 'first line\nsecond line');
  assert.is(answer.sender_name, 'human');
  assert.ok(answer.thread_id && answer.reply_to === answer.thread_id);
  await mux.waitFor('it among the messages', /you → docs/);
});

test('one message goes to each of a label, after their number was said', async () => {
  mux.type(ESCAPE);
  await closed();
  mux.type(prefix('M'));
  await mux.waitFor('the receivers', /^ Write a message/m);
  mux.type('team');
  await mux.waitFor('the label', /▸ +team=db \(2\)/);
  mux.type(`${ENTER}stop at six`);
  await mux.waitFor('the text', /stop at six/);
  mux.type(ctrl('s'));
  await mux.waitFor('the question', /Send 2 messages, one to each\?/);
  mux.type('y');
  for (const voice of [api, docs])
    await until('their mail', async () =>
      bodies(await voice.ok('--json', 'msg', 'inbox')).includes('stop at six'),
    );
  await closed();
});

test('a draft survives closing, the hang-up of the terminal, and SIGKILL of the server', async () => {
  mux.type(prefix('M'));
  await mux.waitFor('the receivers', /^ Write a message/m);
  mux.type('api');
  await mux.waitFor('the one', /▸ +api/);
  mux.type(`${ENTER}before the fall${ENTER}and after`);
  await mux.waitFor('the text', /and after/);
  mux.type(ESCAPE);
  await mux.waitFor('that it is kept', /Kept as a draft/);
  mux.type(prefix('M'));
  await mux.waitFor('it again', /before the fall/);
  mux.kill('SIGHUP');
  mux = home.start({ cols: 100, rows: 30 });
  await mux.waitFor('the screen', /C-b \?/);
  mux.type(prefix('M'));
  await mux.waitFor('it again', /before the fall/);
  mux.type(' all');
  const file = join(home.dir, 'data/default/drafts.json');
  await until('the file', () => existsSync(file) && /and after all/.test(readFileSync(file, 'utf8')));
  process.kill(await home.serverPid(), 'SIGKILL');
  await mux.waitFor('the end, or another server', t => !/before the fall/.test(t.text()));
  mux = home.start({ cols: 100, rows: 30 });
  await mux.waitFor('the screen', /C-b \?/);
  mux.type(prefix('m'));
  await mux.waitFor('it among the messages', /api: before the fall/);
  mux.type(`jj${ENTER}`);
  await mux.waitFor('all of it', t => /before the fall/.test(t.text()) && /and after all/.test(t.text()));
  mux.type(ctrl('s'));
  await until('it is sent', async () => /before the fall/.test(await home.ok('msg', 'conversation', 'api')));
  await until('it is no draft', () => !/before the fall/.test(readFileSync(file, 'utf8')));
});

test('documents are listed as they are stored, previewed, and have a history', async () => {
  mux.type(ESCAPE);
  await closed();
  await home.ok('store', 'put', '--shared', 'plans/next.md', '# Plan\n\n*first* thoughts');
  mux.type(prefix('D'));
  await mux.waitFor('the document', /plans\/next\.md +shared/);
  await mux.waitFor('its text, drawn', /first thoughts/);
  await home.ok('store', 'put', '--shared', 'plans/next.md', '# Plan\n\nsecond thoughts');
  await mux.waitFor('its new text', /second thoughts/);
  mux.type('h');
  await mux.waitFor('both changes', /Changes of plans\/next\.md/);
  await mux.waitFor('the newest', /second thoughts/);
  mux.type('j');
  await mux.waitFor('what it was', /first thoughts/);
  mux.type(ESCAPE);
  await mux.waitFor('the documents', /^ Documents/m);
});

test.run();
