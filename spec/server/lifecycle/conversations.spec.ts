/**
 * Whether there is a conversation to go on with.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BUILTIN_AGENTS } from '../../../lib/config/agents.ts';
import { hasConversation } from '../../../lib/server/lifecycle/conversations.ts';
import { tempDir } from '../../support/temp.ts';

const test = suite('conversations');
const launch = { argv: ['claude'], cwd: '/', env: {} };
const { claude, codex } = BUILTIN_AGENTS;

test('a first start that died before anything was said leaves no conversation to go on with', async () => {
  const home = tempDir({
    '.claude/projects/-work/said.jsonl': '{}\n',
    '.claude/projects/-work/empty.jsonl': '',
  });
  const has = (conversationId: string): Promise<boolean> =>
    hasConversation({ conversationId, launch }, claude, home);
  assert.equal([await has('said'), await has('empty'), await has('never')], [true, false, false]);
});

test('where nobody can tell, the agent is asked', async () => {
  const never = { conversationId: 'never', launch };
  assert.ok(await hasConversation(never, claude, tempDir()));
  assert.ok(await hasConversation(never, codex, tempDir({ '.claude/projects/x': '' })));
  assert.ok(await hasConversation({ ...never, conversationId: '../x' }, claude, tempDir()));
});

test.run();
