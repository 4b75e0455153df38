/**
 * Presses of the mouse that a person has bound, by tmux's names: `MouseDown3Pane` and the like.
 */
import type { Hit } from '../../chrome/view.ts';
import type { MouseEvent } from '../../input/event.ts';
import { keyId, mouseKeyName, type MousePlace } from '../../input/keyname.ts';
import type { AttachedClient } from './client.ts';
import { copyTable } from './copy-table.ts';

const PLACES: Readonly<Partial<Record<Hit['type'], MousePlace>>> = {
  pane: 'Pane',
  tab: 'Status',
  border: 'Border',
  header: 'Border',
};

/**
 * Runs what a press is bound to, in the keys of a pane's copy mode or else those without the prefix; on the pane, or the
 * window, under the pointer. False where it is bound to nothing.
 */
export function runMouseBinding(client: AttachedClient, event: MouseEvent, hit: Hit): boolean {
  const place = PLACES[hit.type];
  const name = place && mouseKeyName(event.button, place);
  const { model, keys } = client.services;
  if (!name || client.passesKeys) return false;
  const { windows } = model;
  const id = hit.type === 'tab' ? windows.byIndex(hit.index)?.active : 'pane' in hit ? hit.pane : undefined;
  const pane = id === undefined ? undefined : windows.pane(id);
  if (!pane) return false;
  const { ctrl, alt, shift } = event;
  const wanted = keyId({ name, ctrl, alt, shift });
  const tables = [copyTable(client.services, pane.id), 'root'];
  // Not by look-up: what is bound to every key is not meant for the mouse.
  const bound = tables
    .flatMap(table => (table === undefined ? [] : keys.list(table)))
    .find(row => keyId(row.key) === wanted);
  if (!bound) return false;
  client.run(bound.binding.command, { pane: `%${pane.id}`, session: pane.session });
  return true;
}
