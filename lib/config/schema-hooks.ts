/** Hooks, as config.yaml and a project's own file name them. */
import { z } from 'zod';
import { choice, duration, name, text } from './leaf.ts';

/** When hooks of the agent run. */
export const HOOK_EVENTS = ['before_tool', 'after_tool', 'before_turn', 'after_turn'] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Longer would hold up a person who waits; what takes longer is put into the background by the hook itself. */
const TIMEOUT_MAX = 600_000;

/** One hook. */
export const hook = z
  .strictObject({
    event: choice(HOOK_EVENTS).describe('when it runs: before or after a tool or a turn'),
    match: text()
      .optional()
      .describe('names of tools with | between them and * for any characters; absent: all of them'),
    command: name().describe('a shell line: JSON comes on its input, {"decision":"block","reason":…} stops'),
    timeout: duration().prefault('30s').describe('ended after this; before a tool that blocks the call'),
  })
  .superRefine(({ event, match, timeout }, ctx) => {
    const complain = (key: string, message: string, hint: string): void =>
      ctx.addIssue({ code: 'custom', path: [key], message, params: { hint } });
    if (match !== undefined && event.endsWith('_turn'))
      complain('match', 'turns have no name to match', 'leave it out');
    if (timeout < 1 || timeout > TIMEOUT_MAX)
      complain('timeout', 'expected 1ms to 10m', '30s where it is absent');
  });

export const hooks = z.array(hook);
