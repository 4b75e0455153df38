/**
 * History packed beside the emulator against the scrollback of the emulator's own library: the same lines, whatever
 * was printed and however the screen was resized.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import type { CellLine } from '../../../lib/term/cell.ts';
import { CELL_WORDS, CONTENT, FG } from '../../../lib/term/cell.ts';
import { Emulator } from '../../../lib/term/emulator.ts';
import { readLogicalLine } from '../../../lib/term/logical-lines.ts';
import { widthProvider } from '../../../lib/term/widths.ts';

const test = suite('history beside plain scrollback');

/** The library alone, parsing at once. */
class Plain {
  readonly terminal: xterm.Terminal;

  constructor(cols: number, rows: number) {
    this.terminal = new xterm.Terminal({
      cols,
      rows,
      scrollback: 100_000,
      allowProposedApi: true,
      logLevel: 'off',
    });
    this.terminal.unicode.register(widthProvider as never);
    this.terminal.unicode.activeVersion = widthProvider.version;
  }

  write(text: string): void {
    (this.terminal as unknown as { _core: { writeSync(text: string): void } })._core.writeSync(text);
  }

  /** Every row from the oldest: wrapped or not, and its cells. */
  rows(): string[] {
    const buffer = this.terminal.buffer.normal;
    return Array.from({ length: buffer.length }, (_, y) => {
      const line = buffer.getLine(y)!;
      let text = '';
      for (let x = 0; x < this.terminal.cols; x++) {
        const cell = line.getCell(x)!;
        if (cell.getWidth() === 0) continue;
        const style = `${cell.getFgColorMode()}.${cell.getFgColor()}.${cell.getBgColorMode()}.${cell.getBgColor()}.${cell.isBold() !== 0}.${cell.isUnderline() !== 0}`;
        text += describe(cell.getChars(), style);
      }
      return `${line.isWrapped ? '>' : '|'}${text.replace(/ +$/, '')}`;
    });
  }
}

const PLAIN = '0.-1.0.-1.false.false';
const describe = (chars: string, style: string): string =>
  (chars === '' ? ' ' : chars) + (style === PLAIN ? '' : `{${style}}`);

function cellsOf(line: CellLine, cols: number): string {
  let text = '';
  for (let x = 0; x < Math.min(cols, line.words.length / CELL_WORDS); x++) {
    const [content, fg, bg] = line.words.subarray(x * CELL_WORDS, x * CELL_WORDS + 3) as unknown as [
      number,
      number,
      number,
    ];
    if (content >>> CONTENT.widthShift === 0) continue;
    const codepoint = content & CONTENT.codepointMask;
    const chars =
      content & CONTENT.isCluster ? line.clusters[x]! : codepoint ? String.fromCodePoint(codepoint) : '';
    const color = (word: number): string => {
      const mode = word & 0x3000000;
      return `${mode}.${mode === 0 ? -1 : mode === 0x3000000 ? word & 0xffffff : word & 0xff}`;
    };
    const style = `${color(fg)}.${color(bg)}.${(fg & FG.bold) !== 0}.${(fg & FG.underline) !== 0}`;
    text += describe(chars, style);
  }
  return text;
}

function rowsOf(emulator: Emulator): string[] {
  const rows: string[] = [];
  for (let y = -emulator.historySize; y < emulator.rows; y++) {
    const line = emulator.line(y)!;
    rows.push(`${line.wrapped ? '>' : '|'}${cellsOf(line, emulator.cols).replace(/ +$/, '')}`);
  }
  return rows;
}

const WORDS = [
  'a',
  'plain words ',
  '漢字かな',
  'e\u0301',
  '👩‍👩‍👧',
  'x'.repeat(37),
  '\t',
  'ünïcödé',
  '│──┤',
  '🇩🇪',
];
const word = fc.constantFrom(...WORDS);
const style = fc.constantFrom(
  '\x1b[m',
  '\x1b[31m',
  '\x1b[1;44m',
  '\x1b[38;2;1;2;3m',
  '\x1b[4m',
  '\x1b[48;5;200m',
);
const end = fc.constantFrom(
  '\r\n',
  '\r\n',
  '\r\n',
  ' ',
  '\r',
  '\r\n\r\n',
  '\x1b[K',
  '\x1b[3C',
  '\x1b[2;5r\x1b[9H\n\x1b[r\x1b[99H',
);
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(word, fc.nat(12), end).map(([text, times, last]) => text.repeat(times) + last),
  },
  { weight: 1, arbitrary: style },
);
const stream = fc.array(piece, { minLength: 1, maxLength: 40 }).map(parts => parts.join(''));
const size = fc.record({ cols: fc.integer({ min: 2, max: 40 }), rows: fc.integer({ min: 1, max: 12 }) });

