/**
 * The extension by which pi reports: it has no hooks that are commands, but runs JavaScript of ours.
 */

/** Event of pi (its documentation, extensions.md) → event of ours, and the facts that go with it. */
const EVENTS: readonly (readonly [string, string, string])[] = [
  ['session_start', 'SessionStart', '{}'],
  ['agent_start', 'working', '{}'],
  ['tool_execution_start', 'PreToolUse', '{ tool_name: event.toolName }'],
  ['tool_execution_end', 'PostToolUse', '{ tool_name: event.toolName }'],
  ['agent_end', 'ready', '{}'],
];

/**
 * Text of the extension. It reports one event after the other, since processes may overtake each other, and waits for
 * none: what cannot be reported is not, and pi never hears of it.
 * @param hook argv that takes the event's name, and its facts as JSON on stdin
 */
export function piExtension(hook: readonly string[]): string {
  const rows = EVENTS.map(
    ([theirs, ours, facts]) => `  pi.on('${theirs}', (event, ctx) => tell('${ours}', ctx, ${facts}));`,
  );
  return `import { spawn } from 'node:child_process';

const [program, ...words] = ${JSON.stringify(hook)};
/** Reports that wait for the one before; a flood of them is cut short. */
const WAITING_MAX = 100;
let last = Promise.resolve();
let waiting = 0;

function report(event, facts) {
  return new Promise(resolve => {
    const child = spawn(program, [...words, event], { stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', resolve);
    child.on('close', resolve);
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(facts));
  });
}

function tell(event, ctx, facts) {
  if (waiting >= WAITING_MAX) return;
  waiting++;
  const session_id = ctx.sessionManager.getSessionId();
  last = last.then(() => report(event, { session_id, ...facts })).then(() => void waiting--);
}

export default function (pi) {
${rows.join('\n')}
}`;
}
