import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../lib/base/errors.ts';
import {
  expectation,
  formatOption,
  OPTION_NAMES,
  optionName,
  OPTIONS,
  parseOption,
} from '../../lib/options/table.ts';

const test = suite('option table');

test('every default is a value that may be written, and is read back', () => {
  for (const name of OPTION_NAMES)
    assert.equal(parseOption(name, formatOption(name, OPTIONS[name].default)), OPTIONS[name].default, name);
});

test('options stand in the order of their names, each with one line of text', () => {
  assert.equal([...OPTION_NAMES].sort(), [...OPTION_NAMES]);
  for (const name of OPTION_NAMES) assert.match(OPTIONS[name].text, /^[^\n]{5,90}$/);
});

test('values are checked against their row', () => {
  assert.is(parseOption('mouse', 'off'), false);
  assert.is(parseOption('mouse', 'yes'), true);
  assert.is(parseOption('escape-time', '10'), 10);
  assert.equal(parseOption('default-size', '120x36'), { cols: 120, rows: 36 });
  assert.throws(() => parseOption('mouse', 'maybe'), /mouse: expected on or off, found "maybe"/);
  assert.throws(() => parseOption('escape-time', '99999'), /expected a number from 0 to 5000 \(ms\)/);
  assert.throws(() => parseOption('escape-time', '-1'), /expected a number/);
  assert.throws(() => parseOption('default-size', '0x5'), /a size in cells/);
  assert.throws(() => parseOption('theme', 'a\u001b]0;x'), /without control characters/);
});

test('a wrong choice and a wrong name say what was meant', () => {
  const hint = (fn: () => unknown): string | undefined => {
    try {
      fn();
    } catch (error) {
      return (error as CodedError).hint;
    }
    return 'nothing was thrown';
  };
  assert.is(
    hint(() => parseOption('window-size', 'latst')),
    'did you mean latest?',
  );
  assert.is(
    hint(() => optionName('escape-tme')),
    'did you mean escape-time?',
  );
  assert.is(
    hint(() => optionName('banana')),
    'show-options lists them',
  );
  assert.throws(() => optionName('__proto__'), /no such option/);
});

test('no text makes parsing throw anything but a coded error', () => {
  fc.assert(
    fc.property(fc.constantFrom(...OPTION_NAMES), fc.string({ unit: 'binary' }), (name, text) => {
      try {
        formatOption(name, parseOption(name, text));
        return true;
      } catch (error) {
        return error instanceof CodedError;
      }
    }),
  );
  for (const name of OPTION_NAMES) assert.ok(expectation(OPTIONS[name]).length > 0);
});

test.run();
