/**
 * What programs write, at random: text of every width, every sequence that draws, and noise (ECMA-48, ctlseqs).
 */
import fc from 'fast-check';

const CSI = '\x1b[';
const pick = fc.constantFrom<string[]>;

/**
 * Directional overrides, line separators and what else must not reach a terminal from inside a cell is shown as nothing by
 * mux, by intention (lib/frame/interner.ts), so no text here has it.
 */
const HARMFUL = /[\u2028-\u202e\u2066-\u2069\p{Cs}\p{Cc}]/u;

const CLUSTERS = [
  '漢', '字', 'ｗ', '한', '\u1112\u1161\u11ab', 'e\u0301', 'n\u0303', 'नि', 'กำ', 'ش', 'שׁ', '😀', '👍🏽', '👩‍👩‍👧', '🏳️‍🌈', '❤️', '❤', '☺︎',
  '⚙️', '1️⃣', '🇳🇴', '🇯🇵🇳', '🇯', '\u200d', '\u0301', '\ufe0f', '\u00a0', '\u00ad', '\u3000', '🫨', '─', '│', '█', '\ue0b0', '\u200b', 'ﷺ',
]; // prettier-ignore

const text = fc.oneof(
  fc.string({ unit: pick('a', 'b', ' ', '~', 'W', '9'), maxLength: 24 }),
  fc.string({ unit: pick('a', ' ', ...CLUSTERS), maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }).filter(s => !HARMFUL.test(s)),
);

const number = fc.oneof(
  { weight: 6, arbitrary: fc.nat(12).map(String) },
  { weight: 2, arbitrary: fc.nat(45).map(String) },
  { weight: 1, arbitrary: pick('', '0', '300', '65535', '99999999999', '-1') },
);

const byte = fc.nat(255);
const index = fc.oneof(fc.nat(15), byte);
const colorOf = (what: number): fc.Arbitrary<string> =>
  fc.oneof(
    index.map(n => `${what};5;${n}`),
    index.map(n => `${what}:5:${n}`),
    fc.tuple(byte, byte, byte).map(rgb => `${what};2;${rgb.join(';')}`),
    fc.tuple(byte, byte, byte).map(rgb => `${what}:2::${rgb.join(':')}`),
    fc.tuple(byte, byte, byte).map(rgb => `${what}:2:${rgb.join(':')}`),
    pick(`${what}`, `${what};5`, `${what};2;1`, `${what}:`, `${what};5;999`),
  );
const sgrParameter = fc.oneof(
  fc.nat(9).map(String),
  fc.integer({ min: 21, max: 29 }).map(String),
  fc.integer({ min: 30, max: 49 }).filter(n => n !== 38 && n !== 48).map(String),
  fc.integer({ min: 90, max: 107 }).map(String),
  pick('4:0', '4:1', '4:2', '4:3', '4:4', '4:5', '4:9', '', '53', '55', '59', '73', '1000'),
  colorOf(38),
  colorOf(48),
  colorOf(58),
); // prettier-ignore
const sgr = fc.array(sgrParameter, { maxLength: 4 }).map(list => `${CSI}${list.join(';')}m`);

/** CSI with up to two numbers. */
const counted = (...finals: string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.array(number, { maxLength: 2 }), pick(...finals)).map(([n, f]) => `${CSI}${n.join(';')}${f}`);

const motion = fc.oneof(
  counted('A', 'B', 'C', 'D', 'E', 'F', 'G', 'd', '`', 'a', 'e'),
  fc.tuple(number, number, pick('H', 'f')).map(([y, x, f]) => `${CSI}${y};${x}${f}`),
  pick('\r', '\n', '\r\n', '\b', '\t', '\v', '\f', '\x1b7', '\x1b8', `${CSI}s`, `${CSI}u`),
  pick('\x1bD', '\x1bM', '\x1bE', '\u0084', '\u0085', '\u008d'),
);
const erasing = fc.oneof(
  pick('J', 'K', '?J', '?K').chain(s => pick('', '0', '1', '2', '3').map(n => CSI + (s.startsWith('?') ? `?${n}${s[1]}` : n + s))),
  counted('X'),
  pick('0', '1', '2').map(n => `${CSI}${n}"q`),
); // prettier-ignore
const editing = counted('@', 'P', 'L', 'M', 'S', 'T', 'b', "'}", "'~", ' @', ' A');
const tabs = fc.oneof(pick('\x1bH', `${CSI}g`, `${CSI}3g`, `${CSI}W`, '\t'), counted('I', 'Z'));
const region = fc.oneof(
  fc.tuple(number, number).map(([top, bottom]) => `${CSI}${top};${bottom}r`),
  pick(`${CSI}r`),
);
const modes = fc.oneof(
  fc.tuple(pick('?7', '?6', '4', '20', '?25', '?12', '?45', '?2026', '?1', '?2004', '?1000', '?3', '?40', '?69', '?9999', '2', '12'), pick('h', 'l')),
  fc.tuple(pick('?47', '?1047', '?1048', '?1049'), pick('h', 'l')),
).map(([mode, f]) => CSI + mode + f); // prettier-ignore
const cursorShape = fc.nat(8).map(n => `${CSI}${n} q`);
const charsets = pick(
  '\x1b(0',
  '\x1b(B',
  '\x1b)0',
  '\x1b*A',
  '\x0e',
  '\x0f',
  '\x1bn',
  '\x1bo',
  '\x1b(0lqk\x1b(B',
  '\x1b%G',
);
const resets = pick('\x1bc', `${CSI}!p`, '\x1b#8', '\x1b=', '\x1b>', '\x18', '\x1a');
const links = fc.oneof(
  pick('\x1b]8;;http://a/\x07', '\x1b]8;id=1;http://a/;b\x1b\\', '\x1b]8;id=2;http://a/;b\x07', '\x1b]8;;file:///ü\x07'),
  pick('\x1b]8;;\x07', '\x1b]8;;\x1b\\'),
); // prettier-ignore
const strings = pick(
  '\x1b]2;title\x07', '\x1b]0;漢\x1b\\', '\x1b]1;icon\x07', `${CSI}22;0t`, `${CSI}23;0t`, '\x1b]4;1;?\x07', '\x1b]10;?\x07', '\x1b]11;?\x07',
  '\x1b]52;c;aGk=\x07', '\x1b]133;A\x07', '\x1b]9;4;1;50\x07', '\x1b]7;file:///tmp\x07', '\x1b]1337;x=y\x07', '\x1b]unknown\x07', '\x1bP+q436f\x1b\\',
  '\x1bP$qm\x1b\\', '\x1b_Gi=1,a=q;AAAA\x1b\\', '\x1b^pm\x1b\\', '\x1bXsos\x1b\\', `${CSI}c`, `${CSI}6n`, `${CSI}?u`, `${CSI}>1u`, `${CSI}<u`, `${CSI}>4;2m`, '\x07',
); // prettier-ignore

