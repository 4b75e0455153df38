import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compilePattern, matchLines } from '../../../lib/mode/copy/pattern.ts';
import { copyPosition, matchStretches } from '../../../lib/mode/copy/view.ts';
import { Played } from './play.ts';

const test = suite('copy mode: searching');
const TEXT = Array.from({ length: 40 }, (_, i) => `row ${i} ${i % 10 === 0 ? 'needle' : 'hay'}`).join('\n');

test('the next match is gone to, counted, and shown with rows around it', () => {
  const played = new Played(TEXT).do('search-backward needle');
  assert.is(played.under, 'n in row 30 needle');
  assert.equal(played.state.search?.count, { index: 4, total: 4 });
  played.do('search-again');
  assert.is(played.under, 'n in row 20 needle');
  const { cursor, top } = played.state;
  assert.ok(cursor.y > top, 'not at the edge');
  assert.is(copyPosition(played.state, played.screen.historySize), '3/4 [16/35]');
});

test('a search goes round, unless the option says no', () => {
  assert.is(new Played(TEXT).do('search-forward needle').under, 'n in row 0 needle');
  const played = new Played(TEXT, { wraps: false }).do('search-forward needle');
  assert.is(played.state.search?.failure, 'no match');
  assert.is(copyPosition(played.state, 35), 'no match [0/35]');
});

test('counts go so many matches on, and reverse goes back', () => {
  const played = new Played(TEXT).do('search-backward needle', '2 search-again');
  assert.is(played.under, 'n in row 10 needle');
  assert.is(played.do('search-reverse').under, 'n in row 20 needle');
});

test('a regular expression is one, and a text is not', () => {
  assert.is(new Played(TEXT).do('search-backward row 1[23] ').under, 'r in row 13 hay');
  assert.is(new Played('a.c abc').do('start-of-line', 'search-forward-text a.c').place, '0,0');
  assert.is(new Played('a.c abc').do('start-of-line', 'search-forward a.c').place, '4,0');
  for (const text of ['^$.*+?()[]{}|\\/-', '漢-字', 'a-b'])
    assert.equal(matchLines(compilePattern(text, false), [`x${text}y`])[0]!.length, 1, text);
});

test('lower case finds both, an upper-case letter only itself', () => {
  assert.is(new Played('Needle needle').do('start-of-line', 'search-backward needle').place, '7,0');
  assert.is(new Played('needle Needle').do('start-of-line', 'search-forward Needle').place, '7,0');
});

test('a match over the edge of the screen is found and lit on both rows', () => {
  const played = new Played('some words here and there', { cols: 8 }).do('search-backward words');
  assert.is(played.place, '5,0');
  const lit = matchStretches(played.state, played.context, compilePattern('words', true), matchLines);
  assert.equal(lit, [
    { y: 0, x0: 5, x1: 8, as: 'current' },
    { y: 1, x0: 0, x1: 2, as: 'current' },
  ]);
});

test('all matches in sight are lit, the current one otherwise, wide characters whole', () => {
  const played = new Played('漢a漢\n漢').do('history-top', 'search-forward 漢');
  const lit = matchStretches(played.state, played.context, compilePattern('漢', true), matchLines)!;
  assert.equal(
    lit.map(({ y, x0, x1, as }) => [y, x0, x1, as]),
    [
      [0, 0, 2, 'match'],
      [0, 3, 5, 'current'],
      [1, 0, 2, 'match'],
    ],
  );
});

test('a bad regular expression is an error that names it, and changes nothing', () => {
  const played = new Played(TEXT);
  const before = played.state;
  assert.throws(
    () => played.do('search-forward a('),
    /search: 'a\(' is no regular expression: Unterminated group/,
  );
  assert.is(played.state, before);
});

test('while one types, the next match from where one began is shown; half a pattern is no mistake yet', () => {
  const played = new Played(TEXT).do('history-top');
  played.do('search-forward-incremental =n');
  assert.is(played.under, 'n in row 0 needle');
  played.do('search-forward-incremental =row 2');
  assert.is(played.under, 'r in row 2 hay');
  played.do('search-forward-incremental =row 2(');
  assert.is(played.place, '0,-35', 'back where it began');
  assert.is(played.state.search?.failure, 'not a pattern yet');
  assert.equal(played.messages, []);
  played.do('search-forward-incremental !row 2(');
  assert.match(played.messages[0]!, /no regular expression/);
});

test('given up, an incremental search leaves no trace; entered, it stays', () => {
  const played = new Played(TEXT).do('page-up');
  const before = played.at;
  played.do('search-backward-incremental =needle', 'search-backward-incremental ~needle');
  assert.is(played.at, before);
  assert.is(played.state.search, undefined);
  played.do('search-backward-incremental =needle', 'search-backward-incremental !needle', 'search-again');
  assert.is(played.under, 'n in row 20 needle');
});

test('Escape leaves one thing at a time: selection, matches, the mode', () => {
  const played = new Played(TEXT).do('search-backward needle', 'begin-selection', 'clear-or-cancel');
  assert.is(played.state.selection, undefined);
  assert.ok(played.state.search);
  assert.is(played.do('clear-or-cancel').state.search, undefined);
  assert.not(played.isOver);
  assert.ok(played.do('clear-or-cancel').isOver);
});

test('patterns that match nothing at all end', () => {
  for (const pattern of ['x*', '^', '$', '\\b', '(?:)'])
    assert.equal(matchLines(compilePattern(pattern, true), ['abc 👩‍👩‍👧', ''])[0], [], pattern);
});

test.run();
