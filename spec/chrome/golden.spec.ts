/**
 * Drawn screens as files to be read. UPDATE=1 rewrites them; look at the difference before keeping it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ChromeScreen } from '../../lib/chrome/screen.ts';
import type { ChromeView } from '../../lib/chrome/view.ts';
import { dump } from './dump.ts';
import { browser, dialog, help, numberedTheme, picker, sampleView } from './views.ts';

const test = suite('chrome goldens');
/** From dist/spec/chrome to the sources. */
const GOLDEN = join(import.meta.dirname, '../../../spec/golden');
const WIDE = { cols: 100, rows: 24 };
const SMALL = { cols: 60, rows: 18 };

const SCREENS: Readonly<Record<string, readonly [covers: string, view: ChromeView]>> = {
  panes: ['tabs, status, sidebar, joined borders, headers, hints', sampleView(WIDE)],
  small: ['60×18: sidebar over the panes, shortened headers', smallView()],
  picker: ['filter line, matches, selected row, hint', sampleView(WIDE, { overlay: picker() })],
  dialog: ['a question over the panes', sampleView(SMALL, { overlay: dialog() })],
  help: ['two columns of keys', sampleView(WIDE, { overlay: help() })],
  browser: ['list, preview, facets, filter', sampleView(WIDE, { overlay: browser() })],
  padded: ['a window smaller than the room there is', paddedView()],
};

function smallView(): ChromeView {
  const { sidebar } = sampleView(WIDE);
  return sampleView(SMALL, { sidebar: { ...sidebar!, focused: true } });
}

function paddedView(): ChromeView {
  const view = sampleView(SMALL);
  return { ...sampleView({ cols: 40, rows: 12 }), size: view.size };
}

for (const [name, [covers, view]] of Object.entries(SCREENS)) {
  test(`the ${name} screen looks as it did: ${covers}`, () => {
    const screen = new ChromeScreen(view.size, numberedTheme());
    const text = `# ${covers}\n${dump(screen.render(view))}`;
    screen.dispose();
    const path = join(GOLDEN, `chrome-${name}.txt`);
    if (process.env['UPDATE'] === '1') {
      mkdirSync(GOLDEN, { recursive: true });
      writeFileSync(path, text);
    }
    assert.fixture(text, readFileSync(path, 'utf8'));
  });
}

test.run();
