/**
 * A terminal for specs: an emulator that records what it says.
 */
import { Emulator } from '../../lib/term/emulator.ts';
import type { EmulatorOptions } from '../../lib/term/emulator.ts';
import type { PaneSignal } from '../../lib/term/screen-view.ts';
import { captureLines } from '../../lib/term/text-dump.ts';

/** Text as the bytes of a program's output. */
export function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'utf8'));
}

/** An emulator with everything it has said so far. */
export class Recorder {
  readonly emulator: Emulator;
  readonly signals: PaneSignal[] = [];
  readonly faults: unknown[] = [];
  replies = '';

  constructor(options: Partial<EmulatorOptions> = {}) {
    this.emulator = new Emulator({ cols: 80, rows: 24, historyLines: 100, ...options });
    this.emulator.onSignal(signal => this.signals.push(signal));
    this.emulator.onReply(data => (this.replies += Buffer.from(data).toString('utf8')));
    this.emulator.onFault(fault => this.faults.push(fault));
  }

  write(text: string): this {
    this.emulator.write(bytes(text));
    return this;
  }

  /** The screen's lines without trailing blanks, and without empty lines at the end. */
  text(): string[] {
    const lines = captureLines(this.emulator);
    while (lines.at(-1) === '') lines.pop();
    return lines;
  }

  /** Everything that can be seen, history included: for comparing two screens. */
  dump(): unknown {
    const { emulator } = this;
    return {
      lines: captureLines(emulator, { start: -Infinity, escapes: true }),
      joined: captureLines(emulator, { start: -Infinity, join: true }),
      cursor: emulator.cursor,
      modes: emulator.modes,
      title: emulator.title,
      history: emulator.historySize,
    };
  }
}
