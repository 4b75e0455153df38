/**
 * How dangerous it is what an agent asks for, and what the person's rules say to it.
 */
import { classify } from '../permissions/classify.ts';
import { pathTier } from '../permissions/paths.ts';
import { decideShell, decideTool, type Decision, type Layer } from '../permissions/policy.ts';
import { higher, type Tier } from '../permissions/tier.ts';
import type { Verdict, Wish } from './types.ts';

/** What was found about a wish. */
export interface Risk {
  readonly tier: Tier;
  /** For people, the worst first. */
  readonly reasons: readonly string[];
  /** Where rules decide. */
  readonly verdict?: Verdict;
}

/** What rules call the tool that runs shell, whatever an agent calls its own. */
const SHELL = 'exec_shell';
/** Names of agents' tools that run shell: Claude Code, Codex, Gemini CLI, Cursor. */
const SHELL_TOOLS = new Set(
  'bash shell exec_shell exec_command local_shell run_shell_command shell_command run_terminal_cmd terminal execute_command'.split(
    ' ',
  ),
);
/** Tools that change nothing. */
const READING =
  /^(?:Read|Glob|Grep|LS|NotebookRead|TodoRead|TodoWrite|read_files?|list_directory|list_dir|glob|grep|search_\w+|read_many_files|Web(?:Fetch|Search)|web_fetch|google_web_search|fetch_url)$/;
/** Reasons that a person is told; the rest is in `mux classify`. */
const REASONS_MAX = 5;

/** Judges a wish by itself and by rules. */
export function riskOf(wish: Wish, layers: readonly Layer[]): Risk {
  return SHELL_TOOLS.has(wish.tool.toLowerCase()) ? shellRisk(wish, layers) : toolRisk(wish, layers);
}

function shellRisk({ command }: Wish, layers: readonly Layer[]): Risk {
  const { line, hasMore } = lineOf(command);
  const found = classify(line);
  const told = found.reasons.slice(0, REASONS_MAX).map(({ why, part }) => `${why}: ${part}`);
  // A sandbox turned off, another host: what stands beside the line may matter more than the line.
  const tier = hasMore ? higher('elevated', found.tier) : found.tier;
  const reasons = hasMore ? ['there is more to it than the command', ...told] : told;
  const decision = decideShell(
    layers,
    SHELL,
    hasMore ? { ...found, tier, isUnderstood: false } : found,
    'passthrough',
  );
  return { tier, reasons, ...verdictOf(decision) };
}

/** Where a tool gets more than a line, its whole input is JSON. */
function lineOf(command: string): { readonly line: string; readonly hasMore: boolean } {
  if (!command.startsWith('{"')) return { line: command, hasMore: false };
  try {
    const { command: line } = JSON.parse(command) as { readonly command?: unknown };
    return typeof line === 'string' ? { line, hasMore: true } : { line: command, hasMore: false };
  } catch {
    return { line: command, hasMore: false };
  }
}

function toolRisk({ tool, command, diff }: Wish, layers: readonly Layer[]): Risk {
  const risk = diff === null && READING.test(tool) ? READS : writeRisk(command, diff !== null);
  return { ...risk, ...verdictOf(decideTool(layers, tool, [command], risk.tier, 'passthrough')) };
}

const READS: Risk = { tier: 'read', reasons: [] };

function writeRisk(command: string, isFile: boolean): Risk {
  if (!isFile) return { tier: 'write', reasons: ['what this tool does is not known'] };
  const { tier, why } = pathTier({ text: command, isGlob: false, isDynamic: false, sources: [] });
  return { tier, reasons: [why] };
}

/** A person's rules answer where they say something; silence, and `ask`, leave it to the person. */
function verdictOf({ mode, opinions }: Decision): { verdict?: Verdict } {
  const why = opinions[0]?.why ?? '';
  if (mode === 'deny') return { verdict: { type: 'deny', reason: why, byRule: true } };
  const isRuled = mode === 'allow' && opinions.some(one => / rule \d+: allow /.test(one.why));
  return isRuled ? { verdict: { type: 'allow', always: false, byRule: true } } : {};
}
