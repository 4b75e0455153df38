/**
 * A terminal that is not there: what blessed asks of one, answered with nothing.
 */
import { PassThrough, Writable } from 'node:stream';
import type { Size } from '../base/geometry.ts';

/** Streams for a blessed program: never a key, and every byte is dropped. */
export interface NullStreams {
  readonly input: PassThrough;
  readonly output: Writable;
}

/** Streams that look like a terminal of `size`, so that blessed does not warn about it. */
export function nullStreams(size: Size): NullStreams {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const output = Object.assign(new Writable({ write: (_chunk, _encoding, done) => done() }), {
    isTTY: true,
    columns: size.cols,
    rows: size.rows,
  });
  return { input, output };
}

/**
 * Stands for blessed's terminfo: a terminal without any ability. Reading and compiling a real entry takes 20 ms for
 * each client and would only serve output that nobody sees.
 */
export function nullTerminfo(): Readonly<Record<string, unknown>> {
  const nothing = (): string => '';
  return {
    _tputSetup: true,
    tput: { strings: {}, bools: {}, numbers: {}, features: {}, unicode: false, has: () => true },
    put: new Proxy(nothing, { get: () => nothing }),
  };
}
