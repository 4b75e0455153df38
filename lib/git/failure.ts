/**
 * What git says when it fails, as one line, and what can be read from it. LC_ALL=C makes these words reliable.
 */
import { CodedError } from '../base/errors.ts';

/** Longer lines are cut: git repeats what a remote says, which may be anything. */
const MAX_LINE = 300;

/** What a run said: `code` is the exit status. */
export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/**
 * The line that says why: the last that begins with `fatal:` or `error:` (advice follows it), else the last one. '' for
 * none. Without its mark and without control characters.
 */
export function reasonOf(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).map(line => line.trim());
  const marked = lines.filter(line => /^(?:fatal|error):/i.test(line));
  const line = marked.at(-1) ?? lines.findLast(text => text !== '') ?? '';
  const plain = line.replace(/^(?:fatal|error):\s*/i, '').replace(/\p{Cc}/gu, ' ');
  return plain.length > MAX_LINE ? `${plain.slice(0, MAX_LINE)}…` : plain;
}

/** Whether the run met the lock of another git, which goes by itself: asking again is right. */
export function isLocked(stderr: string): boolean {
  return (
    /\.lock'?: File exists|could not lock config file|Another git process seems to be running/.test(stderr) ||
    // Two that write one reference, or one that packs them meanwhile.
    /cannot lock ref .*(?:Unable to create|is at .* but expected)/.test(stderr)
  );
}

/** `git COMMAND: WHY`. */
export function gitFailure(args: readonly string[], answer: GitAnswer, hint?: string): CodedError {
  const why = reasonOf(answer.stderr) || `ended with status ${answer.code}`;
  return new CodedError('failed', `git ${commandOf(args)}: ${why}`, hint);
}

/** The command's name as a person would say it: `worktree add`, `fetch`. */
export function commandOf(args: readonly string[]): string {
  const [first = '', second = ''] = args[0] === '-c' ? args.slice(2) : args;
  return /^(?:worktree|stash|remote|submodule)$/.test(first) && /^[a-z]+$/.test(second)
    ? `${first} ${second}`
    : first;
}
