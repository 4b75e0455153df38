/**
 * One thing that `mux doctor` looks at.
 */

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** What was found, in one line. */
  readonly detail: string;
  /** What to do about it; '' where there is nothing. */
  readonly remedy: string;
  /** Puts it right without a risk to anything; absent where that needs a person. */
  readonly fix?: () => Promise<void> | void;
}

/** All is well. */
export const fine = (name: string, detail: string): Check => ({ name, ok: true, detail, remedy: '' });

/** Something is wrong. */
export function wrong(name: string, detail: string, remedy: string, fix?: Check['fix']): Check {
  return { name, ok: false, detail, remedy, ...(fix ? { fix } : {}) };
}
