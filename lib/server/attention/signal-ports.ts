/**
 * What programs say by signals, carried out: what a person hears, sees and has on the clipboard because of it.
 */
import { CodedError, errorLine } from '../../base/errors.ts';
import { directoryOf } from '../../model/sessions.ts';
import type { SessionRecord } from '../../model/types.ts';
import { ConfirmOverlay } from '../overlay/confirm.ts';
import type { MuxServer } from '../server.ts';
import type { SignalPorts } from './signals.ts';

const BELL = Buffer.from('\x07');

/** What a client is told that is attached from a pane of its own server. */
const NESTED = new CodedError(
  'nested',
  'attach: this terminal is shown in a pane of the same server',
  'attach from outside, or name another server with -L',
);

/** Where the signals of a server's programs go. */
export function signalPorts(server: MuxServer): SignalPorts {
  const { clients, model, status, graph } = server;
  return {
    bell: () => {
      for (const client of clients.all()) client.screen.raw(BELL);
    },
    // What a person does not see now is kept as a mark until they look.
    needs: (session, reason, mark) => {
      // An agent whose hooks tell says no more by a bell.
      if (!server.isSeen(session) && !session.evidence.claims.hook)
        model.sessions.setAttention(session, reason, mark);
    },
    tells: (session, after) => status.tells(session, after),
    title: (session, title) => {
      status.title(session, title);
      for (const client of clients.all()) client.changed();
    },
    copy: (session, data) => programCopies(server, session, data),
    progress: (session, progress) => model.sessions.setProgress(session, progress),
    client: mark => refuseNested(server, mark),
    directoryChanged: session => {
      if (session.id === model.windows.focused?.session) graph.setDirectory(directoryOf(session));
    },
  };
}

/** A program wants something on the clipboard: by the option, at once, after asking, or not. */
function programCopies(server: MuxServer, session: SessionRecord, data: Uint8Array): void {
  const policy = server.parts.settings.options.get('set-clipboard');
  if (policy === 'write') return server.copyOut(data);
  const client = server.clients.latest;
  // Whoever is busy with another question is not asked a second one: the program has to try again.
  if (policy !== 'ask' || !client || client.overlay) return;
  const text = `${session.name} wants to copy ${data.length} bytes to your clipboard. Let it?`;
  client.show(host => new ConfirmOverlay(host, { text, yes: () => server.copyOut(data) }));
}

/** A client in one of our own panes would show itself in itself without end, however it came there. */
function refuseNested({ clients }: MuxServer, mark: string): void {
  const client = clients.all().find(one => one.mark === mark);
  if (client) clients.letGo(client, { message: errorLine(NESTED), exit: NESTED.exit });
}
