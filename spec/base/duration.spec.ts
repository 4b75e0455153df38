import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatDuration, formatSize, parseDuration, parseSize } from '../../lib/base/duration.ts';
import { CodedError } from '../../lib/base/errors.ts';

const test = suite('duration');

/** The message of the CodedError that `fn` throws. */
function complaint(fn: () => unknown): string {
  try {
    fn();
  } catch (error) {
    assert.instance(error, CodedError);
    return (error as CodedError).message;
  }
  return 'nothing was thrown';
}

test('durations are read in their units and added up', () => {
  assert.is(parseDuration('30s'), 30_000);
  assert.is(parseDuration('7d12h'), 648_000_000);
  assert.is(parseDuration('1h30m'), 5_400_000);
  assert.is(parseDuration('250ms'), 250);
  assert.is(parseDuration('1m5ms'), 60_005);
});

test('zero needs no unit, as text or as number', () => {
  assert.is(parseDuration(0), 0);
  assert.is(parseDuration('0'), 0);
  assert.is(parseDuration('0s'), 0);
  assert.is(parseSize(0), 0);
});

test('a wrong duration says what is wrong with it', () => {
  assert.match(
    complaint(() => parseDuration('30')),
    /duration '30': the unit is missing/,
  );
  assert.match(
    complaint(() => parseDuration(30)),
    /the unit is missing/,
  );
  assert.match(
    complaint(() => parseDuration('3x')),
    /unknown unit 'x' \(known: d h m s ms\)/,
  );
  assert.match(
    complaint(() => parseDuration('5m2h')),
    /'h' stands after a unit that is no larger/,
  );
  assert.match(
    complaint(() => parseDuration('5m5m')),
    /'m' stands after/,
  );
  assert.match(
    complaint(() => parseDuration('-5m')),
    /negative/,
  );
  assert.match(
    complaint(() => parseDuration('1.5h')),
    /fractions/,
  );
  assert.match(
    complaint(() => parseDuration('soon')),
    /not a number followed by a unit/,
  );
  assert.match(
    complaint(() => parseDuration('')),
    /empty/,
  );
  assert.match(
    complaint(() => parseDuration('99999999d')),
    /hundred years/,
  );
  assert.match(
    complaint(() => parseDuration('9'.repeat(400) + 's')),
    /too large/,
  );
});

test('sizes tell KB from KiB and do not mind case', () => {
  assert.is(parseSize('16KiB'), 16_384);
  assert.is(parseSize('256MB'), 256_000_000);
  assert.is(parseSize('16kib'), 16_384);
  assert.is(parseSize('1GiB'), 1_073_741_824);
  assert.is(parseSize('12B'), 12);
});

test('a wrong size says what is wrong with it', () => {
  assert.match(
    complaint(() => parseSize('256')),
    /size '256': the unit is missing/,
  );
  assert.match(
    complaint(() => parseSize('3XB')),
    /unknown unit 'XB' \(known: B KB KiB/,
  );
  assert.match(
    complaint(() => parseSize('1MB2KB')),
    /more than one part/,
  );
  assert.match(
    complaint(() => parseSize('9999999TB')),
    /too large/,
  );
});

test('a hostile text is refused on one short line and at once', () => {
  const message = complaint(() => parseDuration('1a'.repeat(50_000) + '\u001b]0;x\u0007'));
  assert.ok(message.length < 120);
  assert.not.match(message, /\u001b/);
});

test('what format writes, parse reads back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3_000_000_000_000 }), n => parseDuration(formatDuration(n)) === n),
  );
  fc.assert(fc.property(fc.maxSafeNat(), n => parseSize(formatSize(n)) === n));
  assert.is(formatDuration(648_000_000), '7d12h');
  assert.is(formatSize(256_000_000), '256MB');
  assert.is(formatSize(16_384), '16KiB');
});

test.run();
