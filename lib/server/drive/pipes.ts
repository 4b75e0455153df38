/**
 * pipe-pane: a pane's further output as the standard input of a shell command.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { DisposableStore, type Disposable } from '../../base/event.ts';
import type { PaneId } from '../../layout/types.ts';
import type { SessionTerminal } from '../programs/session-terminal.ts';

/** 16 MiB that a command has not read: then it is slower than its pane for good, and gets no more. */
const MAX_BACKLOG = 16 * 1024 * 1024;

interface Pipe {
  readonly child: ChildProcess;
  readonly own: DisposableStore;
}

export class Pipes implements Disposable {
  readonly #pipes = new Map<PaneId, Pipe>();
  readonly #failed: (message: string) => void;

  constructor(failed: (message: string) => void) {
    this.#failed = failed;
  }

  has(pane: PaneId): boolean {
    return this.#pipes.has(pane);
  }

  /** Ends what is there and, with a command, starts a new one. */
  set(pane: PaneId, terminal: SessionTerminal, command: string, shell: string): void {
    this.close(pane);
    if (command === '') return;
    const child = spawn(shell, ['-c', command], { stdio: ['pipe', 'ignore', 'ignore'] });
    const { stdin } = child;
    const own = new DisposableStore();
    this.#pipes.set(pane, { child, own });
    const closeThis = (): void => {
      if (this.#pipes.get(pane)?.child === child) this.close(pane);
    };
    own.add(
      terminal.onRaw(bytes => {
        // A copy: the bytes are only ours until the next read.
        stdin.write(Buffer.from(bytes));
        if (stdin.writableLength <= MAX_BACKLOG) return;
        closeThis();
        this.#failed(`pipe-pane: '${command}' does not keep up with pane %${pane}: it gets no more of it`);
      }),
    );
    // The pane's program has ended: there is no further output, and the command may be waiting for the end of it.
    own.add(terminal.onExit(closeThis));
    // EPIPE: the command has ended, which 'exit' tells too.
    stdin.on('error', () => undefined);
    child.on('error', error => {
      closeThis();
      this.#failed(`pipe-pane: ${error.message}`);
    });
    child.on('exit', closeThis);
  }

  /** Closes the pipes of panes that are gone: a deleted session's terminal does not tell of its end. */
  keep(isThere: (pane: PaneId) => boolean): void {
    for (const pane of Array.from(this.#pipes.keys())) if (!isThere(pane)) this.close(pane);
  }

  /** Lets the command of a pane finish what it has. */
  close(pane: PaneId): void {
    const pipe = this.#pipes.get(pane);
    if (!pipe) return;
    this.#pipes.delete(pane);
    pipe.own.dispose();
    pipe.child.stdin?.end();
  }

  dispose(): void {
    for (const pane of Array.from(this.#pipes.keys())) this.close(pane);
  }
}
