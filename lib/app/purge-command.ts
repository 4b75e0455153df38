/**
 * `mux purge`: asks on a terminal before work is lost; elsewhere the server refuses without -y.
 */
import { CodedError } from '../base/errors.ts';
import { visible } from '../base/visible.ts';
import { parseArgs } from '../cmd/args.ts';
import { findCommand } from '../cmd/registry.ts';
import type { AppContext } from './context.ts';
import { remoteCommand } from './local.ts';
import { runRemote } from './remote.ts';
import { ask } from './server-command.ts';

/** What `purge --dry-run` tells. */
interface Tried {
  readonly sessions: readonly {
    readonly id: string;
    readonly name: string;
    readonly lost: string;
    readonly digest: string;
  }[];
}

/** Runs `mux purge WORDS`. Resolves with the exit status. Throws CodedError. */
export async function purgeCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const args = parseArgs(findCommand('purge'), words);
  const isAsked = process.stdin.isTTY && !args.has('y') && !args.has('dry-run') && context.json === 'off';
  if (!isAsked) return remoteCommand(context, ['purge', ...words]);
  let told = '';
  const write = (stream: 'out' | 'err', text: string): void => {
    if (stream === 'out') told += text;
    else process.stderr.write(text);
  };
  const status = await runRemote({ ...context, json: 'on' }, ['purge', '--dry-run', ...words], { write });
  if (status !== 0) throw failureOf(told);
  const { sessions } = JSON.parse(told) as Tried;
  const lost = sessions.filter(session => session.lost !== '');
  const lines = lost.map(({ name, lost: what }) => `${name}: ${visible(what)}\n`).join('');
  if (lost.length > 0) {
    const answer = await ask(`This would be lost:\n${lines}Remove all the same? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CodedError('cancelled', 'purge: not done');
  }
  // By id: what was asked about, whatever has got its name meanwhile. And what was told: more than that is not lost.
  const ids = sessions.map(session => session.id);
  const agreed = lost.flatMap(({ id, digest }) => ['--told', `${id}:${digest}`]);
  return runRemote(context, ['purge', ...(lost.length > 0 ? ['-y', ...agreed] : []), ...ids]);
}

/** The error that the server has told as JSON. */
function failureOf(told: string): CodedError {
  const { error } = JSON.parse(told) as {
    readonly error: { readonly code: CodedError['code']; readonly message: string; readonly hint: string };
  };
  return new CodedError(error.code, error.message, error.hint || undefined);
}
