/**
 * Long texts for a person at a terminal.
 */
import { spawnSync } from 'node:child_process';

/** Whether the pager shows colours instead of their sequences: less does, where it is asked to. */
export function takesColors({ PAGER = '' }: Readonly<Record<string, string>>): boolean {
  return /^\s*(?:(?:\S*\/)?less(?:\s|$)|$)/.test(PAGER);
}

/** Shows a text in $PAGER, else less, until the person has read it; prints it where there is no pager. */
export function showInPager(env: Readonly<Record<string, string>>, text: string): void {
  const [pager = 'less', ...args] = (env.PAGER?.trim() || 'less').split(/\s+/);
  const all = takesColors(env) ? [...args, '-R'] : args;
  const { error } = spawnSync(pager, all, { input: text, stdio: ['pipe', 'inherit', 'inherit'] });
  // EPIPE: the pager was left before it had read all. Any other error: it did not run.
  if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') console.log(text);
}
