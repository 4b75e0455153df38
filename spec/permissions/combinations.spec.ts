import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { classify } from '../../lib/permissions/classify.ts';
import { TIERS } from '../../lib/permissions/tier.ts';
import { OWN_CORPUS, readCorpus } from '../support/shell-corpus.ts';
import { fill, PLACES, WRAPPERS } from '../support/shell-lines.ts';

const test = suite('commands in every place');

const DANGEROUS = [
  'rm -rf b',
  'git reset --hard',
  'dd if=/dev/zero of=/dev/sda',
  'find . -delete',
  'mkfs.ext4 /dev/sdb1',
  'shred x',
];
const HARMLESS = ['ls', 'cat f', 'grep -r x .'];
/** Wrappers that cost in themselves. */
const PRICED = /sudo|doas|chroot|systemd|docker|kubectl|git|npx|unshare|flock|exec|nohup/;

test('what destroys is destructive in every wrapper and every place', () => {
  const wrong = DANGEROUS.flatMap(danger =>
    WRAPPERS.flatMap(wrapper => PLACES.map(place => fill(place, fill(wrapper, danger)))),
  ).filter(line => classify(line).tier !== 'destructive');
  assert.equal(wrong, []);
});

test('a wrapper within a wrapper is looked through as well', () => {
  const chosen = fc.constantFrom(...WRAPPERS.slice(0, 32));
  const lines = fc.tuple(
    fc.constantFrom(...DANGEROUS),
    fc.array(chosen, { maxLength: 5 }),
    fc.constantFrom(...PLACES),
  );
  fc.assert(
    fc.property(lines, ([danger, wrappers, place]) => {
      const words = wrappers.reduce((inside, wrapper) => fill(wrapper, inside), danger);
      // A `;` of find ends at the first one, whoever it belongs to.
      fc.pre(!/\\;.*\\;|\{\} \+.*\{\} \+/.test(words));
      return classify(fill(place, words)).tier === 'destructive';
    }),
    { numRuns: 1500 },
  );
});

test('what only reads stays below elevated where nothing around it costs', () => {
  const wrong = HARMLESS.flatMap(harmless =>
    WRAPPERS.filter(wrapper => !PRICED.test(wrapper)).map(wrapper => fill(wrapper, harmless)),
  ).filter(line => TIERS.indexOf(classify(line).tier) > TIERS.indexOf('read'));
  assert.equal(wrong, []);
});

/** Lines that stay the same line with more around them. */
const PLAIN = readCorpus(OWN_CORPUS)
  .map(line => line.cmd)
  .filter(cmd => cmd !== '' && !/[\n#&]|<<|^!|^time /.test(cmd));

const SAME: readonly (readonly [string, (line: string) => string])[] = [
  ['blanks around it', line => `  ${line} \t`],
  ['a comment behind it', line => `${line} # and so on`],
  ['parentheses', line => `( ${line} )`],
  ['braces', line => `{ ${line}; }`],
  ['true before it', line => `true && ${line}`],
  ['a line before it', line => `:\n${line}\n`],
];

for (const [what, change] of SAME)
  test(`${what} changes no tier`, () => {
    const wrong = PLAIN.filter(line => classify(line).tier !== classify(change(line)).tier);
    assert.equal(wrong, []);
  });

test('two lines are worth what the more dangerous is', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PLAIN), fc.constantFrom(...PLAIN), (a, b) => {
      const at = (line: string): number => TIERS.indexOf(classify(line).tier);
      return at(`${a}; ${b}`) >= Math.max(at(a), at(b));
    }),
    { numRuns: 1000 },
  );
});

test('no text at all makes it throw, or take long', () => {
  const piece = fc.constantFrom(
    ...`rm|-rf|b|$(|)|"|'|\`|\${|}|{|<<E|\n|E|;|&&|\\||>|<(|[[|]]|((|))|case|esac|in|\\|#|$x| |\0|\u202e|=|a=`.split(
      '|',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), pieces => {
      classify(pieces.join(''));
    }),
    { numRuns: 2000 },
  );
  for (const piece of ['"$(', '((', '`', '{a,', '$(', '${x:-', 'a;', '<<E ', 'f(){ f|f& };']) {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    const started = performance.now();
    assert.ok(TIERS.indexOf(classify(text).tier) >= TIERS.indexOf('elevated'), piece);
    // 100 ms is what it may take; a machine that does other things may be ten times as slow.
    assert.ok(performance.now() - started < 1000, `${piece} takes too long`);
  }
});

test.run();
