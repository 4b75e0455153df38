/**
 * One call of a tool, looked at, decided on and run.
 */
import { randomUUID } from 'node:crypto';
import { decide, WORD } from '../../agent/review.ts';
import type { Arguments, CallContext, Outcome, Preview, Tool } from '../../agent/tool.ts';
import { CodedError } from '../../base/errors.ts';
import { revealed } from '../../base/visible.ts';
import type { Decision } from '../../permissions/policy.ts';
import type { AppContext } from '../context.ts';
import type { CallGuards } from '../project/project-here.ts';
import { ask } from '../server-command.ts';

/**
 * Runs a call under the rules and prints what it came to; 1 where it failed.
 *
 * @throws CodedError `refused` where a rule or the person says no, or there is nobody to ask
 */
export async function callTool(
  context: AppContext,
  tool: Tool,
  json: string,
  { layers, hooks }: CallGuards,
): Promise<number> {
  const abort = new AbortController();
  const interrupt = (): void => abort.abort();
  process.on('SIGINT', interrupt);
  // Timers of tools keep nothing running: this does, until the call is over.
  const awake = setInterval(() => undefined, 60_000);
  try {
    const call: CallContext = {
      id: randomUUID(),
      signal: abort.signal,
      progress: text => progress(context, text),
    };
    const args = argumentsOf(json);
    const preview = await tool.preview(args, call);
    const name = tool.wire.name ?? '';
    await settle(preview, decide(name, preview, 'manual', layers));
    const why = await hooks.before(name, args, abort.signal);
    if (why !== undefined) throw new CodedError('refused', revealed(`${name}: blocked by a hook: ${why}`));
    const outcome = await tool.run(args, preview, call);
    await hooks.after(name, args, outcome, abort.signal);
    await hooks.idle();
    if (abort.signal.aborted) throw new CodedError('cancelled', `${name}: cancelled`);
    print(context, tool, preview, outcome);
    return outcome.isError ? 1 : 0;
  } finally {
    clearInterval(awake);
    process.off('SIGINT', interrupt);
  }
}

function argumentsOf(json: string): Arguments {
  let value: unknown;
  try {
    value = JSON.parse(json) as unknown;
  } catch (error) {
    throw new CodedError('usage', 'tools call: the arguments are no JSON', 'quote them for the shell', {
      cause: error,
    });
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new CodedError('usage', 'tools call: the arguments are no JSON object');
  return value as Arguments;
}

/** Returns where the call may run. Throws CodedError `refused`, and `failed` where it would fail. */
async function settle(preview: Preview, { mode, tier, wantsWord, opinions }: Decision): Promise<void> {
  const [first] = opinions;
  const why = first ? `${revealed(first.part.slice(0, 200))}: ${first.why}` : `it is ${tier}`;
  if (mode === 'deny') throw new CodedError('refused', `${preview.header}: ${why}`);
  if (preview.trouble) throw new CodedError('failed', revealed(preview.trouble));
  if (mode === 'allow') return;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new CodedError(
      'refused',
      `${revealed(preview.header)}: it needs a verdict, and nobody can give one: ${why}`,
      'allow it by a rule in permissions, or run it on a terminal',
    );
  const shown = [preview.header, preview.body, preview.diff, `${tier}: ${why}`].filter(Boolean).join('\n');
  console.error(shown.split('\n').map(revealed).join('\n'));
  const answer = (await ask(wantsWord ? `type ${WORD} to run it: ` : 'run it? [y/N] ')).trim();
  const isYes = wantsWord ? answer === WORD : /^y(?:es)?$/i.test(answer);
  if (!isYes) throw new CodedError('refused', `${revealed(preview.header)}: you said no`);
}

/** Output as it comes, for a person who watches; a script gets it at the end. */
function progress({ json }: AppContext, text: string): void {
  if (json === 'off' && process.stderr.isTTY) process.stderr.write(text.split('\n').map(revealed).join('\n'));
}

function print(
  { json }: AppContext,
  tool: Tool,
  { header, diff }: Preview,
  { content, isError }: Outcome,
): void {
  if (json !== 'off') {
    console.log(
      JSON.stringify({ tool: tool.wire.name, header, content, is_error: isError, ...(diff ? { diff } : {}) }),
    );
    return;
  }
  const text = process.stdout.isTTY ? content.split('\n').map(revealed).join('\n') : content;
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}