const piece = fc.oneof(
  { weight: 12, arbitrary: text },
  { weight: 5, arbitrary: sgr },
  { weight: 8, arbitrary: motion },
  { weight: 4, arbitrary: erasing },
  { weight: 4, arbitrary: editing },
  { weight: 2, arbitrary: region },
  { weight: 2, arbitrary: modes },
  { weight: 1, arbitrary: tabs },
  { weight: 1, arbitrary: links },
  { weight: 1, arbitrary: fc.oneof(cursorShape, charsets, strings) },
  { weight: 1, arbitrary: resets },
);
/** Bytes that are no UTF-8, and sequences that are none. Whole by themselves: the next piece starts anew. */
const noise = fc
  .constantFrom([0xff, 0x41], [0xc3, 0x28], [0x9b, 0x33, 0x6d], [0x84, 0x42], [0xed, 0xa0, 0x80, 0x43], [0xf8, 0x88, 0x44], [0x7f, 0x45], [0x1b, 0x5b, 0x3f, 0x3c, 0x6d], [0x1b, 0x20, 0x46])
  .map(list => Uint8Array.from(list)); // prettier-ignore

/** One thing that a program writes: never half a sequence, so that it can be looked at afterwards. */
export const vtPiece: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 40, arbitrary: piece.map(s => new Uint8Array(Buffer.from(s, 'utf8'))) },
  { weight: 1, arbitrary: noise },
);

/** What happens to a program's terminal. */
export type VtStep =
  | { readonly type: 'write'; readonly bytes: Uint8Array; readonly cuts: readonly number[] }
  | { readonly type: 'resize'; readonly cols: number; readonly rows: number };

const write = fc
  .tuple(fc.array(vtPiece, { minLength: 1, maxLength: 12 }), fc.array(fc.nat(120), { maxLength: 4 }))
  .map(([parts, cuts]): VtStep => ({ type: 'write', bytes: new Uint8Array(Buffer.concat(parts)), cuts }));
const size = { cols: fc.integer({ min: 2, max: 40 }), rows: fc.integer({ min: 1, max: 12 }) };
const resize = fc.record(size).map((to): VtStep => ({ type: 'resize', ...to }));
const margin = fc.constantFrom(0, 0, 1, 3);

/** A program's life on a terminal: its size, where in mux it stands, and what happens. */
export const vtLife = fc.record({
  ...size,
  // More than any life fills: what is forgotten cannot come back into sight.
  history: fc.constant(10_000),
  margins: fc.record({ left: margin, top: margin, right: margin, bottom: margin }),
  steps: fc.array(fc.oneof({ weight: 8, arbitrary: write }, { weight: 1, arbitrary: resize }), {
    minLength: 1,
    maxLength: 8,
  }),
});
export type VtLife = typeof vtLife extends fc.Arbitrary<infer T> ? T : never;

/** A life as a person reads and repeats it. */
export function lifeText(life: VtLife): string {
  const steps = life.steps.map(step =>
    step.type === 'resize'
      ? `resize ${step.cols}x${step.rows}`
      : `write ${JSON.stringify(Buffer.from(step.bytes).toString('latin1'))} cut at ${step.cuts.join(',')}`,
  );
  return [
    `${life.cols}x${life.rows}, history ${life.history}, margins ${JSON.stringify(life.margins)}`,
    ...steps,
  ].join('\n');
}
