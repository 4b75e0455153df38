/**
 * What a pane shows whose session was stopped before this server began: there is no screen of its program.
 */
import { truncate, visible } from '../../base/text.ts';
import type { SessionRecord } from '../../model/types.ts';
import { Emulator } from '../../term/emulator.ts';
import type { ScreenView } from '../../term/screen-view.ts';

export class StoppedScreens {
  readonly #screens = new WeakMap<SessionRecord, { readonly key: string; readonly emulator: Emulator }>();

  /** The screen of a session that has no terminal, in its pane's size. */
  of(session: SessionRecord): ScreenView {
    const { cols, rows } = session.size;
    const lines = stoppedLines(session).map(line => truncate(line, cols));
    const key = `${cols} ${rows} ${lines.join('\n')}`;
    const known = this.#screens.get(session);
    if (known?.key === key) return known.emulator;
    known?.emulator.dispose();
    const emulator = new Emulator({ cols, rows, historyLines: 0 });
    // No cursor, and dim: nothing here was written by a program.
    emulator.write(Buffer.from(`\x1b[?25l\x1b[2m${lines.slice(0, rows).join('\r\n')}\x1b[m`));
    this.#screens.set(session, { key, emulator });
    return emulator;
  }
}

/** Why it stopped, where that is worth a word. */
const REASONS: Readonly<Partial<Record<SessionRecord['stopReason'], string>>> = {
  shutdown: 'ended with the server',
  lost: 'lost with the server or the machine',
  idle: 'ended since it was idle',
  user: 'ended by you',
  watchdog: 'given up: it never showed anything',
  interrupted: 'the server ended while it was being made: purge it',
};

function stoppedLines(session: SessionRecord): string[] {
  const why = REASONS[session.stopReason];
  return [
    `${session.name} is stopped`,
    ...(why ? [why] : []),
    '',
    visible(session.launch.argv.join(' ')),
    visible(session.launch.cwd),
    '',
    'r runs it again, Enter closes the pane',
  ];
}
