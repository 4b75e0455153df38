/**
 * Announcing wired to a server: screens, hooks, the typist, and the lives of sessions.
 */
import { errorText, toCoded } from '../../base/errors.ts';
import type { DisposableStore } from '../../base/event.ts';
import type { MessagesLink } from '../../messages/link.ts';
import { inboxOf, ownerOf, PERSON_NAME } from '../../messages/types.ts';
import { runs } from '../../model/sessions.ts';
import type { SessionId, SessionRecord, Terminal } from '../../model/types.ts';
import { isPromptEmpty } from '../../status/draft.ts';
import { BG, CELL_WORDS, FG, type CellLine } from '../../term/cell.ts';
import type { TextView } from '../../term/screen-view.ts';
import { cellText } from '../../term/text-dump.ts';
import type { MuxServer } from '../server.ts';
import { Announcer } from './announcer.ts';
import { answerWithMail } from './hook-mail.ts';
import type { Messages } from './messages.ts';

/** Rows above the screen where an announcement is looked for that an earlier server may have typed. */
const ROWS_BACK = 300;
/** Ends of programs after which mail does not start them again: somebody has to look first. */
const NOT_WOKEN: ReadonlySet<string> = new Set(['watchdog', 'interrupted', 'delete']);

/** Makes it. `start` announces what came before this server, once its sessions are there. */
export function openAnnouncer(
  server: MuxServer,
  messages: Messages,
  link: MessagesLink,
  owned: DisposableStore,
): { readonly announcer: Announcer; start(): Promise<void> } {
  const { clock, settings, logger } = server.parts;
  const { model } = server;
  /** Programs that ran before this server: what was typed into them nobody knows. */
  const adopted = new WeakSet<Terminal>();
  const failed = (error: unknown): void => logger.log('warn', errorText(toCoded(error)));
  const announcer = owned.add(
    new Announcer({
      clock,
      model,
      pending: subscriber => link.call('pending', subscriber),
      announced: (subscriber, seq, state) => link.call('announced', { subscriber, seq, state }),
      type: (session, text, isStill) => typeLine(server, session, text, isStill),
      mayHoldDraft: session => mayHoldDraft(session, adopted),
      shows: (session, text) => session.terminal !== undefined && shows(session.terminal.view, text),
      wakes(session) {
        const { wake } = settings.config.messages;
        if (wake === 'off' || !session.durable || NOT_WOKEN.has(session.stopReason)) return false;
        return wake === 'all' || session.stopReason === 'idle';
      },
      async wake(session) {
        server.tellAll(`session ${session.name}: it has mail and is started again`, 'info');
        await server.lifecycle.resume(session, session.size);
      },
      trouble: failed,
    }),
  );
  owned.add(
    messages.onMessage(({ stream, quiet }) => {
      const owner = ownerOf(stream);
      if (owner !== undefined && owner !== PERSON_NAME && !quiet)
        announcer.look(owner as SessionId, { isNew: true });
    }),
  );
  owned.add(
    model.onEvent(event => {
      if (event.type === 'session-deleted') announcer.forget(event.session.id);
    }),
  );
  answerHooks(server, messages, link, failed);
  return {
    announcer,
    async start() {
      for (const { session } of server.parts.running) {
        const terminal = model.sessions.get(session)?.terminal;
        if (terminal) adopted.add(terminal);
      }
      for (const { subscriber } of await link.call('allPending', null))
        announcer.look(subscriber as SessionId);
    },
  };
}

/** Approvals answer first: an event that both have a word for is theirs. */
function answerHooks(
  server: MuxServer,
  messages: Messages,
  link: MessagesLink,
  failed: (error: unknown) => void,
): void {
  const before = server.hooks.answerer;
  const ports = {
    unread: (subscriber: string, limit: number) =>
      messages.read({ stream: inboxOf(subscriber), subscriber, after: 0, all: false, thread: '', limit }),
    isToBeAnnounced: async (subscriber: string) => (await link.call('pending', subscriber)) !== undefined,
    acknowledge: (subscriber: string, seqs: readonly number[]) =>
      messages.acknowledge({ subscriber, stream: inboxOf(subscriber), seqs }),
    afterwards: (work: () => Promise<unknown>) =>
      void server.parts.clock.after(0, () => void work().catch(failed)),
  };
  server.hooks.answerer = (request, gone) => {
    const first = before?.(request, gone);
    if (first) return first;
    return answerWithMail(ports, request, gone)?.catch((error: unknown) => {
      failed(error);
      return '{}';
    });
  };
}

async function typeLine(
  server: MuxServer,
  session: SessionRecord,
  text: string,
  isStill: () => boolean,
): Promise<boolean> {
  const gone = new AbortController().signal;
  try {
    await server.host.drive.type(session, text, { enter: true, gone, isStill });
    return true;
  } catch (error) {
    // It does not read, it has ended, or somebody has begun to type: then it is told later.
    server.parts.logger.log('info', errorText(toCoded(error)));
    return false;
  }
}

/** Whether a person may have left something in the prompt: nobody has typed, or the prompt can be seen to be empty. */
function mayHoldDraft(session: SessionRecord, adopted: WeakSet<Terminal>): boolean {
  const { terminal } = session;
  if (!terminal || !runs(session)) return true;
  if (session.typedAt === -Infinity && !adopted.has(terminal)) return false;
  const { view } = terminal;
  const rows = Array.from({ length: view.rows }, (_, y) => plainRow(view, y));
  return !isPromptEmpty(rows, view.cursor.visible ? view.cursor.y : undefined);
}

/** A row without what is faint, which programs suggest, and without the cell that a drawn cursor stands on. */
function plainRow(view: TextView, y: number): string {
  const line = view.line(y);
  if (!line) return '';
  let text = '';
  for (let column = 0; column < view.cols; column++) {
    const at = column * CELL_WORDS;
    const isFaint = (line.words[at + 2]! & BG.dim) !== 0;
    text += isFaint || isCursor(line, column) ? ' ' : cellText(line, column);
  }
  return text.trimEnd();
}

/** A single inverse cell: programs that hide the cursor draw one so. */
function isCursor(line: CellLine, column: number): boolean {
  const isInverse = (at: number): boolean =>
    at >= 0 && ((line.words[at * CELL_WORDS + 1] ?? 0) & FG.inverse) !== 0;
  return isInverse(column) && !isInverse(column - 1) && !isInverse(column + 1);
}

/** Looked for without blanks: programs wrap what is typed, and put edges around it. */
function shows(view: TextView, text: string): boolean {
  let all = '';
  for (let y = -Math.min(view.historySize, ROWS_BACK); y < view.rows; y++) all += plainRow(view, y);
  return all.replace(/[\s\u2500-\u259f|]/g, '').includes(text);
}
