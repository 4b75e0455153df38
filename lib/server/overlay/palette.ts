/**
 * The command palette: every command by a few letters of its name or of what it does.
 */
import { COMMANDS } from '../../cmd/registry.ts';
import { formatKey } from '../../input/keyname.ts';
import type { KeyTables } from '../../keys/tables.ts';
import type { PickerItem } from '../../mode/picker.ts';
import type { OverlayHost } from './overlay.ts';
import { PickerOverlay } from './picker-overlay.ts';

/** What stands below the commands. */
export interface PaletteExtras {
  readonly items: readonly PickerItem[];
  /** Carries one of them out; false where it is none. */
  readonly choose: (id: string) => boolean;
}

/**
 * @param prompt opens the command prompt with a text, for commands that need arguments
 * @param extras what else can be done here
 */
export function paletteOverlay(
  host: OverlayHost,
  keys: KeyTables,
  prefix: string,
  prompt: (text: string) => void,
  extras: PaletteExtras,
): PickerOverlay {
  const keyOf = new Map<string, string>();
  for (const { key, binding } of keys.list('prefix')) {
    if (!keyOf.has(binding.command)) keyOf.set(binding.command, `${prefix} ${formatKey(key)}`);
  }
  return new PickerOverlay(host, {
    title: 'Commands',
    hint: 'Enter runs · Esc closes',
    empty: 'no command is like that',
    items: () => [
      ...COMMANDS.map(c => ({
        id: c.name,
        text: `${c.name}  ${c.text}`,
        note: keyOf.get(c.name) ?? '',
        keywords: (c.aliases ?? []).join(' '),
      })),
      ...extras.items,
    ],
    accept(name) {
      if (extras.choose(name)) return;
      const spec = COMMANDS.find(c => c.name === name)!;
      if (spec.minArgs > 0 || needsTarget(name)) prompt(`${name} `);
      else host.run(name);
    },
  });
}

/** Commands that do nothing, or too much, when run bare: they are completed at the prompt. */
function needsTarget(name: string): boolean {
  return name === 'kill-server' || name === 'set-buffer' || name === 'delete';
}
