/**
 * Settings that cannot be read never mean "no sandbox". Pure.
 */
import { CodedError } from '../base/errors.ts';

/** Of a problem what tells whether the sandbox is concerned. */
export interface SettingsProblem {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What is wrong with what is said of sandboxes, '' if nothing is: where a file is no YAML nobody knows what it said. */
export function sandboxTrouble(problems: readonly SettingsProblem[]): string {
  const found = problems.find(({ message, hint = '' }) =>
    /sandbox|not valid YAML|stands twice/.test(`${message} ${hint}`),
  );
  return found?.message ?? '';
}

/** Throws CodedError `refused` where what is to be confined cannot be, for what was meant is not known. */
export function refuseTrouble(trouble: string): void {
  if (trouble === '') return;
  throw new CodedError('refused', `sandbox: the settings are wrong: ${trouble}`, "see 'mux config check'");
}
