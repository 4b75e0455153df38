/**
 * Opening the overlays that commands name.
 */
import type { OverlayName } from '../../cmd/spec.ts';
import { formatKey } from '../../input/keyname.ts';
import { HelpOverlay, helpGroups } from '../overlay/help.ts';
import { paletteOverlay } from '../overlay/palette.ts';
import type { AttachedClient } from './client.ts';
import { openApproval } from './open-approval.ts';
import { COPY_TYPING_TABLE } from './copy-table.ts';
import { openDocuments } from './open-documents.ts';
import { openComposer } from './open-composer.ts';
import { openLores } from './open-lores.ts';
import { openMail } from './open-mail.ts';
import { openNavigator } from './open-navigator.ts';
import { chooseRoleWithAgent, rolesWithAgents } from './start-in-role.ts';

/** Opens an overlay over a client's screen. @param detail of the navigator: its view, '' for the last */
export function openOverlay(client: AttachedClient, name: OverlayName, detail: string): void {
  OPEN[name](client, detail);
}

const OPEN: Readonly<Record<OverlayName, (client: AttachedClient, detail: string) => void>> = {
  palette: client =>
    client.show(host =>
      paletteOverlay(
        host,
        client.services.keys,
        formatKey(client.services.prefix()),
        text =>
          client.prompt({
            questions: [{ label: ':', initial: text }],
            history: 'command',
            answer: 'line',
            entered: ([line = '']) => client.run(line),
          }),
        { items: rolesWithAgents(client), choose: id => chooseRoleWithAgent(client, id) },
      ),
    ),
  help: client =>
    client.show(
      host =>
        new HelpOverlay(
          host,
          helpGroups(client.services.keys, formatKey(client.services.prefix()), unusedTables(client)),
          () => client.size,
        ),
    ),
  lores: client => openLores(client, ''),
  navigator: openNavigator,
  approval: openApproval,
  messages: openMail,
  composer: (client, to) => openComposer(client, to),
  documents: client => openDocuments(client, ''),
};

/** Tables of copy mode that the options leave without use. */
function unusedTables({ services: { options } }: AttachedClient): string[] {
  const other = options.get('mode-keys') === 'vi' ? 'copy-mode' : 'copy-mode-vi';
  return options.get('copy-mode-typing') === 'leave' ? [other] : [other, COPY_TYPING_TABLE];
}
