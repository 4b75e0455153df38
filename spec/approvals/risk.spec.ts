import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { riskOf } from '../../lib/approvals/risk.ts';

const test = suite('the risk of what agents ask');

const tier = (tool: string, command: string, diff: string | null = null): string =>
  riskOf({ tool, command, diff }, []).tier;

test('shell has the tier of its line, whatever the agent calls its tool', () => {
  for (const tool of ['Bash', 'shell', 'run_shell_command']) {
    assert.is(tier(tool, 'ls'), 'passthrough');
    assert.is(tier(tool, 'env rm -rf b'), 'destructive');
  }
});

test('what stands beside a line makes it elevated at least', () => {
  assert.is(tier('Bash', '{"command":"ls","dangerouslyDisableSandbox":true}'), 'elevated');
  assert.is(tier('Bash', '{"command":"rm -rf b","host":"x"}'), 'destructive');
});

test('a file that is written has the tier of its path', () => {
  assert.is(tier('Edit', '/w/src/a.ts', '--- a'), 'write');
  assert.is(tier('Write', '/home/me/.bashrc', '--- a'), 'elevated');
  assert.is(tier('Write', '/etc/hosts', '--- a'), 'destructive');
});

test('what reads is read, and what is not known writes', () => {
  assert.is(tier('Read', '/w/a'), 'read');
  assert.is(tier('mcp__x__y', '{}'), 'write');
});

test('no rule allows a line with more beside it', () => {
  const layers = [
    { name: 'user', mayAllow: true, rules: [{ tool: '*', argv: ['ls'], mode: 'allow' as const }] },
  ];
  assert.is(riskOf({ tool: 'Bash', command: 'ls', diff: null }, layers).verdict, undefined);
  const touch = [
    { name: 'user', mayAllow: true, rules: [{ tool: '*', argv: ['touch'], mode: 'allow' as const }] },
  ];
  assert.is(riskOf({ tool: 'Bash', command: 'touch a', diff: null }, touch).verdict?.type, 'allow');
  const more = '{"command":"touch a","host":"x"}';
  assert.is(riskOf({ tool: 'Bash', command: more, diff: null }, touch).verdict, undefined);
});

test.run();
