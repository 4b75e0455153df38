import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerText, asksPerson } from '../../lib/approvals/answers.ts';
import { passageDiff } from '../../lib/approvals/diff.ts';
import { wishOf } from '../../lib/approvals/wish.ts';

const test = suite('what agents ask');

const numbered = (...lines: number[]): string => lines.map(n => `line ${n}\n`).join('');

test('a command is taken word by word', () => {
  const command = 'rm -rf "$(pwd)"\n\u202e#';
  assert.equal(wishOf({ tool_name: 'Bash', tool_input: { command } }), { tool: 'Bash', command, diff: null });
});

test('what stands beside a command and changes what it does is seen', () => {
  const wish = (tool: string, input: object): string | undefined =>
    wishOf({ tool_name: tool, tool_input: input })?.command;
  assert.is(wish('Bash', { command: 'ls', description: 'List', timeout: 5000 }), 'ls');
  assert.is(
    wish('Bash', { command: 'ls', dangerouslyDisableSandbox: true }),
    '{"command":"ls","dangerouslyDisableSandbox":true}',
  );
  assert.is(
    wish('mcp__ssh__run', { host: 'production', command: 'ls' }),
    '{"host":"production","command":"ls"}',
  );
  assert.is(wish('Edit', { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true }), '/a');
});

test('an edit shows what it changes, with three lines around', () => {
  const before = numbered(1, 2, 3, 4, 5, 6, 7, 8, 9);
  const after = before.replace('line 5', 'five');
  const diff = [
    '--- a/w/x.txt',
    '+++ b/w/x.txt',
    '@@ -2,7 +2,7 @@',
    ' line 2\n line 3\n line 4\n-line 5\n+five\n line 6\n line 7\n line 8',
  ].join('\n');
  const input = { file_path: '/w/x.txt', old_string: before, new_string: after };
  assert.is(wishOf({ tool_name: 'Edit', tool_input: input })?.diff, diff);
});

test('a file that is written is all new; several edits are several hunks', () => {
  const written = wishOf({ tool_name: 'Write', tool_input: { file_path: 'a', content: 'x\ny\n' } });
  assert.is(written?.diff, '--- a/a\n+++ b/a\n@@ -0,0 +1,2 @@\n+x\n+y');
  const edits = [
    { old_string: 'a', new_string: 'b' },
    { old_string: 'c', new_string: '' },
  ];
  const several = wishOf({ tool_name: 'MultiEdit', tool_input: { file_path: 'a', edits } });
  assert.is(several?.diff, '--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-a\n+b\n@@ -1,1 +0,0 @@\n-c');
});

test('a diff that is too long says so', () => {
  const text = passageDiff('a', [{ before: '', after: 'x'.repeat(300_000) }])!;
  assert.match(text.slice(-60), /\\ \d+ more characters are not shown$/);
});

test('what nobody could judge is left to the agent', () => {
  for (const payload of [
    {},
    { tool_name: 5 },
    { tool_name: 'Bash', tool_input: { command: 'x'.repeat(70_000) } },
    { tool_name: 'AskUserQuestion', tool_input: { questions: [] } },
  ])
    assert.is(wishOf(payload), undefined);
  const odd = wishOf({ tool_name: 'mcp__x', tool_input: [1, { edits: 'no' }] });
  assert.equal(odd, { tool: 'mcp__x', command: '[1,{"edits":"no"}]', diff: null });
});

test('each event is answered in its own words', () => {
  const allow = { type: 'allow', always: false } as const;
  assert.is(
    answerText('PermissionRequest', allow),
    '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}',
  );
  assert.is(
    answerText('PreToolUse', { type: 'deny', reason: '' }),
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"denied by the person"}}',
  );
  assert.is(answerText('Stop', allow), undefined);
  assert.is(answerText('constructor', allow), undefined);
  assert.equal(['PermissionRequest', 'PreToolUse', 'toString'].map(asksPerson), [true, false, false]);
});

test.run();
