/**
 * Older forms of the state, each brought forward by one step. A step knows nothing but its own two forms, and stays
 * as it is for ever: spec/fixtures/state has a document of each version.
 *
 * 1: a window told its `active` pane; of the windows there were the `current` one and the `last`.
 * 2: a window tells the order in which all its panes were used (`recent`), and so does the whole (`recentWindows`),
 *    so that closing what is focused leads back the same way after a restart.
 */
import * as read from './readers.ts';
import { Invalid } from './readers.ts';

type Document = Readonly<Record<string, unknown>>;

/** The version that is written. */
export const STATE_VERSION = 2;

/** By version, what makes the next one of it. Throws Invalid where the document is not what its version says. */
const STEPS: ReadonlyMap<number, (document: Document) => Document> = new Map([[1, fromVersion1]]);

/** A document of any version up to the present one in the present form. @throws Invalid */
export function migrate(document: Document, version: number): Document {
  let present = document;
  for (let at = version; at < STATE_VERSION; at++) {
    const step = STEPS.get(at);
    if (!step) throw new Invalid(`state: there never was a version ${at}`);
    present = { ...step(present), version: at + 1 };
  }
  return present;
}

function fromVersion1({ current, last, ...rest }: Document): Document {
  const windows = read.list(read.object, Infinity)(rest['windows'], 'windows');
  return {
    ...rest,
    windows: windows.map(({ active, ...window }) => ({
      ...window,
      recent: Number.isInteger(active) ? [active] : [],
    })),
    recentWindows: [current, last].filter(index => Number.isInteger(index)),
  };
}
