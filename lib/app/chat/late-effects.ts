/** Effects of a service that is still being opened: what is asked for meanwhile is done once it is there, in order. */
import type { Effect } from '../../chat/state.ts';
import type { ChatProgram, Effects } from './program.ts';

export class LateEffects implements Effects {
  readonly #opened: Promise<Effects | undefined>;

  /** What cannot be opened ends the program. */
  constructor(program: ChatProgram, open: () => Promise<Effects>) {
    // Not before the first frame: loading holds it up.
    this.#opened = new Promise<void>(resolve => setImmediate(() => setImmediate(resolve)))
      .then(open)
      .catch((error: unknown) => {
        program.fail(error);
        return undefined;
      });
  }

  run(effect: Effect): void {
    void this.#opened.then(effects => effects?.run(effect));
  }

  async end(): Promise<void> {
    await (await this.#opened)?.end();
  }
}
