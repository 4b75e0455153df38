/** An answer on a terminal: Markdown as it comes, each block drawn until it is finished and never again. */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/event.ts';
import type { StyledLine } from '../../base/styled.ts';
import { plain } from '../../base/styled.ts';
import { cellWidth } from '../../base/text.ts';
import { MarkdownStream } from '../../markdown/stream.ts';
import { LiveLines, type Screen } from '../../render/live-lines.ts';
import type { Painted } from '../../render/sgr-text.ts';

/** Time between two pictures, in ms: more of them nobody sees. */
const FRAME_MS = 33;
/** Pictures that take long are as many times their length apart, so that a long block does not hold up what comes. */
const DRAWING_PART = 4;
/** Narrower than this a terminal wraps what we write; it is as if it had so many columns. */
const COLS_MIN = 10;
/** What is shown until the first word. */
const THINKING: StyledLine = [{ text: 'thinking…', role: 'dim' }];

export interface MarkdownScreen {
  readonly clock: Clock;
  readonly paint: Painted;
  readonly isSynchronized: boolean;
  /** The window as it is now. */
  readonly size: () => Screen;
  /** Calls back when the window has changed. */
  readonly onResize: (changed: () => void) => Disposable;
  readonly write: (text: string) => void;
}

export class MarkdownOutput {
  readonly #screen: MarkdownScreen;
  readonly #lines: LiveLines;
  readonly #stream: MarkdownStream;
  readonly #resizes: Disposable;
  #finished: StyledLine[] = [];
  #running: readonly StyledLine[] = [];
  #timer: Disposable | undefined;
  #isThinking = false;
  /** How long the last picture took, in ms. */
  #took = 0;

  constructor(screen: MarkdownScreen) {
    this.#screen = screen;
    this.#lines = new LiveLines(screen.isSynchronized);
    this.#stream = new MarkdownStream(widthOf(screen.size()));
    this.#resizes = screen.onResize(() => this.#resized());
  }

  add(text: string): void {
    this.#isThinking = false;
    for (const line of this.#stream.add(text)) this.#finished.push(line);
    this.#later();
  }

  /** The model thinks, and nothing of its answer is there. */
  think(): void {
    if (this.#isThinking) return;
    this.#isThinking = this.#running.length === 0;
    if (this.#isThinking) this.#later();
  }

  /** All that came is shown, and the cursor stands below it. */
  end(): void {
    this.#timer?.dispose();
    this.#resizes.dispose();
    this.#isThinking = false;
    this.#finished.push(...this.#stream.end());
    this.#draw();
  }

  #later(): void {
    const { clock } = this.#screen;
    this.#timer ??= clock.after(Math.max(FRAME_MS, this.#took * DRAWING_PART), () => {
      const start = clock.now();
      this.#timer = undefined;
      this.#draw();
      this.#took = clock.now() - start;
    });
  }

  #draw(): void {
    const { paint, size, write } = this.#screen;
    const running = this.#stream.running;
    this.#running = this.#isThinking ? [THINKING] : running;
    const { rows } = size();
    // Lines that are not shown need not be painted.
    const text = this.#lines.draw(this.#finished.map(paint), this.#running.slice(-rows).map(paint), rows);
    this.#finished = [];
    if (text !== '') write(text);
  }

  #resized(): void {
    const { size, write } = this.#screen;
    const now = size();
    const widths = this.#running.slice(-now.rows).map(line => cellWidth(plain(line)));
    const text = this.#lines.resized(now, widths);
    if (text !== '') write(text);
    this.#stream.width = widthOf(now);
    this.#draw();
  }
}

function widthOf({ cols }: Screen): number {
  return Math.max(COLS_MIN, cols) - 1;
}
