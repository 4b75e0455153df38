/**
 * Reads a command's words by the table about its tool, and tells a judge what they come to.
 */
import { findOption, literal, means, names, sortWords } from './args.ts';
import type { Call, Judge, Option, Tool } from './types.ts';
import { higher, type Tier } from './tier.ts';

/** Words of a subcommand's name: `remote add`, `pr review`. */
const SUB_WORDS = 3;

/** Judges a call by the table. Every finding is told; the highest counts. */
export function applyTool(tool: Tool, call: Call, judge: Judge): void {
  const style = tool.style ?? 'letters';
  const outer = sortWords(call.args, { values: new Set(valuesOf(tool)), style });
  const found = subcommand(
    tool,
    outer.operands.map(arg => arg.text),
  );
  const sub = found?.tool;
  const all = new Set([...valuesOf(tool), ...(sub ? valuesOf(sub) : [])]);
  const sorted = sub ? sortWords(call.args, { values: all, style: sub.style ?? style }) : outer;
  const { options } = sorted;
  const operands = sorted.operands.slice(found?.words ?? 0);
  const use = { call, options, operands };
  const inner = sub ?? tool;
  const isDry = [tool, sub].some(one => one?.dry !== undefined && findOption(options, one.dry));
  if (isDry) judge.note(higherThan('read', inner.tier), 'only shows what it would do');
  else {
    if (
      !byVerb(
        inner,
        use.operands.map(arg => arg.text),
        judge,
      )
    )
      judge.note(inner.tier, inner.why);
    for (const one of sub ? [tool, sub] : [tool]) byFlags(one, options, judge);
  }
  for (const one of sub ? [tool, sub] : [tool]) {
    byValues(one, options, judge);
    if (!isDry) writesOf(one, use, judge);
    one.check?.(use, judge);
  }
}

/** Of a dry run at most this, and never more than the tool itself. */
function higherThan(cap: Tier, tier: Tier): Tier {
  return higher(cap, tier) === cap ? tier : cap;
}

function valuesOf(tool: Tool): string[] {
  return [...names(tool.values), ...names(tool.outputs), ...names(tool.codes)];
}

function subcommand(tool: Tool, words: readonly string[]): { tool: Tool; words: number } | undefined {
  if (!tool.subs) return undefined;
  for (let count = Math.min(SUB_WORDS, words.length); count > 0; count--) {
    const name = words.slice(0, count).join(' ');
    if (Object.hasOwn(tool.subs, name)) return { tool: tool.subs[name]!, words: count };
  }
  return undefined;
}

function byVerb(tool: Tool, words: readonly string[], judge: Judge): boolean {
  for (const [pattern, tier, why] of tool.verbs ?? [])
    if (words.some(word => pattern.test(word))) {
      judge.note(tier, why);
      return true;
    }
  return false;
}

function byFlags(tool: Tool, options: readonly Option[], judge: Judge): void {
  for (const [wanted, tier, why] of tool.flags ?? []) {
    const list = names(wanted);
    if (
      options.some(
        ({ name, value }) => means(name, list) || (value && list.includes(`${name}=${value.text}`)),
      )
    )
      judge.note(tier, why);
  }
}

function byValues(tool: Tool, options: readonly Option[], judge: Judge): void {
  const outputs = names(tool.outputs);
  const codes = names(tool.codes);
  for (const { name, value } of options) {
    if (!value) continue;
    if (means(name, outputs) && value.text !== '-') judge.write(value);
    if (means(name, codes)) judge.code(value.text, value.sources);
  }
}

function writesOf(
  { writes }: Tool,
  { operands }: { readonly operands: readonly Parameters<Judge['write']>[0][] },
  judge: Judge,
): void {
  if (!writes) return;
  const from = { all: 0, last: Math.max(1, operands.length - 1), rest: 1 }[writes];
  for (const file of operands.slice(from)) judge.write(file);
}

/** A tool that only has a tier. */
export function plain(tier: Tier, why: string, more: Partial<Tool> = {}): Tool {
  return { tier, why, ...more };
}

/** Tools that all come to the same, by their blank-separated names; `/` stands for the blank in a subcommand's name. */
export function alike(tier: Tier, why: string, list: string, more: Partial<Tool> = {}): Record<string, Tool> {
  return Object.fromEntries(names(list).map(name => [name.replaceAll('/', ' '), { tier, why, ...more }]));
}

/** A call of another tool with these words, for tools that come to one. */
export function callOf(name: string, call: Call): Call {
  return { ...call, name, args: call.args.length > 0 ? call.args : [literal('')] };
}
