/**
 * What a client's person types, on its way to the programs of panes.
 */
import { typedInto } from '../../cmd/synchronized.ts';
import type { Model } from '../../model/model.ts';
import type { PaneRecord } from '../../model/types.ts';
import type { TermModes } from '../../term/screen-view.ts';
import type { AttachedClient } from './client.ts';

/** Gives input to a pane's program; false where it was not taken, which the person is told. */
export function typeInto(client: AttachedClient, pane: PaneRecord, bytes: Uint8Array): boolean {
  if (!client.isReadOnly) return client.services.write(client, pane, bytes);
  client.message('This terminal is attached read-only', 'error');
  return false;
}

/** Gives input to a pane's program, and to those that are typed into with it: to each in the form that it asked for. */
export function typeKeys(
  client: AttachedClient,
  pane: PaneRecord,
  encode: (modes: TermModes, pane: PaneRecord) => Uint8Array,
): void {
  for (const one of panesTypedInto(client, pane)) {
    const { terminal, exit } = client.services.model.sessionOf(one);
    if (terminal && !exit) typeInto(client, one, encode(terminal.view.modes, one));
  }
}

/** The panes that get what is typed into one, itself first; others only while nobody looks back in them. */
export function panesTypedInto(
  { services: { model, options, copies } }: AttachedClient,
  pane: PaneRecord,
): readonly PaneRecord[] {
  return typedInto(pane, { model, options, isInMode: one => copies.has(one.id) });
}

/** What is typed next goes to one of the panes that are shown: to the shell there, where a program has died. */
export function dropLeftModes(model: Model): void {
  const { windows } = model;
  for (const pane of windows.current ? windows.panesIn(windows.current) : [])
    model.sessionOf(pane).terminal?.dropLeftModes();
}

/** Types text into the focused pane, as if a person had. */
export function insertText(client: AttachedClient, text: string): void {
  const pane = client.services.model.windows.focused;
  if (pane) typeInto(client, pane, Buffer.from(text));
}
