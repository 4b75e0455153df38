import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { plain } from '../../../lib/base/styled.ts';
import type { BrowserView, HelpView } from '../../../lib/chrome/view.ts';
import { helpExtent } from '../../../lib/chrome/help.ts';
import { program } from '../../model/fake.ts';
import { attach } from './attached.ts';

const test = suite('client overlays');

const REQUEST = { start: 'all', template: '', order: '', isReversed: false, hasPreview: true } as const;

test('the tree follows the sessions, and the selection stays on its own', async () => {
  const attached = attach();
  const { client, services } = attached;
  const { sessions } = services.model;
  const size = { cols: 80, rows: 24 };
  const second = sessions.create(program({ name: 'second', durable: true }), size);
  client.openTree('sessions', REQUEST);
  client.modeAction('bottom');
  const shown = (): BrowserView => client.overlay!.view() as BrowserView;
  const texts = (): string[] =>
    shown().items.map(item =>
      plain(item.line)
        .slice(6)
        .trim()
        .replace(/^[○◌■] /, ''),
    );
  await attached.draw();
  assert.equal(texts(), ['1 one  cat', 'In no window', 'second']);
  assert.is(shown().items[shown().selected]!.id, second.id);
  sessions.create(program({ name: 'third', durable: true }), size);
  services.model.closePane(services.model.windows.focused!);
  await attached.draw();
  assert.equal(texts(), ['In no window', 'second', 'third']);
  assert.is(shown().items[shown().selected]!.id, second.id);
  client.dispose();
});

test('help can be scrolled to its end and not beyond, whatever the screen', async () => {
  for (const size of [
    { cols: 60, rows: 18 },
    { cols: 200, rows: 60 },
  ]) {
    const { client } = attach();
    client.resize(size);
    client.open('help');
    client.modeAction('bottom');
    const view = client.overlay!.view() as HelpView;
    const { rows, height } = helpExtent(view, size);
    assert.is(view.scroll, Math.max(0, height - rows), `${size.cols}x${size.rows}`);
    client.dispose();
  }
});

test('whoever follows a line as it is typed hears that it is given up: by an overlay, or by another question', () => {
  for (const other of ['overlay', 'question'] as const) {
    const { client } = attach();
    const told: string[] = [];
    const request = {
      questions: [{ label: 'search ', initial: '' }],
      history: 'search',
      answer: 'line',
      changed: (text: string, isOver: boolean) => void told.push(`${text}${isOver ? ' over' : ''}`),
      entered: () => undefined,
    } as const;
    client.prompt(request);
    client.lineEvent({ type: 'text', text: 'a' });
    if (other === 'overlay') client.open('help');
    else client.prompt({ ...request, changed: () => undefined });
    assert.equal(told, ['a', 'a over'], other);
    client.dispose();
  }
});

test('a message stays for its time, and with a time of 0 until a key is pressed', async () => {
  const attached = attach();
  const { client, services, clock } = attached;
  const isShown = (): boolean => client.overlay === undefined && text().includes('hello');
  const text = (): string => {
    const row = client.screen.cells!.lines.at(-1)!;
    return Array.from({ length: client.size.cols }, (_, x) =>
      String.fromCodePoint(row.words[x * 3]! & 0x1fffff || 0x20),
    ).join('');
  };
  client.message('hello', 'info');
  await attached.draw();
  assert.ok(isShown());
  clock.advance(services.options.get('display-time'));
  await attached.draw();
  assert.not(isShown());
  services.options.set('display-time', 0);
  client.message('hello', 'info');
  await attached.draw();
  clock.advance(3_600_000);
  assert.ok(isShown());
  client.receive(Buffer.from('x'));
  await attached.draw();
  assert.not(isShown());
  client.dispose();
});

test.run();
