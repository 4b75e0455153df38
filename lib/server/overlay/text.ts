/**
 * Output of a command that has several lines: a list that can be scrolled and filtered.
 */
import { visible } from '../../base/visible.ts';
import type { OverlayHost } from './overlay.ts';
import { PickerOverlay } from './picker-overlay.ts';

/** @param title the command that printed the lines */
export function textOverlay(host: OverlayHost, title: string, lines: readonly string[]): PickerOverlay {
  const items = lines.map((text, index) => ({ id: String(index), text: visible(text), note: '' }));
  return new PickerOverlay(host, {
    title,
    hint: 'Esc closes',
    empty: 'no line is like that',
    items: () => items,
    accept: () => undefined,
  });
}
