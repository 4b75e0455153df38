/**
 * Reads from a hook's JSON what an agent wants to do.
 */
import type { HookPayload } from '../status/hooks.ts';
import { passageDiff, type Passage } from './diff.ts';
import type { Wish } from './types.ts';

/** Longest command that mux asks about: one that nobody could read is left to the agent's own dialog. */
const COMMAND_MAX = 64 * 1024;
const TOOL_MAX = 200;

/**
 * Tools of Claude Code that are a question themselves: a yes to the tool would not answer it, so its own dialog is
 * needed.
 */
const OWN_DIALOG = new Set(['AskUserQuestion', 'ExitPlanMode']);

/** Keys that say what a tool gets, the first found counts; each with keys beside it that change nothing of what is done. */
const COMMAND_KEYS: Readonly<Record<string, readonly string[]>> = {
  command: ['description', 'timeout', 'run_in_background'],
  // What is written is in the diff; what is read is in the file.
  file_path: ['old_string', 'new_string', 'replace_all', 'content', 'edits', 'offset', 'limit', 'pages'],
  notebook_path: ['new_source', 'cell_id', 'cell_type', 'edit_mode'],
  url: ['prompt'],
  query: [],
};

/** The wish of a payload; undefined where it says too little, too much, or asks what only the agent's dialog can. */
export function wishOf(payload: HookPayload): Wish | undefined {
  const tool = text(payload['tool_name']);
  const input = facts(payload['tool_input']);
  const command = commandOf(input) ?? JSON.stringify(input);
  if (tool === '' || tool.length > TOOL_MAX || command.length > COMMAND_MAX || OWN_DIALOG.has(tool))
    return undefined;
  return { tool, command, diff: diffOf(input) ?? null };
}

/**
 * What a tool gets, where that is all it gets. A host, a user or a sandbox turned off beside a command are a part of what
 * is asked, so they must be seen; and what is allowed always is allowed with them alone.
 */
function commandOf(input: HookPayload): string | undefined {
  const key = Object.keys(COMMAND_KEYS).find(one => text(input[one]) !== '');
  if (key === undefined) return undefined;
  const rest = Object.keys(input).filter(one => one !== key && !COMMAND_KEYS[key]!.includes(one));
  return rest.length === 0 ? text(input[key]) : undefined;
}

function diffOf(input: HookPayload): string | undefined {
  const path = text(input['file_path']) || text(input['notebook_path']);
  if (path === '') return undefined;
  const several = Array.isArray(input['edits']) ? input['edits'].map(facts) : [];
  return passageDiff(path, [input, ...several].flatMap(passage));
}

/** Edits have an old and a new text; a file that is written, and a notebook's cell, a new one alone. */
function passage(edit: HookPayload): Passage[] {
  const after = ['new_string', 'content', 'new_source']
    .map(key => edit[key])
    .find(one => typeof one === 'string');
  return typeof after === 'string' ? [{ before: text(edit['old_string']), after }] : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function facts(value: unknown): HookPayload {
  return typeof value === 'object' && value !== null ? (value as HookPayload) : {};
}
