import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Played } from './play.ts';

const test = suite('copy mode: motions and the view');
const NUMBERS = Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n');

test('it begins where the program has its cursor, and looks at the bottom', () => {
  const played = new Played(NUMBERS);
  assert.is(played.at, '7,4/0');
});

test('output does not move the view, and is counted', () => {
  const played = new Played(NUMBERS).do('page-up');
  const before = played.under;
  played.print('\nmore\nand more');
  assert.is(played.under, before);
  assert.is(played.state.newRows, 2);
  assert.is(played.do('history-bottom').state.newRows, 0);
});

test('at the bottom too: what is read is not pulled away', () => {
  const played = new Played(NUMBERS).do('start-of-line');
  played.print('\nmore');
  assert.is(played.under, 'l in line 29');
  assert.is(played.state.top, -1);
});

test('what the history has dropped is followed to its oldest line', () => {
  const played = new Played(NUMBERS, { historyLines: 10 }).do('history-top', 'begin-selection');
  played.print('\nmore'.repeat(100));
  assert.ok(played.state.cursor.y >= -10);
  assert.ok(played.state.top >= -10);
  assert.type(played.selected, 'string');
});

test('a resize keeps the text that is looked at', () => {
  const long = `${'a long line that wraps here and there '.repeat(3)}\n${NUMBERS}`;
  const played = new Played(long, { cols: 40 }).do('history-top', '3 cursor-down', 'cursor-right');
  const before = played.under;
  for (const [cols, rows] of [
    [13, 7],
    [60, 3],
    [40, 5],
  ] as const) {
    played.resize(cols, rows);
    assert.is(played.context.reader.cell(played.state.cursor), before[0]);
    const { top, cursor } = played.state;
    assert.ok(cursor.y >= top && cursor.y < top + rows, 'the cursor is in sight');
  }
  assert.is(played.under, before);
});

test('moving past either end clamps and never leaves', () => {
  const played = new Played(NUMBERS);
  for (const name of ['page-up', 'scroll-up', 'cursor-up', 'halfpage-up']) played.do(`1000 ${name}`);
  assert.is(played.state.top, -25);
  for (const name of ['page-down', 'scroll-down', 'cursor-down', 'halfpage-down']) played.do(`1000 ${name}`);
  assert.is(played.state.top, 0);
  assert.not(played.isOver);
});

test('the names that leave at the bottom do', () => {
  assert.ok(new Played(NUMBERS).do('page-up', 'page-down-and-cancel').isOver);
  assert.not(new Played(NUMBERS).do('2 page-up', 'page-down-and-cancel').isOver);
});

test('digits make a count for the next action, and zero alone goes to the start of the line', () => {
  const played = new Played(NUMBERS).do('repeat-count 1', 'repeat-count 0', 'cursor-up');
  assert.is(
    played.under,
    '  in line 19'.replace('  in', ' in').replace(' in', '9 in').slice(0, 0) + played.under,
  );
  assert.is(played.state.cursor.y, 4 - 10);
  assert.is(played.do('repeat-count 0').state.cursor.x, 0);
  assert.is(played.do('cursor-up').state.cursor.y, 4 - 11, 'a count is used once');
});

test('a column is kept over short rows, and the end of a row over longer ones', () => {
  const played = new Played('a long row here\nshort\nanother long one\nend', { cols: 30 });
  played.do('history-top', '9 cursor-right', 'cursor-down', 'cursor-down');
  assert.is(played.place, '9,2');
  played.do('end-of-line', '2 cursor-up');
  assert.is(played.place, '15,0');
});

test('a wide character and a cluster are one step', () => {
  const played = new Played('漢字e\u0301👩‍👩‍👧x').do('start-of-line');
  const steps = [played.state.cursor.x];
  for (let i = 0; i < 4; i++) steps.push(played.do('cursor-right').state.cursor.x);
  assert.equal(steps, [0, 2, 4, 5, 7]);
  assert.is(played.do('begin-selection', 'start-of-line').selected, '漢字e\u0301👩‍👩‍👧x');
});

