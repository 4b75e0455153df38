import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { classify } from '../../lib/permissions/classify.ts';
import { foreignCorpus, judged, OWN_CORPUS, readCorpus } from '../support/shell-corpus.ts';

const test = suite('labelled lines of shell');

/** Needless questions that are bearable: people stop reading what asks too often. */
const OVER_MAX = 0.03;

function check(file: string): void {
  const lines = readCorpus(file);
  assert.ok(lines.length > 100, file);
  const below = lines.filter(line => judged(line, classify(line.cmd).tier) < 0).map(line => line.cmd);
  assert.equal(below, [], 'below its tier');
  const over = lines.filter(line => judged(line, classify(line.cmd).tier) > 0).map(line => line.cmd);
  assert.ok(over.length <= lines.length * OVER_MAX, `over: ${over.join('\n')}`);
}

test('no line is below its tier, and few are above', () => check(OWN_CORPUS));

const foreign = foreignCorpus();
if (foreign) test('nor are those of MUX_CORPUS', () => check(foreign));

test('every line says why, for a piece of it, the most dangerous first', () => {
  for (const { cmd } of readCorpus(OWN_CORPUS)) {
    const { tier, reasons } = classify(cmd);
    if (tier === 'passthrough') assert.equal(reasons, [], cmd);
    else assert.is(reasons[0]?.tier, tier, cmd);
    for (const { why, part } of reasons) assert.ok(why !== '' && part !== '', cmd);
  }
});

test.run();
