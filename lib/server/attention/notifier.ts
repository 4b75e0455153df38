/**
 * Tells a person that a session needs them, outside mux: by the command of the settings, or by the terminal's own
 * notification.
 */
import { spawn } from 'node:child_process';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { attentionOf } from '../../model/sessions.ts';
import type { SessionRecord } from '../../model/types.ts';
import type { Decision } from '../../status/types.ts';

/** Commands at work at the same time: one that hangs must not pile up others. */
const RUNNING_MAX = 4;
/** A command that takes longer is ended: it shows a text. */
const RUN_MS = 10_000;
/** A session that asks again and again is told of no more often than this; what it asks last is told then. */
const GAP_MS = 5000;
/** Names and texts become arguments and a line of a terminal's own notification. */
const TEXT_MAX = 300;

export interface NotifierPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** A shell line, '' for none. */
  command(): string;
  /** Hours without notifications, `HH:MM-HH:MM`, '' for none. */
  quiet(): string;
  readonly env: Readonly<Record<string, string>>;
  /** Shows a text by the terminals that do not have the focus. */
  onTerminals(text: string): void;
}

/** What was told of a session last. */
interface Told {
  readonly key: string;
  readonly at: number;
}

export class Notifier {
  readonly #ports: NotifierPorts;
  readonly #told = new Map<string, Told>();
  #running = 0;

  constructor(ports: NotifierPorts) {
    this.#ports = ports;
  }

  /**
   * Tells of a session's need, once for each: the same one told again is no news. Returns 0, or the ms after which it may
   * be told: too little time has passed since the last.
   */
  notify(session: SessionRecord, decision: Decision): number {
    const { clock, command, quiet } = this.#ports;
    const reason = attentionOf(decision);
    const key = `${decision.need} ${reason}`;
    const before = this.#told.get(session.id);
    const now = clock.now();
    if (before?.key === key) return 0;
    const wait = before ? before.at + GAP_MS - now : 0;
    if (wait > 0) return wait;
    this.#told.set(session.id, { key, at: now });
    if (isQuiet(quiet(), now)) return 0;
    const title = plain(`${session.name} needs you`);
    const body = plain(reason);
    if (command() === '') this.#ports.onTerminals(body === '' ? title : `${title}: ${body}`);
    else this.#run(command(), session, { title, body, need: decision.need ?? '' });
    return 0;
  }

  /** The session needs nobody any more: the next need is news, even the same. */
  over(session: SessionRecord): void {
    const before = this.#told.get(session.id);
    if (before) this.#told.set(session.id, { key: '', at: before.at });
  }

  forget(session: SessionRecord): void {
    this.#told.delete(session.id);
  }

  /**
   * The line is the person's own and is run as it stands. What is told comes as `$1` and `$2` and in the environment,
   * never as a part of the line: names and texts come from programs.
   */
  #run(line: string, session: SessionRecord, told: { title: string; body: string; need: string }): void {
    const { env, logger, clock } = this.#ports;
    if (this.#running >= RUNNING_MAX)
      return logger.log('warn', 'too many notifications run: one is left out');
    this.#running++;
    const child = spawn('/bin/sh', ['-c', line, 'mux-notify', told.title, told.body], {
      cwd: '/',
      stdio: 'ignore',
      detached: true,
      env: {
        ...env,
        MUX_NOTIFY_TITLE: told.title,
        MUX_NOTIFY_BODY: told.body,
        MUX_NOTIFY_NEED: told.need,
        MUX_NOTIFY_SESSION: session.id,
        MUX_NOTIFY_NAME: session.name,
      },
    });
    const late = clock.after(RUN_MS, () => endGroup(child.pid));
    let isOver = false;
    const over = (problem: string): void => {
      if (isOver) return;
      isOver = true;
      late.dispose();
      this.#running--;
      if (problem) logger.log('warn', 'notification command failed', { problem });
    };
    child.once('error', error => over(error.message));
    child.once('exit', (code, signal) => over(code === 0 ? '' : `it ended with ${signal ?? code}`));
    child.unref();
  }
}

/** Ends a program with everything it has started. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: it ended by itself.
  }
}

/** One line without control characters. */
function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, TEXT_MAX);
}

/** Whether `now` lies in the hours `HH:MM-HH:MM`, which may go over midnight; in the machine's own time. */
export function isQuiet(hours: string, now: number): boolean {
  const match = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(hours);
  if (!match) return false;
  const [from, to] = [Number(match[1]) * 60 + Number(match[2]), Number(match[3]) * 60 + Number(match[4])];
  const date = new Date(now);
  const minute = date.getHours() * 60 + date.getMinutes();
  return from! <= to! ? minute >= from! && minute < to! : minute >= from! || minute < to!;
}
