/**
 * Junk for whatever reads what others have written: frames, keys, escape sequences, Markdown, roles and lores, lines of
 * shell. It is made of pieces that mean something to the reader, cut and put together wrongly. Nothing may throw but what
 * its reader promises, and nothing may take long.
 */
import fc from 'fast-check';
import { InputDecoder } from '../../lib/input/decoder.ts';
import { parseLore } from '../../lib/graph/lore.ts';
import { parseRole } from '../../lib/graph/role.ts';
import { renderMarkdown } from '../../lib/markdown/render.ts';
import { plain } from '../../lib/base/styled.ts';
import { classify } from '../../lib/permissions/classify.ts';
import { Emulator } from '../../lib/term/emulator.ts';
import { MessageError } from '../../lib/wire/envelope.ts';
import { encodeFrame, FrameDecoder, FramingError } from '../../lib/wire/framing.ts';
import { parseClientMessage, parseServerMessage } from '../../lib/wire/messages.ts';

/** One piece of junk costs this at most, in ms of this process: what loops or backtracks costs seconds. */
const LONGEST_MS = 1500;

/** A reader, and what it is fed with. */
export interface JunkReader {
  readonly pieces: readonly string[];
  read(bytes: Buffer): void;
}

const JSON_PIECES = [
  '{',
  '}',
  '[',
  ']',
  '"type":',
  '"payload":',
  '"command"',
  '"handshake"',
  '"attach"',
  '"argv":',
  '"id":',
  '-1',
  '1e999',
  'null',
  ',',
  ':',
  '"\\u0000"',
  '"__proto__"',
];

function decodeFrames(bytes: Buffer): void {
  try {
    for (const { payload } of new FrameDecoder().push(bytes)) parse(payload);
  } catch (error) {
    if (!(error instanceof FramingError)) throw error;
  }
  for (const { payload } of new FrameDecoder().push(encodeFrame(0, bytes))) parse(payload);
}

function parse(payload: Uint8Array): void {
  for (const read of [parseClientMessage, parseServerMessage])
    try {
      read(payload);
    } catch (error) {
      if (!(error instanceof MessageError)) throw error;
    }
}

function harmless(text: string, what: string): void {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(text))
    throw new Error(`${what} lets a control through: ${JSON.stringify(text)}`);
}

/** By name. */
export const JUNK: Readonly<Record<string, JunkReader>> = {
  frames: {
    pieces: ['\0\0\0\0\x02{}', '\x01\0\0\0\0', '\xff\xff\xff\xff', ...JSON_PIECES],
    read: decodeFrames,
  },
  keys: {
    pieces: [
      '\x1b',
      '\x1b[',
      '\x1bO',
      '\x1b[200~',
      '\x1b[201~',
      '\x1b[<',
      ';',
      '1',
      '99999999',
      'M',
      'm',
      'u',
      '~',
      '\x1b]',
      '\x1bP',
      '\x07',
      '\x1b\\',
      '\x9b',
      '\xc3',
    ],
    read(bytes) {
      const decoder = new InputDecoder();
      decoder.feed(bytes);
      decoder.flush();
    },
  },
  sequences: {
    pieces: [
      '\x1b',
      '\x1b[',
      '\x1b]',
      '\x1bP',
      '\x1b_',
      '\x1b^',
      '\x1bX',
      '\x07',
      '\x1b\\',
      '52;c;',
      '8;id=a;http://x',
      '4;',
      '0;',
      '7;file://',
      '133;A',
      '9;4;',
      '1337;File=',
      '$q',
      '+q',
      'G',
      '?',
      ';',
      ':',
      '999999999',
      '-1',
      'h',
      'l',
      'm',
      'r',
      'X',
      'b',
      'L',
      'S',
      '\xf0\x9f\x91\xa9',
      '\xe2\x80\x8d',
      '\xcc\x81',
      'a',
      '\n',
      '\x9d',
      '\xff',
    ],
    read(bytes) {
      const emulator = new Emulator({ cols: 80, rows: 24, historyLines: 50 });
      const faults: unknown[] = [];
      emulator.onFault(fault => faults.push(fault));
      emulator.write(bytes);
      emulator.dispose();
      if (faults.length > 0) throw faults[0];
    },
  },
  markdown: {
    pieces: [
      '#',
      '*',
      '_',
      '`',
      '```',
      '~~~',
      '>',
      '- ',
      '1. ',
      '[',
      '](',
      ')',
      '![',
      '|',
      '---',
      '\n',
      '\n\n',
      '  ',
      '\t',
      '<',
      '>',
      '&',
      '\\',
      '\x1b[31m',
      '\x9b',
      '\r',
      'a',
      '$$',
      '[^1]',
    ],
    read(bytes) {
      for (const line of renderMarkdown(bytes.toString('utf8'), 40)) harmless(plain(line), 'Markdown');
    },
  },
  graph: {
    pieces: [
      '---\n',
      '@',
      '@alias(',
      '"',
      ')',
      '@include(',
      '@file(',
      '@tools(',
      '{',
      '}',
      '[',
      ']',
      ':',
      '- ',
      '\n',
      '&a ',
      '*a',
      '!!',
      '|\n',
      'title',
      '[[',
      ']]',
      '\t',
      '<<',
      'labels:',
      '\x1b',
    ],
    read(bytes) {
      const text = bytes.toString('utf8');
      parseRole('a.role.md', text);
      parseLore('lores/a.md', text);
    },
  },
  classifier: {
    pieces: [
      'rm ',
      '-rf ',
      '$(',
      ')',
      '`',
      '"',
      "'",
      '\\',
      ';',
      '&&',
      '|',
      '<<EOF\n',
      'EOF',
      '${',
      '}',
      '$((',
      '))',
      '<(',
      '>',
      '\n',
      'if ',
      'then ',
      'fi',
      'case x in ',
      'esac',
      '{ ',
      '}',
      'eval ',
      'a=',
      ' ',
      '#',
      '\0',
      '&',
    ],
    read(bytes) {
      classify(bytes.toString('utf8'));
    },
  },
};

/** Tries `count` pieces of junk from `seed`; what fails, or undefined. */
export function tryJunk(name: string, seed: number, count: number): string | undefined {
  const { pieces, read } = JUNK[name]!;
  const piece = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...pieces).map(text => Buffer.from(text, 'latin1')) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }).map(bytes => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...pieces), fc.integer({ min: 1, max: 2000 }))
        .map(([text, n]) => Buffer.from(text.repeat(n), 'latin1')),
    },
  );
  const result = fc.check(
    fc.property(
      fc.array(piece, { maxLength: 40 }).map(list => Buffer.concat(list)),
      bytes => {
        const before = process.cpuUsage();
        read(bytes);
        const { user, system } = process.cpuUsage(before);
        if ((user + system) / 1000 > LONGEST_MS)
          throw new Error(`${bytes.length} bytes take more than ${LONGEST_MS} ms`);
      },
    ),
    { seed, numRuns: count, endOnFailure: true },
  );
  if (!result.failed) return undefined;
  const example = result.counterexample?.[0] as Buffer | undefined;
  return `${name}: ${String(result.errorInstance)}\n${JSON.stringify(example?.toString('latin1').slice(0, 500))}`;
}
