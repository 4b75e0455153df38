/**
 * An emulator that was saved and restored cannot be told from the one that was not.
 */
// spec-timeout: 400
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tryCheckpoints } from '../../support/checkpoint-property.ts';

const test = suite('a restored emulator');

/** Lives tried here: some seconds of them. `npm run fuzz` tries as many as one likes. */
const CASES = 2000;
/** The same at every run, so that a change is to blame for what fails. */
const SEED = 1;

test(`${CASES} programs at random go on as if nothing had been`, () => {
  const failure = tryCheckpoints(SEED, CASES);
  assert.is(failure, undefined, failure);
});

test.run();
