import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isHostAllowed } from '../../lib/sandbox/hosts.ts';

const test = suite('hosts');
const allow = ['example.com', '*.wild.org', 'port.net:8080', '[::1]:80', '10.0.0.1'];

for (const [host, port, allowed] of [
  ['example.com', 443, true],
  ['EXAMPLE.com.', 80, true],
  ['example.com', 22, false],
  ['a.example.com', 443, false],
  ['notexample.com', 443, false],
  ['example.com.evil.org', 443, false],
  ['a.wild.org', 443, true],
  ['a.b.wild.org', 443, true],
  ['wild.org', 443, false],
  ['evilwild.org', 443, false],
  ['.wild.org', 443, false],
  ['port.net', 8080, true],
  ['port.net', 443, false],
  ['[::1]', 80, true],
  ['::1', 80, true],
  ['10.0.0.1', 443, true],
  ['10.0.0.10', 443, false],
  ['', 443, false],
] as const)
  test(`${host || 'no host'}:${port} is ${allowed ? 'allowed' : 'refused'}`, () => {
    assert.is(isHostAllowed({ allow }, host, port), allowed);
  });

test('open lets all through, none nothing, and an empty list nothing', () => {
  assert.is(isHostAllowed('open', 'x', 1), true);
  assert.is(isHostAllowed('none', 'x', 443), false);
  assert.is(isHostAllowed({ allow: [] }, 'x', 443), false);
});

test.run();
