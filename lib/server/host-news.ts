/**
 * What people are told of the PTY host: that it died, that output cannot be kept.
 */
import { DisposableStore, type Disposable } from '../base/event.ts';
import type { MuxServer } from './server.ts';

/** Why output cannot be kept, in words. */
const PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
};

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
          `Output of ${name} is not kept: ${PROBLEMS[problem] ?? problem}; the program goes on`,
          'error',
        );
    }),
  );
  return told;
}