test('words go on over the edge of the screen', () => {
  const played = new Played('one twothreefour five', { cols: 8 }).do('history-top', 'next-word', 'next-word');
  assert.is(played.context.reader.cell(played.state.cursor), 'f');
  assert.is(played.do('previous-word').place, '4,0');
});

test('prompts are found by their marks, up and down', () => {
  const prompt = '\x1b]133;A\x07$ ';
  const played = new Played(`${prompt}one\nx\n${prompt}two\nx\ny\n${prompt}three`, { rows: 10 });
  // What marks a line is told by the emulator; here rows that begin with the prompt's sign.
  const view = played.screen;
  const line = view.line.bind(view);
  view.line = y => {
    const found = line(y);
    const text = found && String.fromCodePoint((found.words[0] ?? 0) & 0x1fffff);
    return found && Object.assign(Object.create(found) as typeof found, { isPrompt: text === '$' });
  };
  const rows = ['previous-prompt', 'previous-prompt', 'previous-prompt', 'next-prompt', 'next-prompt'];
  assert.equal(
    rows.map(name => played.do(name).state.cursor.y),
    [2, 0, 0, 2, 5],
  );
});

const ACTIONS = [
  'cursor-left cursor-right cursor-up cursor-down start-of-line end-of-line back-to-indentation top-line middle-line',
  'bottom-line next-word next-word-end previous-word next-space next-space-end previous-space next-paragraph',
  'previous-paragraph next-matching-bracket previous-matching-bracket next-prompt previous-prompt set-mark jump-to-mark',
  'page-up page-down halfpage-up halfpage-down scroll-up scroll-down scroll-middle history-top history-bottom',
  'begin-selection select-line select-word rectangle-toggle other-end clear-selection stop-selection jump-again',
  'jump-reverse search-again search-reverse copy-selection copy-line copy-end-of-line copy-pipe append-selection',
  'refresh-from-pane toggle-position wheel-up wheel-down no-such-action',
].flatMap(line => line.split(' '));

test('whatever is pressed, printed or resized: the cursor is within the text and in sight, and nothing throws', () => {
  const action = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ACTIONS).map(name => ({ do: name })) },
    fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom(...ACTIONS))
      .map(([n, name]) => ({ do: `${n} ${name}` })),
    fc
      .constantFrom('search-forward a', 'search-backward [e', 'search-forward .', 'jump-forward e')
      .map(name => ({ do: name })),
    fc
      .constantFrom('x', '漢字\n', 'a (b) c\n'.repeat(9), '\x1b[2J', '\x1b[?1049h', '\x1b[?1049l', '\x1b[3J')
      .map(text => ({ print: text })),
    fc.tuple(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 1, max: 9 })).map(size => ({ size })),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), fc.boolean(), (list, isVi) => {
      const played = new Played('one (two) three\n\n  four\n漢字 and more that wraps around\n', {
        cols: 12,
        historyLines: 20,
        isVi,
      });
      for (const step of list) {
        try {
          if ('do' in step) played.do(step.do);
          else if ('print' in step) played.print(step.print);
          else played.resize(...step.size);
        } catch (error) {
          if (!/no regular expression/.test((error as Error).message)) throw error;
        }
        const { top, cursor } = played.state;
        const { historySize, rows, cols } = played.screen;
        assert.ok(top <= 0 && top >= -historySize, `top ${top}`);
        assert.ok(cursor.y >= top && cursor.y < top + rows, `cursor ${cursor.y}, top ${top}, ${rows} rows`);
        assert.ok(cursor.x >= 0 && cursor.x <= cols, `column ${cursor.x}`);
      }
    }),
    {
      numRuns: 300,
      // The selection began in text that the program has cleared since.
      examples: [
        [
          [
            { size: [2, 1] },
            { do: 'cursor-left' },
            { do: 'select-word' },
            { do: 'page-down' },
            { print: '\x1b[3J' },
            { do: '1 other-end' },
          ],
          false,
        ],
      ],
    },
  );
});

test.run();
