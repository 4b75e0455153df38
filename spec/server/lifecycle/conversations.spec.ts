/**
 * Whether there is a conversation to go on with.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BUILTIN_AGENTS } from '../../../lib/config/agents.ts';
import { hasConversation, isAside } from '../../../lib/server/lifecycle/conversations.ts';
import { tempDir } from '../../support/temp.ts';

const test = suite('conversations');
const launch = { argv: ['claude'], cwd: '/', env: {} };
const { claude, codex, pi } = BUILTIN_AGENTS;

test('a first start that died before anything was said leaves no conversation to go on with', async () => {
  const home = tempDir({
    '.claude/projects/-work/said.jsonl': '{}\n',
    '.claude/projects/-work/empty.jsonl': '',
  });
  const has = (conversationId: string): Promise<boolean> =>
    hasConversation({ conversationId, launch }, claude, home);
  assert.equal([await has('said'), await has('empty'), await has('never')], [true, false, false]);
});

test('pi keeps a conversation once something was said in it', async () => {
  const home = tempDir({ '.pi/agent/sessions/--work--/2026-01-01T00-00-00Z_said.jsonl': '{}\n' });
  const has = (conversationId: string): Promise<boolean> =>
    hasConversation({ conversationId, launch: { ...launch, argv: ['pi'] } }, pi, home);
  assert.equal([await has('said'), await has('never')], [true, false]);
});

test('Codex’s talk with itself, for a title, is not taken for the session’s conversation', async () => {
  const kept = '01a22e62-7255-7e02-9e92-45c29692893b';
  const home = tempDir({ [`.codex/sessions/2026/11/30/rollout-2026-11-30T21-35-33-${kept}.jsonl`]: '{}\n' });
  const known = { conversationId: '', launch };
  assert.is(await isAside(known, kept, home), false);
  assert.is(await isAside(known, '01a22e62-86d8-7210-94a4-12e7de8809b6', home), true);
  assert.is(await isAside({ ...known, conversationId: 'x' }, 'x', home), false, 'what is known stays known');
  assert.is(await isAside(known, 'x', tempDir()), false, 'kept elsewhere: nobody can tell');
});

test('where nobody can tell, the agent is asked', async () => {
  const never = { conversationId: 'never', launch };
  assert.ok(await hasConversation(never, claude, tempDir()));
  assert.ok(await hasConversation(never, codex, tempDir({ '.claude/projects/x': '' })));
  assert.ok(await hasConversation({ ...never, conversationId: '../x' }, claude, tempDir()));
});

test.run();
