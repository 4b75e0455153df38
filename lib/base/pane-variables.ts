/**
 * What mux gives the program of one pane. Nothing that is started for others may have it: a token is a right, and the rest
 * would be said of the wrong session.
 */
export const PANE_VARIABLES: readonly string[] = [
  'MUX_TOKEN',
  'MUX_SOCKET',
  'MUX_SERVER',
  'MUX_SESSION',
  'MUX_PANE',
  'MUX_AGENT',
  'MUX_ROLE',
  'MUX_ROLE_FILE',
  'MUX_MODEL',
];

/** An environment without them. */
export function withoutPane<T>(env: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !PANE_VARIABLES.includes(name)));
}
