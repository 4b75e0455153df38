/**
 * Diagnostics for whoever mends mux. Never keys, prompts or environment values.
 */

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Facts beside a message; values are shown as JSON with control characters escaped. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where diagnostics go. Never throws. */
export interface Logger {
  log(level: LogLevel, message: string, fields?: LogFields): void;
}

/** One log line, without its newline: time, level, message, fields as JSON (which escapes C0; C1 and DEL are escaped here). */
export function formatLogLine(now: number, level: LogLevel, message: string, fields?: LogFields): string {
  const tail = fields
    ? ' ' + JSON.stringify(fields, (_k, v: unknown) => (v instanceof Error ? v.stack : v))
    : '';
  const line = `${new Date(now).toISOString()} ${level} ${JSON.stringify(message).slice(1, -1)}${tail}`;
  return line.replace(/[\u007f-\u009f]/g, c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
}
