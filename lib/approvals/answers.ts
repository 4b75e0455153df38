/**
 * Verdicts in the words of each agent's hooks, by the name of the event.
 */
import type { Verdict } from './types.ts';

interface Form {
  /** The agent is about to ask a person itself: worth waiting for. Others come with every use of a tool. */
  readonly asks: boolean;
  answer(verdict: Verdict): object;
}

const word = ({ type }: Verdict): string => type;
const why = (verdict: Verdict): string =>
  verdict.type === 'allow'
    ? `allowed by ${who(verdict)}`
    : `denied by ${who(verdict)}${verdict.reason && `: ${verdict.reason}`}`;
const who = ({ byRule }: Verdict): string => (byRule ? "the person's rules" : 'the person');

const FORMS: Readonly<Record<string, Form>> = {
  // Claude Code (code.claude.com/docs/en/hooks), and Codex where its hooks are used.
  PermissionRequest: {
    asks: true,
    answer: verdict => ({
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision:
          verdict.type === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: why(verdict) },
      },
    }),
  },
  PreToolUse: {
    asks: false,
    answer: verdict => ({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: word(verdict),
        permissionDecisionReason: why(verdict),
      },
    }),
  },
  // Gemini CLI.
  BeforeTool: { asks: false, answer: verdict => ({ decision: word(verdict), reason: why(verdict) }) },
  // Cursor.
  beforeShellExecution: {
    asks: false,
    answer: verdict => ({ permission: word(verdict), agentMessage: why(verdict) }),
  },
  // For hooks that people write themselves.
  permission: { asks: true, answer: verdict => ({ decision: word(verdict), reason: why(verdict) }) },
};

/** Whether an agent that reports this is about to ask a person. */
export function asksPerson(event: string): boolean {
  return Object.hasOwn(FORMS, event) && FORMS[event]!.asks;
}

/** What a hook prints for a verdict; undefined where an event takes none. */
export function answerText(event: string, verdict: Verdict): string | undefined {
  return Object.hasOwn(FORMS, event) ? JSON.stringify(FORMS[event]!.answer(verdict)) : undefined;
}
