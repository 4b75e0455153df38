/**
 * `mux classify CMD` and `mux classify --jsonl`: what a line of shell may do at most. Nothing of it is run.
 */
import { createInterface } from 'node:readline';
import { CodedError, errorJson } from '../base/errors.ts';
import { shellWord } from '../base/shell-word.ts';
import { revealed } from '../base/visible.ts';
import { parseArgs } from '../cmd/args.ts';
import { command, flag } from '../cmd/define.ts';
import { classify } from '../permissions/classify.ts';
import type { Tier } from '../permissions/tier.ts';
import { UNKNOWN, type Classification, type Part } from '../permissions/types.ts';
import type { AppContext } from './context.ts';

const CLASSIFY = command({
  name: 'classify',
  group: 'Screen',
  text: '',
  args: 'CMD',
  flags: [flag('jsonl', 'lines of JSON on stdin')],
  maxArgs: Infinity,
  exec: () => undefined,
});

/** Status by tier: a script can ask whether a line may run without reading what it got. */
const EXITS: Readonly<Record<Tier, number>> = {
  passthrough: 0,
  read: 0,
  write: 10,
  elevated: 11,
  destructive: 12,
};

/** Resolves with the status of the tier. Throws CodedError. */
export async function classifyCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const args = parseArgs(CLASSIFY, words);
  if (args.has('jsonl')) {
    if (args.rest.length > 0) throw new CodedError('usage', 'classify --jsonl: takes its lines from stdin');
    return classifyLines();
  }
  if (args.rest.length === 0)
    throw new CodedError('usage', 'classify: no command', "usage: mux classify 'CMD' | classify --jsonl");
  // One word is a line of shell, several are a command's words.
  const line = args.rest.length === 1 ? args.rest[0]! : args.rest.map(shellWord).join(' ');
  const found = classify(line);
  console.log(context.json === 'off' ? asText(found) : JSON.stringify(asJson(found)));
  return EXITS[found.tier];
}

/** An answer for each line with `{"cmd": …}`; a line that is not one gets an error, and the others go on. */
async function classifyLines(): Promise<number> {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    const cmd = commandOf(line);
    const answer =
      cmd === undefined
        ? errorJson(new CodedError('usage', 'classify --jsonl: a line without a text "cmd"'))
        : JSON.stringify(asJson(classify(cmd)));
    // Whoever reads slowly holds us back, and nothing piles up.
    if (!process.stdout.write(`${answer}\n`)) await new Promise(done => process.stdout.once('drain', done));
  }
  return 0;
}

function commandOf(line: string): string | undefined {
  try {
    const value = JSON.parse(line) as { readonly cmd?: unknown } | null;
    return typeof value?.cmd === 'string' ? value.cmd : undefined;
  } catch {
    return undefined;
  }
}

function asJson({ cmd, tier, reasons, parts, isUnderstood }: Classification): object {
  return { cmd, tier, understood: isUnderstood, reasons, parts: parts.map(partJson) };
}

function partJson({ text, argv, tier, isExact }: Part): object {
  return { text, argv: argv.map(word => word.replaceAll(UNKNOWN, '…')), tier, exact: isExact };
}

function asText({ tier, reasons, parts }: Classification): string {
  const why = reasons.map(one => `  ${one.tier.padEnd(12)} ${one.why}: ${revealed(one.part)}`);
  const others = parts
    .filter(part => !reasons.some(one => one.part === part.text))
    .map(part => `  ${part.tier.padEnd(12)} ${revealed(part.text)}`);
  return [tier, ...why, ...others].join('\n');
}
