import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plain } from '../../lib/base/styled.ts';
import { headerParts } from '../../lib/chrome/header.ts';
import { lineWidth } from '../../lib/chrome/lines.ts';
import { pane } from './views.ts';

const test = suite('chrome/header');
const FULL = pane(1, {
  name: 'fix-login',
  agent: 'claude',
  git: '⎇ kim/fix +3',
  age: '4m',
  state: 'working',
});

/** Both ends as they stand on the border. */
function draw(width: number, change: Partial<typeof FULL> = {}): string {
  const { left, leftX, right, rightX } = headerParts({ ...FULL, ...change }, width);
  const end = leftX + lineWidth(left);
  return `${'─'.repeat(leftX)}${plain(left)}${'─'.repeat(rightX - end)}${plain(right)}${'─'.repeat(width - rightX - lineWidth(right))}`;
}

test('a wide header holds name, agent and branch at the left, state and age at the right', () => {
  assert.is(draw(48), '─ fix-login  claude  ⎇ kim/fix +3 ─────── ● 4m ─');
});

test('on narrower panes age, branch and agent go, then the name is cut, and the state stays', () => {
  assert.is(draw(40), '─ fix-login  claude  ⎇ kim/fix +3 ── ● ─');
  assert.is(draw(30), '─ fix-login  claude ─── ● 4m ─');
  assert.is(draw(20), '─ fix-login ─ ● 4m ─');
  assert.is(draw(14), '─ fix-log… ● ─');
  assert.is(draw(8), ' fix… ● ');
  assert.is(draw(3), ' ● ');
});

test('no width breaks it', () => {
  for (let width = 1; width < 60; width++) {
    for (const change of [{}, { name: '👩‍👩‍👧 港口' }, { name: '' }, { position: '[12/4000]' }]) {
      const { left, right, leftX, rightX } = headerParts({ ...FULL, ...change }, width);
      assert.ok(leftX + lineWidth(left) <= rightX && rightX + lineWidth(right) <= width, `${width}`);
    }
  }
});

test('the position while scrolling goes before the state, but not before the age', () => {
  assert.match(draw(36, { position: '[12/4000]' }), '[12/4000] ●');
  assert.not.match(draw(18, { position: '[12/4000]' }), '[12');
});

test.run();
