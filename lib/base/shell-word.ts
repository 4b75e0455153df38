/**
 * Words for a shell: of commands that it runs, and of those that a person is told to copy.
 */

/** A word as every POSIX shell reads it (XCU 2.2.2, single quotes). */
export function shellWord(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
