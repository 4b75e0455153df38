/**
 * A session's terminal: a program on a PTY with the emulator that shows what it draws.
 */
import { readlinkSync } from 'node:fs';
import { DisposableStore, Emitter } from '../../base/event.ts';
import type { Size } from '../../base/geometry.ts';
import type { Logger } from '../../base/log.ts';
import type { ExitStatus, Terminal } from '../../model/types.ts';
import { foregroundGroup, foregroundProgram } from '../../pty/foreground.ts';
import type { PtyProcess } from '../../pty/host.ts';
import type { Emulator } from '../../term/emulator.ts';
import type { Palette } from '../../term/palette.ts';
import { INPUT_MODES } from '../../term/leftovers.ts';
import type { PaneSignal, TextView } from '../../term/screen-view.ts';
import { ModeOwners } from './mode-owners.ts';

export class SessionTerminal implements Terminal {
  readonly #process: PtyProcess;
  readonly #emulator: Emulator;
  readonly #owned = new DisposableStore();
  readonly #output = new Emitter<void>();
  readonly #raw = new Emitter<Uint8Array>();
  readonly #exit = new Emitter<ExitStatus>();
  readonly #owners: ModeOwners;
  /** Whether a program asked to be told of light and dark, and its process group. */
  #isWatched = false;
  #watcher: number | undefined;
  #ended = false;

  readonly onOutput = this.#output.event;
  readonly onExit = this.#exit.event;
  /** Output as the program wrote it: for pipe-pane. */
  readonly onRaw = this.#raw.event;

  constructor(process: PtyProcess, emulator: Emulator, logger: Logger) {
    this.#process = process;
    this.#emulator = emulator;
    this.#owners = new ModeOwners(() => process.pid);
    const own = this.#owned;
    // Parsed in the handler itself: while it runs nothing more is read, so the kernel holds the program back.
    own.add(
      process.onData(bytes => {
        emulator.write(bytes);
        if (emulator.watchesScheme !== this.#isWatched) this.#noteWatcher();
        this.#owners.note(emulator.modeSet);
        this.#raw.fire(bytes);
        this.#output.fire();
      }),
    );
    own.add(
      process.onExit(exit => {
        this.#ended = true;
        this.#exit.fire(exit);
      }),
    );
    own.add(emulator.onLineEdit(() => emulator.dropModes(this.#owners.takeLeft(~0))));
    // A program that does not read its input needs no answers either; what the queue refuses is dropped.
    own.add(emulator.onReply(bytes => void process.write(bytes)));
    own.add(
      emulator.onFault(error =>
        logger.log('error', 'terminal parser failed; the rest of the chunk is lost', {
          pid: process.pid,
          error,
        }),
      ),
    );
  }

  /** The program itself, which may outlive this. */
  get process(): PtyProcess {
    return this.#process;
  }

  /** Behind the last byte that is on the screen, counted over all output of the session. */
  get offset(): number {
    return this.#process.offset;
  }

  /** The screen as bytes; undefined in the middle of a sequence. */
  checkpoint(): Uint8Array | undefined {
    return this.#emulator.checkpoint();
  }

  get view(): TextView {
    return this.#emulator;
  }

  get started(): Promise<void> {
    return this.#process.started;
  }

  get pid(): number {
    return this.#process.pid;
  }

  get onRelease(): (listener: () => void) => { dispose(): void } {
    return this.#emulator.onRelease;
  }

  get onSignal(): (listener: (signal: PaneSignal) => void) => { dispose(): void } {
    return this.#emulator.onSignal;
  }

  write(bytes: Uint8Array): boolean {
    return this.#process.write(bytes);
  }

  resize(size: Size): void {
    this.dropLeftModes();
    // The program may be told by the emulator, and then asks the kernel.
    this.#process.resize(size);
    this.#emulator.resize(size.cols, size.rows);
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  foreground(): string {
    return this.#ended ? '' : foregroundProgram(this.pid);
  }

  cwd(): string {
    if (this.#ended) return this.#emulator.said.cwd?.path ?? '';
    try {
      return readlinkSync(`/proc/${this.pid}/cwd`);
    } catch {
      // ENOENT (no /proc, or it just ended), EACCES (another user's): what the program told must do.
      return this.#emulator.said.cwd?.path ?? '';
    }
  }

  setPalette(palette: Palette, tells: boolean): void {
    // One that died without taking its wish back would have the answer typed into the shell behind it.
    const isThere = !this.#isWatched || foregroundGroup(this.pid) === this.#watcher;
    this.#emulator.setPalette(palette, tells && isThere);
  }

  setHistoryLines(lines: number): void {
    this.#emulator.setHistoryLines(lines);
  }

  dropLeftModes(): void {
    if (!this.#ended) this.#emulator.dropModes(this.#owners.takeLeft(INPUT_MODES));
  }

  clearHistory(): void {
    this.#emulator.clearHistory();
  }

  reset(): void {
    this.#emulator.reset();
    this.#output.fire();
  }

  #noteWatcher(): void {
    this.#isWatched = this.#emulator.watchesScheme;
    this.#watcher = this.#isWatched ? foregroundGroup(this.pid) : undefined;
  }

  /** Lets the screen go; a program that still runs is hung up on. */
  dispose(): void {
    if (!this.#ended) this.#process.kill('SIGHUP');
    this.#owned.dispose();
    this.#emulator.dispose();
    this.#output.dispose();
    this.#raw.dispose();
    this.#exit.dispose();
  }
}
