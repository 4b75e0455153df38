import { existsSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { referee } from '../support/shell-referee.ts';

const test = suite('the classifier and bash');

/** A few seconds; `npm run fuzz` goes on. */
const CASES = 400;
const canRun = existsSync('/usr/bin/timeout') && existsSync('/bin/bash');

if (canRun)
  test('no script that calls rm is taken for one that changes nothing', () => {
    const seed = 1 + Math.floor(Math.random() * 0x3fff_ffff);
    const { scripts, ran, missed } = referee(seed, CASES);
    assert.is(missed, undefined, `seed ${seed}`);
    // Or nothing was tried.
    assert.ok(ran > scripts / 50, `${ran} of ${scripts}`);
  });
else console.log('skipped: the referee needs /bin/bash and /usr/bin/timeout');

test.run();
