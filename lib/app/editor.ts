/**
 * The person's editor on this terminal.
 */
import { spawnSync } from 'node:child_process';
import { CodedError } from '../base/errors.ts';

/** Runs $VISUAL, else $EDITOR, else vi on a file until the person is done. @throws CodedError where it cannot or fails */
export function runEditor(env: Readonly<Record<string, string>>, path: string): void {
  const [editor = 'vi', ...args] = (env.VISUAL?.trim() || env.EDITOR?.trim() || 'vi').split(/\s+/);
  const { error, status, signal } = spawnSync(editor, [...args, path], { stdio: 'inherit', env });
  if (error) throw new CodedError('failed', `editor ${editor}: it cannot be run`, 'set EDITOR');
  if (status !== 0)
    throw new CodedError(
      'failed',
      `editor ${editor}: it ended with ${signal ?? status}`,
      'nothing was saved',
    );
}
