/**
 * `events`: the journal, from a cursor on.
 */
import { CodedError } from '../base/errors.ts';
import { visibleEvents } from './own-events.ts';
import type { CommandContext, ParsedArgs } from './spec.ts';
import { streamOf } from './stream.ts';

/** Hands out events in order, to an agent those of its own sessions. Throws CodedError where the cursor is none. */
export async function eventsCommand(context: CommandContext, args: ParsedArgs): Promise<void> {
  const { journal } = context.host.drive;
  const stream = streamOf(context, 'events');
  const visible = visibleEvents(context);
  const follows = args.has('f');
  const since = args.value('since');
  // Who only looks sees what there is; who follows begins with now.
  let cursor = since === undefined ? (follows ? journal.last : 0) : cursorOf(since);
  if (since !== undefined && cursor < journal.forgotten) {
    const notice = { type: 'forgotten', cursor: journal.forgotten, since: cursor };
    const at = new Date(context.clock.now()).toISOString();
    if (!(await stream.send(Buffer.from(JSON.stringify({ ...notice, at, session_id: null }) + '\n')))) return;
  }
  for (;;) {
    const piece = journal.after(cursor);
    if (piece) {
      cursor = piece.cursor;
      const lines = visible(piece.bytes);
      if (lines.length > 0 && !(await stream.send(lines))) return;
    } else if (!follows || context.gone.aborted) return;
    else await appended(context);
  }
}

function cursorOf(text: string): number {
  const cursor = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(cursor)) return cursor;
  throw new CodedError('usage', `events: '${text.slice(0, 40)}' is no cursor`, 'give that of an event');
}

/** Resolves after the next event, or when the caller is gone. */
function appended({ gone, host }: CommandContext): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      listener.dispose();
      gone.removeEventListener('abort', done);
      resolve();
    };
    const listener = host.drive.journal.onAppend(done);
    gone.addEventListener('abort', done);
  });
}