test('the same rows without a resize, in any chunking', () => {
  fc.assert(
    fc.property(size, stream, fc.array(fc.nat(400), { maxLength: 5 }), ({ cols, rows }, text, cuts) => {
      const emulator = new Emulator({ cols, rows, historyLines: 100_000 });
      const plain = new Plain(cols, rows);
      const bytes = Buffer.from(text);
      let from = 0;
      for (const cut of [...cuts.map(n => n % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
        emulator.write(bytes.subarray(from, cut));
        from = cut;
      }
      plain.write(text);
      assert.equal(rowsOf(emulator), plain.rows());
    }),
    { numRuns: 120 },
  );
});

/** What was printed, then the size the screen gets. */
const step = (text: fc.Arbitrary<string>): fc.Arbitrary<[string, { cols: number; rows: number }]> =>
  fc.tuple(text, size);

/** Both after each step of printing and resizing. */
function resized(
  { cols, rows }: { cols: number; rows: number },
  steps: readonly (readonly [string, { cols: number; rows: number }])[],
  compare: (emulator: Emulator, plain: Plain) => void,
): void {
  const emulator = new Emulator({ cols, rows, historyLines: 100_000 });
  const plain = new Plain(cols, rows);
  for (const [text, to] of steps) {
    // Colours behind the text of a line that is wrapped anew are kept by one and not by the other.
    const calm = text.replaceAll(/\x1b\[(1;44|48;5;200)m/g, '');
    emulator.write(Buffer.from(calm));
    plain.write(calm);
    emulator.resize(to.cols, to.rows);
    plain.terminal.resize(to.cols, to.rows);
    compare(emulator, plain);
  }
}

test('the same rows after any resizes', () => {
  const narrow = stream.map(text => text.replaceAll(/[漢字かな]|👩‍👩‍👧|🇩🇪/gu, 'w'));
  fc.assert(
    fc.property(size, fc.array(step(narrow), { minLength: 1, maxLength: 4 }), (from, steps) =>
      resized(from, steps, (emulator, plain) => assert.equal(rowsOf(emulator), plain.rows())),
    ),
    { numRuns: 120 },
  );
});

test('of wide characters none is lost by a resize', () => {
  // A line feed last: the line with the cursor is cut by the library itself, and is the program's to draw again.
  const wide = stream.map(text => `${text}\r\n`);
  const bare = (rows: readonly string[]): string => rows.join('').replaceAll(/[|> ]|\{[^}]*\}/g, '');
  fc.assert(
    fc.property(size, step(wide), size, (from, first, then) =>
      resized(from, [first, ['', then]], (emulator, plain) => {
        const [ours, its] = [bare(rowsOf(emulator)), bare(plain.rows())];
        // The library itself loses some where rows overlap while they are moved.
        if (ours.length <= its.length) assert.is(ours, its);
      }),
    ),
    {
      numRuns: 120,
      // Of three cells only two are filled.
      examples: [
        [
          { cols: 8, rows: 5 },
          [`${'漢字かな'.repeat(5)}\r\n${'👩‍👩‍👧'.repeat(11)}\r\n\r\n`, { cols: 3, rows: 1 }],
          { cols: 2, rows: 1 },
        ],
      ],
    },
  );
});

test('logical lines are those that the rows make, from everywhere and in both directions', () => {
  fc.assert(
    fc.property(size, stream, size, ({ cols, rows }, text, to) => {
      const emulator = new Emulator({ cols, rows, historyLines: 100_000 });
      emulator.write(Buffer.from(text));
      emulator.resize(to.cols, to.rows);
      const expected: string[] = [];
      for (let y = -emulator.historySize; y < emulator.rows;) {
        const line = readLogicalLine(emulator, y)!;
        expected.push(`${line.y}+${line.rows} ${line.text}`);
        y += line.rows;
      }
      const read = (y: number, step: 1 | -1): string[] =>
        Array.from(emulator.logicalLines(y, step), line => `${line.y}+${line.rows} ${line.text}`);
      assert.equal(read(-emulator.historySize, 1), expected);
      assert.equal(read(emulator.rows - 1, -1), expected.toReversed());
      assert.equal([...read(0, -1).toReversed(), ...read(0, 1).slice(1)], expected);
    }),
    { numRuns: 80 },
  );
});

test('anchors find their text again', () => {
  fc.assert(
    fc.property(size, fc.integer({ min: 30, max: 90 }), size, fc.nat(), ({ cols, rows }, count, to, pick) => {
      const emulator = new Emulator({ cols, rows, historyLines: 100_000 });
      const lines = Array.from({ length: count }, (_, n) => `<${n}>${'.'.repeat((n * 7) % 50)}`);
      emulator.write(Buffer.from(lines.join('\r\n')));
      const all = [...emulator.logicalLines(-emulator.historySize, 1)];
      // The line with the cursor is the program's own to wrap.
      const line = all[pick % (all.length - 1)]!;
      const anchor = emulator.anchor(line.y, 0);
      emulator.resize(to.cols, to.rows);
      emulator.write(Buffer.from('\r\nmore\r\n'));
      const place = emulator.locate(anchor)!;
      assert.is(readLogicalLine(emulator, place.y)!.text, line.text);
    }),
    { numRuns: 80 },
  );
});

test.run();
