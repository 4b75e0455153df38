/**
 * The property that an emulator made of a checkpoint goes on as the one it was taken of.
 */
import fc from 'fast-check';
import { BG, CELL_WORDS, CONTENT } from '../../lib/term/cell.ts';
import { Emulator } from '../../lib/term/emulator.ts';
import { lifeText, vtLife } from './vt-stream.ts';
import type { VtLife, VtStep } from './vt-stream.ts';

/** An emulator with all that it has told. */
export class Heard {
  readonly emulator: Emulator;
  readonly told: string[] = [];

  constructor(emulator: Emulator) {
    this.emulator = emulator;
    emulator.onReply(reply => this.told.push(Buffer.from(reply).toString('latin1')));
    emulator.onSignal(signal => this.told.push(JSON.stringify(signal)));
    emulator.onFault(fault => this.told.push(`fault: ${String(fault)}`));
  }

  step(step: VtStep): void {
    if (step.type === 'resize') this.emulator.resize(step.cols, step.rows);
    else this.emulator.write(step.bytes);
  }
}

/** All that can be seen of an emulator, with its history: one text a row, then the rest. */
export function seenText(emulator: Emulator): string {
  const rows: string[] = [];
  for (let y = -emulator.historySize; y < emulator.rows; y++) {
    const line = emulator.line(y)!;
    const beyond: unknown[] = [];
    for (let x = 0; x * CELL_WORDS < line.words.length; x++) {
      if (line.words[x * CELL_WORDS]! & CONTENT.isCluster) beyond.push(x, line.clusters[x]);
      if (line.words[x * CELL_WORDS + 2]! & BG.hasExtended) beyond.push(x, line.extended(x));
    }
    rows.push(
      `${y}: ${[...line.words].join()} ${JSON.stringify([line.wrapped, line.isPrompt, ...beyond])} ` +
        JSON.stringify(emulator.anchor(y, 0)),
    );
  }
  const { cols, cursor, modes, title, seq, scrolledRows, watchesScheme, said, colors } = emulator;
  const told = { cwd: said.cwd, progress: said.progress, prompt: said.prompt };
  const indexed = colors && [colors.foreground, colors.background, ...colors.indexed];
  rows.push(JSON.stringify({ cols, cursor, modes, title, seq, scrolledRows, watchesScheme, told, indexed }));
  const lines = Array.from(emulator.logicalLines(-emulator.historySize, 1), line => JSON.stringify(line));
  return [...rows, ...lines].join('\n');
}

/** What is different between an emulator and the one that was restored; '' for nothing. */
function difference(first: Heard, second: Heard): string {
  const pairs = [
    [first.told.join('\n'), second.told.join('\n')],
    [seenText(first.emulator), seenText(second.emulator)],
    [hex(first.emulator), hex(second.emulator)],
  ] as const;
  const at = pairs.find(([a, b]) => a !== b);
  if (!at) return '';
  const [a, b] = [at[0].split('\n'), at[1].split('\n')];
  const line = a.findIndex((text, n) => text !== b[n]);
  return `was:      ${a[line] ?? ''}\nrestored: ${b[line] ?? ''}`;
}

const hex = (emulator: Emulator): string =>
  Buffer.from(emulator.checkpoint() ?? new Uint8Array(0)).toString('hex');

/** The steps of a life in the pieces that its writes are cut into. */
function pieces(life: VtLife): VtStep[] {
  return life.steps.flatMap(step => {
    if (step.type === 'resize') return [step];
    const ends = [...step.cuts.filter(cut => cut < step.bytes.length), step.bytes.length].sort(
      (a, b) => a - b,
    );
    return ends.map((end, n): VtStep => ({ ...step, bytes: step.bytes.subarray(ends[n - 1] ?? 0, end) }));
  });
}

/** Restores an emulator after step `when`, or as soon after as can be, and holds both together from then on. */
function checkLife(life: VtLife, when: number, historyLines: number): void {
  const first = new Heard(new Emulator({ cols: life.cols, rows: life.rows, historyLines }));
  let second: Heard | undefined;
  for (const [n, step] of pieces(life).entries()) {
    first.step(step);
    second?.step(step);
    if (!second && n >= when) {
      const bytes = first.emulator.checkpoint();
      if (!bytes) continue;
      second = new Heard(Emulator.restore(bytes));
      first.told.length = 0;
    }
    const found = second ? difference(first, second) : '';
    if (found) throw new Error(`after piece ${n} of\n${lifeText(life)}\n${found}`);
  }
  first.emulator.dispose();
  second?.emulator.dispose();
}

const history = fc.constantFrom(0, 3, 40, 10_000);

/** Tries `cases` lives that `seed` makes. Returns undefined, or what the smallest failing one is. */
export function tryCheckpoints(seed: number, cases: number): string | undefined {
  const property = fc.property(vtLife, fc.nat(12), history, checkLife);
  const result = fc.check(property, { seed, numRuns: cases });
  if (!result.failed) return undefined;
  const { counterexample, errorInstance } = result;
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  if (!counterexample) return why;
  return `restored after piece ${counterexample[1]}, with ${counterexample[2]} lines of history\n${why}`;
}
