/**
 * AiService beside the server: a process of its own, so that neither the disk nor a model's answer ever holds up what is
 * drawn. It starts when it is first asked for, ends after a while in which nobody asked, and with the server.
 */
import { spawn } from 'node:child_process';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';

/** What it says once it listens is below this, in characters: an address and two digests. */
const TOLD_MAX = 4096;
/** One that could not start is tried again after this, in ms: whoever asks meanwhile has a service of their own. */
const AGAIN_MS = 30_000;

export interface AiServiceOptions {
  /** argv of `mux ai serve --attended`. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class AiServiceProcess {
  readonly #options: AiServiceOptions;
  #state: 'none' | 'starting' | 'there' = 'none';
  #told = '';
  #failedAt = -Infinity;

  constructor(options: AiServiceOptions) {
    this.#options = options;
  }

  /** What the process told when it began to listen; '' while it does not, and then it is on its way. */
  ask(): string {
    const { clock } = this.#options;
    if (this.#state === 'none' && clock.now() - this.#failedAt >= AGAIN_MS) this.#start();
    return this.#state === 'there' ? this.#told.trim() : '';
  }

  #start(): void {
    const { command, env, clock, logger } = this.#options;
    const [program = '', ...args] = command;
    this.#state = 'starting';
    this.#told = '';
    // Its stdin ends with the server, however that ends: what it serves then is served to its end.
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'], detached: true });
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (piece: Buffer) => {
      if (this.#told.length < TOLD_MAX) this.#told += piece.toString('latin1');
      if (this.#told.includes('\n')) this.#state = 'there';
    });
    const gone = (why: string): void => {
      if (this.#state === 'starting') {
        this.#failedAt = clock.now();
        logger.log('warn', `AiService did not start: ${why}`);
      }
      this.#state = 'none';
    };
    child.on('error', error => gone(error.message));
    child.on('exit', (exit, signal) => gone(`it ended with ${exit ?? signal}`));
    child.unref();
  }
}
