/**
 * Copy mode over a real emulator, without a server: actions in, state and what was asked for out.
 */
import type { CopyContext } from '../../../lib/mode/copy/context.ts';
import type { CopyEvent, CopyIntent } from '../../../lib/mode/copy/intent.ts';
import { matchLines } from '../../../lib/mode/copy/pattern.ts';
import { TextReader } from '../../../lib/mode/copy/reader.ts';
import { reduceCopy } from '../../../lib/mode/copy/reduce.ts';
import { SearchRun, type SearchNews } from '../../../lib/mode/copy/search-run.ts';
import { selectedText } from '../../../lib/mode/copy/selection.ts';
import { enterCopy, syncCopy, type CopyState } from '../../../lib/mode/copy/state.ts';
import { Emulator } from '../../../lib/term/emulator.ts';
import { OPTIONS } from '../../../lib/options/table.ts';

export interface PlayOptions {
  readonly cols?: number;
  readonly rows?: number;
  readonly isVi?: boolean;
  readonly historyLines?: number;
  readonly wraps?: boolean;
}

export class Played {
  readonly screen: Emulator;
  readonly #options: PlayOptions;
  state: CopyState;
  readonly copied: string[] = [];
  readonly messages: string[] = [];
  isOver = false;

  /** @param text what the program has printed; line feeds begin new lines */
  constructor(text: string, options: PlayOptions = {}) {
    this.#options = options;
    const { cols = 20, rows = 5, historyLines = 1000 } = options;
    this.screen = new Emulator({ cols, rows, historyLines });
    this.print(text);
    this.state = enterCopy(this.screen, { leavesAtBottom: false, isByMouse: false });
  }

  /** The program prints on. */
  print(text: string): void {
    this.screen.write(new TextEncoder().encode(text.replaceAll('\n', '\r\n')));
    if ((this.state as CopyState | undefined) !== undefined) this.state = syncCopy(this.state, this.screen);
  }

  resize(cols: number, rows: number): void {
    this.screen.resize(cols, rows);
    this.state = syncCopy(this.state, this.screen);
  }

  get context(): CopyContext {
    return {
      reader: new TextReader(this.screen),
      isVi: this.#options.isVi ?? true,
      separators: OPTIONS['word-separators'].default,
    };
  }

  /** Actions, each as `NAME`, `NAME ARGUMENT` or `COUNT NAME`. */
  do(...actions: readonly string[]): this {
    for (const action of actions) {
      const [, count = '0', name = '', argument] = /^(?:(\d+) )?(\S+)(?: (.*))?$/s.exec(action)!;
      this.event({
        type: 'action',
        name,
        args: argument === undefined ? [] : [argument],
        count: Number(count),
      });
    }
    return this;
  }

  event(event: CopyEvent): void {
    this.state = syncCopy(this.state, this.screen);
    const { state, intents } = reduceCopy(this.state, event, this.context);
    this.state = state;
    for (const intent of intents) this.#carryOut(intent);
  }

  /** Cursor as the pane shows it, and the lines scrolled back: `x,y/offset`. */
  get at(): string {
    const { cursor, top } = this.state;
    return `${cursor.x},${cursor.y - top}/${-top}`;
  }

  /** Cursor, its row as in ScreenView.line: `x,y`. */
  get place(): string {
    return `${this.state.cursor.x},${this.state.cursor.y}`;
  }

  /** Text of the character under the cursor and of the row it is in. */
  get under(): string {
    const { reader } = this.context;
    return `${reader.cell(this.state.cursor)} in ${reader.row(this.state.cursor.y).cells.join('').trimEnd()}`;
  }

  get selected(): string {
    return selectedText(this.state, this.context);
  }

  #carryOut(intent: CopyIntent): void {
    if (intent.type === 'cancel') this.isOver = true;
    if (intent.type === 'copy') this.copied.push(intent.text);
    if (intent.type === 'message') this.messages.push(intent.text);
    if (intent.type !== 'search') return;
    const run = new SearchRun(
      { ...intent.request, wraps: this.#options.wraps ?? true },
      this.screen,
      matchLines,
    );
    for (;;) {
      const news: SearchNews | 'more' = run.step(this.screen);
      if (news === 'more') continue;
      this.event(news);
      if (news.type !== 'found') return;
    }
  }
}
