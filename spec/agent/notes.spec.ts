import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../lib/base/errors.ts';
import { noteOf, NOTES_MAX, readNotes, withNote } from '../../lib/agent/notes.ts';

const test = suite('notes');

test('a note replaces the one with its key, and leaves what people have written', () => {
  const page = '# Ours\n\n- test: npm test\n- lint: oxlint\nwhy so: it is fast\n';
  const next = withNote(page, noteOf('test', 'npm run check'));
  assert.is(next, '# Ours\n\n- lint: oxlint\nwhy so: it is fast\n- test: npm run check\n');
  assert.equal(readNotes(next), [
    { key: 'lint', value: 'oxlint' },
    { key: 'test', value: 'npm run check' },
  ]);
});

test('what is kept is read again, whatever it is (property)', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (key, value) => {
      let note;
      try {
        note = noteOf(key, value);
      } catch (error) {
        assert.instance(error, CodedError);
        return;
      }
      assert.equal(readNotes(withNote('- other: one\n', note)).at(-1), note);
    }),
    { numRuns: 500 },
  );
});

test('the oldest go when there are too many', () => {
  let page = 'A line of ours.\n';
  for (let i = 0; i <= NOTES_MAX + 4; i++) page = withNote(page, noteOf(`key ${i}`, 'x'));
  const notes = readNotes(page);
  assert.is(notes.length, NOTES_MAX);
  assert.is(notes[0]!.key, 'key 5');
  assert.match(page, /^A line of ours\.\n/);
});

test('a key or text that is no fact is refused', () => {
  const wrong: readonly [string, string][] = [
    ['', 'x'],
    ['k'.repeat(81), 'x'],
    ['a: b', 'x'],
    ['a\u001b', 'x'],
    ['k', ' \n '],
    ['k', 'v'.repeat(501)],
  ];
  for (const [key, value] of wrong)
    assert.throws(
      () => noteOf(key, value),
      (error: unknown) => error instanceof CodedError,
    );
});

test('a page of a megabyte without a note is read at once', () => {
  const page = `- ${'a:'.repeat(600_000)}`;
  const start = performance.now();
  assert.equal(readNotes(page), []);
  assert.ok(performance.now() - start < 200);
});

test.run();
