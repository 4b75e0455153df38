import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Hint } from '../../../lib/chrome/view.ts';
import { parseKey } from '../../../lib/input/keyname.ts';
import { bottomHints } from '../../../lib/server/client/hints.ts';
import type { SessionRecord } from '../../../lib/model/types.ts';
import { attach } from './attached.ts';

const test = suite('client/hints');
const told = (hints: readonly Hint[]): string[] => hints.map(({ key, text }) => `${key} ${text}`);

test('the prefix is said once, before the first of its keys', () => {
  const { services } = attach();
  const [first, second] = told(bottomHints(services, false, 'root'));
  assert.is(first, 'C-b ? help');
  assert.is(second, ': command');
});

test('while the prefix is held its keys stand alone, and there are more', () => {
  const { services } = attach();
  const hints = told(bottomHints(services, true, 'root'));
  assert.ok(hints.includes('% split right'));
  assert.ok(hints.includes('? help'));
  assert.not(hints.some(hint => hint.includes('C-b')));
});

test('hints follow what a person bound, and leave out what is bound to nothing', () => {
  const { services } = attach();
  services.keys.unbind('prefix', parseKey('?'));
  assert.is(told(bottomHints(services, false, 'root'))[0], 'C-b : command');
  services.keys.bind('prefix', parseKey('F1'), { command: 'show-help', note: '', repeat: false });
  assert.is(told(bottomHints(services, false, 'root'))[0], 'C-b F1 help');
});

test('every key that the built-in hints name is bound', () => {
  const { services } = attach();
  assert.is(bottomHints(services, true, 'root').length, 15);
  assert.is(bottomHints(services, false, 'root').length, 7);
  assert.is(bottomHints(services, false, 'copy-mode').length, 7);
  assert.is(bottomHints(services, false, 'copy-mode-vi').length, 7);
  assert.is(bottomHints(services, false, 'copy-mode-typing').length, 3);
  assert.is(bottomHints(services, false, 'sidebar').length, 5);
});

test('under a list, help or a question the row tells what keys do there, not what the prefix would', () => {
  const { services } = attach();
  const over = (type: 'picker' | 'help' | 'dialog'): string =>
    told(bottomHints(services, false, 'picker', type)).join(', ');
  assert.match(over('picker'), /^a-z narrow it down, Enter take, .*Escape close$/);
  assert.match(over('help'), /^a-z narrow it down, Down scroll, .*Escape close$/);
  assert.is(over('dialog'), 'y yes, n no');
  assert.not.match(over('picker') + over('help'), /C-b/);
});

test('a key that is the prefix is not offered for anything else', () => {
  const { services } = attach();
  const [first] = bottomHints(services, false, 'copy-mode-vi');
  assert.equal(first, { key: 'PPage', text: 'page up' });
});

test('a pane whose program has ended offers to close it or to run it again', () => {
  const { services } = attach();
  const session: SessionRecord = services.model.sessionOf(services.model.windows.focused!);
  session.exit = { code: 1, signal: 0 };
  assert.equal(told(bottomHints(services, false, 'root')), ['Enter close the pane', 'r run it again']);
  assert.ok(bottomHints(services, true, 'root').length > 2, 'the prefix works all the same');
});

test.run();
