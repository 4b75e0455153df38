import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { classify } from '../../lib/permissions/classify.ts';
import { cpuMs } from '../support/cpu.ts';

const test = suite('nesting');

test('openers without end are not understood, in time, and nothing is thrown', () => {
  for (const opener of [
    '$((',
    '$(',
    '${',
    '<(',
    '`',
    '"$(',
    '"`',
    '{ ',
    '((',
    '(',
    'a=(',
    '$(($(',
    '[[ ( ',
    '"${a:-',
  ])
    for (const count of [90, 400, 6000]) {
      const before = cpuMs();
      const { tier } = classify(`ls ${opener.repeat(count)}`);
      const ms = cpuMs() - before;
      assert.ok(ms < 3000, `${opener} ${count}: ${ms} ms`);
      assert.type(tier, 'string', opener);
    }
});

test('what is nested deeper than is looked into is elevated at least, whatever it says', () => {
  const deep = (inner: string): string => 'echo ' + '$(echo '.repeat(150) + inner + ')'.repeat(150);
  assert.is(classify(deep('ls')).tier, 'elevated');
  assert.is(classify(deep('rm -rf x')).tier, 'destructive');
});

test.run();
