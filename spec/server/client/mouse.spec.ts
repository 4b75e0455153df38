import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Hit } from '../../../lib/chrome/view.ts';
import { program } from '../../model/fake.ts';
import { attach, type Attached } from './attached.ts';

const test = suite('client/mouse');

/** Two panes above each other; the lower one, %1, has the focus. */
async function above(): Promise<Attached> {
  const attached = attach();
  const { windows, sessions } = attached.services.model;
  const session = sessions.create(program(), { cols: 80, rows: 24 });
  windows.split(windows.focused!, session.id, 'v', { background: false });
  await attached.draw();
  return attached;
}

/** The first cell that is `wanted`, row by row. */
function find({ client }: Attached, wanted: (hit: Hit) => boolean): { x: number; y: number } {
  for (let y = 0; y < client.size.rows; y++)
    for (let x = 0; x < client.size.cols; x++) if (wanted(client.screen.cells!.hit(x, y))) return { x, y };
  throw new Error('no such cell');
}

/** Presses, drags and lets go: SGR mouse reports (ctlseqs "Mouse Tracking", 1006). */
function drag({ client }: Attached, from: { x: number; y: number }, by: number): void {
  const report = (button: number, y: number, final: string): Uint8Array =>
    Buffer.from(`\x1b[<${button};${from.x + 1};${y + 1}${final}`);
  client.receive(report(0, from.y, 'M'));
  for (let n = 1; n <= Math.abs(by); n++) client.receive(report(32, from.y + Math.sign(by) * n, 'M'));
  client.receive(report(0, from.y + by, 'm'));
}

test('a header focuses its pane, and dragged it moves the border it lies on', async () => {
  const attached = await above();
  const { windows } = attached.services.model;
  const [upper, lower] = windows.panesIn(windows.current!);
  windows.focus(upper!);
  const rows = windows.paneSize(upper!).rows;
  drag(
    attached,
    find(attached, hit => hit.type === 'header' && hit.pane === lower!.id),
    3,
  );
  assert.is(windows.focused, lower);
  assert.is(windows.paneSize(upper!).rows, rows + 3);
  await attached.draw();
  drag(
    attached,
    find(attached, hit => hit.type === 'header' && hit.pane === lower!.id),
    -5,
  );
  assert.is(windows.paneSize(upper!).rows, rows - 2);
  attached.client.dispose();
});

test('the header of a topmost pane moves nothing', async () => {
  const attached = await above();
  const { windows } = attached.services.model;
  const before = windows.current!.tree;
  drag(
    attached,
    find(attached, hit => hit.type === 'header' && hit.pane === 0),
    4,
  );
  assert.is(windows.current!.tree, before);
  assert.is(windows.focused!.id, 0);
  attached.client.dispose();
});

test('the line between two headers moves the same border', async () => {
  const attached = await above();
  const { windows } = attached.services.model;
  const upper = windows.panesIn(windows.current!)[0]!;
  const rows = windows.paneSize(upper).rows;
  drag(
    attached,
    find(attached, hit => hit.type === 'border' && hit.axis === 'y'),
    2,
  );
  assert.is(windows.paneSize(upper).rows, rows + 2);
  attached.client.dispose();
});

test.run();
