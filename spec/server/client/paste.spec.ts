import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LinePaste, PanePaste } from '../../../lib/server/client/paste.ts';
import { attach } from './attached.ts';

const test = suite('where a paste goes');

function bytes(text: string): Uint8Array {
  return Buffer.from(text);
}

/** What a program with room for `room` bytes reads. */
function read(room: number, ...pieces: readonly string[]): string {
  let got = '';
  const paste = new PanePaste({ bracketedPaste: true }, piece => {
    if (got.length + piece.length > room) return false;
    got += Buffer.from(piece).toString();
    return true;
  });
  pieces.forEach((piece, i) => paste.piece(bytes(piece), i === pieces.length - 1));
  return got;
}

test('a program reads all of it', () => {
  assert.is(read(100, 'one', 'two', ''), '\x1b[200~onetwo\x1b[201~');
});

test('a paste too large for a program that does not read is cut, and ended', () => {
  assert.is(read(20, 'one', 'a long piece of text', 'three', ''), '\x1b[200~one\x1b[201~');
  assert.is(read(20, 'one', 'a long piece of text'), '\x1b[200~one\x1b[201~');
});

test('a program that was told no beginning is told no end', () => {
  assert.is(read(7, 'a long piece of text', ''), '');
});

test('a line gets the text whole, also where a character is cut', () => {
  const lines: string[] = [];
  const paste = new LinePaste(text => lines.push(text));
  for (const byte of bytes('é漢🍌\nx')) paste.piece(Uint8Array.of(byte), false);
  assert.equal(lines, []);
  paste.piece(new Uint8Array(0), true);
  assert.equal(lines, ['é漢🍌\nx']);
});

test('a line keeps of a megabyte what it can show, and no more is held', () => {
  const lines: string[] = [];
  const paste = new LinePaste(text => lines.push(text));
  for (let i = 0; i < 16; i++) paste.piece(bytes('x'.repeat(1 << 16)), i === 15);
  assert.is(lines.length, 1);
  assert.ok(lines[0]!.length <= 1 << 16);
});

const PROMPT = {
  questions: [{ label: ':', initial: '' }],
  history: 'command',
  answer: 'line',
  entered: () => undefined,
} as const;

test('pastes work in prompts and dialogs, line breaks folded', () => {
  const { client } = attach();
  client.prompt(PROMPT);
  client.receive(bytes('\x1b[200~rename\r\nme\n\x1b[201~'));
  assert.is(client.line?.view.text, 'rename me');
});

test('a paste goes where its first piece went, though a prompt opens meanwhile', () => {
  const { client, services } = attach();
  let got = '';
  services.write = (_client, _pane, piece) => ((got += Buffer.from(piece).toString()), true);
  client.receive(bytes('\x1b[200~one '));
  client.prompt(PROMPT);
  client.receive(bytes('two\x1b[201~three'));
  assert.is(got, 'one two');
  assert.is(client.line?.view.text, 'three');
});

test('a client that goes in the middle of a paste ends it', () => {
  const { client, services } = attach();
  let got = '';
  services.write = (_client, _pane, piece) => ((got += Buffer.from(piece).toString()), true);
  const pane = services.model.windows.focused!;
  (services.model.sessionOf(pane).terminal!.view as unknown as { write(b: Uint8Array): void }).write(
    bytes('\x1b[?2004h'),
  );
  client.receive(bytes('\x1b[200~half'));
  client.dispose();
  assert.is(got, '\x1b[200~half\x1b[201~');
});

test.run();
