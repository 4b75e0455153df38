/**
 * A fleet's file as one schema: every key with its kind and one line that says what it is for. Reading and the manual
 * both use it.
 */
import { z } from 'zod';
import { bool, choice, duration, envValue, name, text } from '../config/leaf.ts';

/** A program's words: one text is a line for the shell. */
const words = () => z.union([name(), z.array(text()).min(1, 'it is empty')]);
const names = () => z.union([name(), z.array(name())]);

const afterEntry = z.union([
  name(),
  z.strictObject({
    session: name().describe('the member that is waited for'),
    until: choice(['started', 'ready'])
      .prefault('started')
      .describe('its program runs, or it waits for input'),
  }),
]);

const member = z.strictObject({
  agent: name().optional().describe('an entry of agents; without it and command: the default agent'),
  command: words().optional().describe('a line for the shell, or a list of words'),
  role: name().optional().describe('role of the graph'),
  model: name().optional().describe('model, as the agent calls it'),
  prompt: text().optional().describe('what the agent is to begin with'),
  repo: name().optional().describe('its directory; relative to that of the fleet'),
  worktree: bool().optional().describe('whether it gets a git worktree and branch of its own'),
  base: name().optional().describe('with worktree: what to start from'),
  fetch: bool().optional().describe('with worktree: whether the remote is asked first (true)'),
  labels: names().optional().describe('labels to find it by'),
  env: z.record(z.string(), envValue()).optional().describe('environment for its program'),
  after: z
    .union([afterEntry, z.array(afterEntry)])
    .optional()
    .describe('members that start before it'),
});

const pane = z.union([
  name(),
  z.strictObject({
    session: name().optional().describe('a member'),
    command: words().optional().describe('a command, where no member is named'),
    dir: name().optional().describe('directory of the command; relative to that of the fleet'),
  }),
]);

const window = z.strictObject({
  name: name().optional().describe('its name'),
  layout: name().optional().describe('an arrangement, or the text of a layout; tiled without'),
  panes: z.array(pane).min(1, 'it is empty').describe('members by name, and commands'),
});

const message = z.strictObject({
  to: name().describe('the member it is for'),
  from: name().optional().describe('the member that says it; without it whoever starts the fleet'),
  text: name().describe('what it says'),
});

/** The whole file. */
export const fleetSchema = z.strictObject({
  name: name().optional().describe('name of the fleet; without it that of the file'),
  repo: name().optional().describe('directory of its sessions; relative to the file, whose own without it'),
  on_failure: choice(['rollback', 'report'])
    .prefault('rollback')
    .describe('what becomes of the others where one does not start: taken back, or kept'),
  ready_timeout: duration()
    .prefault('60s')
    .describe('how long a member may take to be ready where others wait for it'),
  sessions: z.record(z.string(), member).prefault({}).describe('its members by name'),
  windows: z.array(window).optional().describe('how they are shown; without it side by side in one window'),
  messages: z.array(message).prefault([]).describe('what members are told once all have started'),
});

/** A fleet's file as it was read. */
export type FleetFile = z.output<typeof fleetSchema>;
