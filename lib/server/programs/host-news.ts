/**
 * What people are told of the PTY host: that it died, that output cannot be kept.
 */
import { DisposableStore, type Disposable } from '../../base/event.ts';
import { systemReason } from '../../base/system-reasons.ts';
import type { MuxServer } from '../server.ts';

/** Tells everybody, until disposed. */
export function tellOfHost(server: MuxServer): Disposable {
  const { ptyHost } = server.parts;
  const told = new DisposableStore();
  told.add(
    ptyHost.onLost(() =>
      server.tellAll(
        'The process that held the terminals is gone, and its programs with it: their output is kept',
        'error',
      ),
    ),
  );
  told.add(
    ptyHost.onLogTrouble(({ session, problem }) => {
      const name = server.model.sessions.get(session)?.name ?? session;
      if (problem === '') server.tellAll(`Output of ${name} is kept again`, 'info');
      else
        server.tellAll(
          `Output of ${name} is not kept: ${systemReason({ code: problem })}; the program goes on`,
          'error',
        );
    }),
  );
  return told;
}
