import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runCommand } from '../../lib/cmd/registry.ts';
import type { SessionRecord } from '../../lib/model/types.ts';
import { program, type FakeTerminal } from '../model/fake.ts';
import { fakeContext, type FakeContext } from './context.ts';

const test = suite('cmd/io');

/** A window with one pane, and its program. */
function withPane(): FakeContext & { session: SessionRecord; pane: FakeTerminal } {
  const fake = fakeContext();
  const size = { cols: 80, rows: 24 };
  const session = fake.model.sessions.create(program(), size);
  fake.model.windows.create({ session: session.id, name: '', size, background: false });
  return Object.assign(fake, { session, pane: fake.terminal(session) });
}

test('send-keys -R sets the screen back before it types, and alone types nothing', async () => {
  const { context, pane } = withPane();
  await runCommand(context, ['send-keys', '-R', '-l', 'x']);
  await runCommand(context, ['send-keys', '-R']);
  assert.equal(pane.done, ['reset', 'x', 'reset']);
});

test('keys and captures reach a session that no pane shows', async () => {
  const fake = withPane();
  const hidden = fake.model.sessions.create(program({ name: 'hidden', durable: true }), {
    cols: 80,
    rows: 24,
  });
  await runCommand(fake.context, ['send-keys', '-t', 'hidden', '-l', 'yes']);
  assert.equal(fake.terminal(hidden).done, ['yes']);
  assert.equal(fake.pane.done, []);
  hidden.exit = { code: 0, signal: 0 };
  try {
    await runCommand(fake.context, ['send-keys', '-t', 'hidden', 'x']);
    assert.unreachable();
  } catch (error) {
    assert.match(String(error), /session hidden: its program has ended/);
    assert.is((error as { hint?: string }).hint, "start it again with 'mux restart hidden'");
  }
});

test('a pane without a screen is an error to capture, and nothing with -q', async () => {
  const { context, session } = withPane();
  session.terminal = undefined;
  await runCommand(context, ['capture-pane', '-q']);
  assert.is(context.buffers.all().length, 0);
  try {
    await runCommand(context, ['capture-pane']);
    assert.unreachable();
  } catch (error) {
    assert.match(String(error), /it has no screen/);
  }
});

test('set-buffer -w makes one buffer, and puts it on the clipboards', async () => {
  const { context, clipboards } = withPane();
  await runCommand(context, ['set-buffer', '-w', '-b', 'mine', 'text']);
  assert.equal(clipboards, ['text']);
  assert.equal(
    context.buffers.all().map(buffer => buffer.name),
    ['mine'],
  );
});

test('a number beyond all reason is told as such', async () => {
  const { context } = withPane();
  try {
    await runCommand(context, ['send-keys', '-N', '2000000', 'x']);
    assert.unreachable();
  } catch (error) {
    assert.match(String(error), /count 2000000 is more than 1000000/);
  }
});

test.run();
