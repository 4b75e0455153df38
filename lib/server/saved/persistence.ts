/**
 * Keeps the model on the disk: soon after every change that matters, seldom for what changes all the time, one write
 * at a time and always the latest.
 */
import type { Clock } from '../../base/clock.ts';
import { errorText, toCoded } from '../../base/errors.ts';
import { DisposableStore, type Disposable } from '../../base/event.ts';
import type { Model } from '../../model/model.ts';
import { saveModel, type Keep, type SavedSession, type SavedState } from '../../model/saved.ts';

/** A burst of changes is one write; a person does two things no faster than this. */
const SOON_MS = 50;
/** Times of output and names of programs change all the time and are of little use later. */
const SELDOM_MS = 30_000;
/** A disk that is full or gone is tried again after this: soon enough for whoever makes room. */
const RETRY_MS = 5000;

/** Where the state goes: StateFile and Identities. */
export interface PersistencePorts {
  readonly clock: Clock;
  readonly model: Model;
  /** Replaces what is kept; rejects where it cannot. */
  save(state: SavedState): Promise<void>;
  /** The same at once. Throws where it cannot. */
  saveNow(state: SavedState): void;
  /** Keeps each session's identity beside its logs; rejects where it cannot. */
  keepIdentities(sessions: readonly SavedSession[]): Promise<void>;
  /** Tells people. */
  tell(text: string, tone: 'info' | 'error'): void;
}

export class Persistence implements Disposable {
  readonly #ports: PersistencePorts;
  readonly #owned = new DisposableStore();
  #timer: Disposable | undefined;
  #retry: Disposable | undefined;
  /** What was written last: all of it, and without what changes all the time. */
  #written = '';
  #writtenSettled = '';
  #isDue = false;
  #running: Promise<void> | undefined;
  #isFailing = false;
  /** Set by `close`: what is kept whatever happens to the model from then on. */
  #final: SavedState | undefined;

  constructor(ports: PersistencePorts) {
    this.#ports = ports;
    this.#owned.add(ports.model.onEvent(() => this.changed()));
    this.#owned.add(ports.clock.every(SELDOM_MS, () => this.#saveIfOther()));
  }

  /** Something may have changed: if so it is on the disk a moment later. */
  changed(): void {
    if (this.#final || this.#isFailing) return;
    this.#timer ??= this.#ports.clock.after(SOON_MS, () => {
      this.#timer = undefined;
      if (settled(saveModel(this.#ports.model)) !== this.#writtenSettled) this.#saveBehind();
    });
  }

  /** Resolves once everything as it is now is on the disk. Rejects with a CodedError where it cannot be kept. */
  flush(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#isDue = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  /**
   * Keeps the model as it is at this moment, by `keep`, and follows it no more: what ends from now on has been ended.
   * Resolves when that is on the disk, or cannot be and has been told.
   */
  async close(keep: Keep): Promise<void> {
    if (this.#final) return;
    this.#final = saveModel(this.#ports.model, keep);
    this.dispose();
    await this.flush().catch(() => undefined);
  }

  /** Keeps the model before the process dies of an error. Never throws. */
  saveNow(): void {
    try {
      this.#ports.saveNow(this.#final ?? saveModel(this.#ports.model));
    } catch {
      // The error that ends the process is the one to tell.
    }
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#retry?.dispose();
    this.#owned.dispose();
  }

  #saveIfOther(): void {
    if (!this.#isFailing && JSON.stringify(saveModel(this.#ports.model)) !== this.#written)
      this.#saveBehind();
  }

  /** Failures are told by #write. */
  #saveBehind(): void {
    this.flush().catch(() => undefined);
  }

  async #run(): Promise<void> {
    try {
      while (this.#isDue) {
        this.#isDue = false;
        await this.#write(this.#final ?? saveModel(this.#ports.model));
      }
    } finally {
      this.#running = undefined;
    }
  }

  async #write(state: SavedState): Promise<void> {
    const text = JSON.stringify(state);
    if (text === this.#written) return;
    try {
      await this.#ports.save(state);
      await this.#ports.keepIdentities(state.sessions);
    } catch (error) {
      this.#failed(error);
      throw error;
    }
    this.#written = text;
    this.#writtenSettled = settled(state);
    if (this.#isFailing) this.#ports.tell('The state is saved again', 'info');
    this.#isFailing = false;
  }

  /** Told once; the retries are silent. */
  #failed(error: unknown): void {
    if (!this.#isFailing) {
      const seconds = RETRY_MS / 1000;
      this.#ports.tell(
        `${errorText(toCoded(error))}; what runs goes on, and it is tried again every ${seconds} seconds`,
        'error',
      );
    }
    this.#isFailing = true;
    this.#retry?.dispose();
    if (!this.#final) this.#retry = this.#ports.clock.after(RETRY_MS, () => this.#saveBehind());
  }
}

/** A state as text, without what changes all the time. */
function settled(state: SavedState): string {
  return JSON.stringify({
    ...state,
    sessions: state.sessions.map(session => ({ ...session, lastOutputAt: undefined, program: '' })),
    windows: state.windows.map(window => (window.autoName ? { ...window, name: '' } : window)),
  });
}
