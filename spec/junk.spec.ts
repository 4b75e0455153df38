/**
 * A little of the junk that `npm run fuzz` has much of.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JUNK, tryJunk } from './support/junk-fuzz.ts';

const test = suite('junk');

/** Some seconds for all of them. */
const COUNT = 150;

for (const name of Object.keys(JUNK))
  test(`${name}: whatever comes is read or refused, in time`, () => {
    assert.is(tryJunk(name, Number(process.env['SPEC_SEED'] ?? 1), COUNT), undefined);
  });

test.run();
