import { test } from 'uvu';
import * as assert from 'uvu/assert';
import fc from 'fast-check';
import { posix, win32 } from 'node:path';
import { checkKey, keyProblem, parentsOf } from '../../lib/documents/key.ts';

/** Every form that is refused, with what is said about it. */
const REFUSED: readonly (readonly [key: string, why: RegExp])[] = [
  ['', /empty/],
  ['/etc/passwd', /begins with a slash/],
  ['/', /begins with a slash/],
  ['a/', /ends with a slash/],
  ['a//b', /empty part/],
  ['..', /'\.\.'/],
  ['../x', /'\.\.'/],
  ['a/../../x', /'\.\.'/],
  ['.', /'\.'/],
  ['a/./b', /'\.'/],
  ['.git', /'\.git'/],
  ['.GIT/config', /'\.git'/],
  ['a/.Git/hooks/post-commit', /'\.git'/],
  ['.gitattributes', /'\.git'/],
  ['.gitmodules', /'\.git'/],
  ['git~1/config', /short name/],
  ['a/PROGRA~1', /short name/],
  ['~/x', /begins with '~'/],
  ['.g\u200cit/config', /not seen/],
  ['a\u202eb', /not seen/],
  ['a\ufeff', /not seen/],
  ['a\u00adb', /not seen/],
  ['a\\b', /backslash/],
  ['..\\x', /backslash/],
  ['C:', /colon/],
  ['C:/x', /colon/],
  ['a:stream', /colon/],
  ['a\0b', /control/],
  ['a\nb', /control/],
  ['a\x1b[2J', /control/],
  ['a\x7f', /control/],
  ['a\u0085b', /control/],
  ['a\u2028b', /control/],
  ['\ud800', /Unicode/],
  ['a\ufffdb', /Unicode/],
  ['e\u0301', /NFC/],
  ['CON', /device/],
  ['con.txt', /device/],
  ['a/NUL', /device/],
  ['a/aux.md', /device/],
  ['COM1', /device/],
  ['lpt9.log', /device/],
  ['COM¹', /device/],
  ['nul .txt', /device/],
  ['CONIN$', /device/],
  ['PRN/x', /device/],
  ['a.', /dot/],
  ['a./b', /dot/],
  ['a ', /space/],
  ['a /b', /space/],
  [' a', /space/],
  ['a/ b', /space/],
  ['...', /dot/],
  ['-rf', /'-'/],
  ['a/--help', /'-'/],
  ['a*', /one of/],
  ['a?', /one of/],
  ['[a]', /one of/],
  ['a"b', /one of/],
  ['<a>', /one of/],
  ['a|b', /one of/],
  ['store.lock', /store\.lock/],
  ['a/STORE.LOCK', /store\.lock/],
  ['x'.repeat(141), /longer than 140/],
  [`${'x'.repeat(100)}/${'y'.repeat(100)}`, /longer than 200/],
  ['é'.repeat(71), /longer than 140/],
];

for (const [key, why] of REFUSED)
  test(`the key ${JSON.stringify(key.slice(0, 30))} is refused`, () => {
    assert.match(keyProblem(key) ?? 'nothing', why);
    assert.throws(
      () => checkKey(key),
      (error: { code?: string }) => error.code === 'usage',
    );
  });

test('keys that people choose are taken', () => {
  const keys = [
    'a',
    'plans/next.md',
    'a b/c d.txt',
    'Überblick.md',
    '日本/計画.md',
    'v1.2/x',
    '😀.md',
    'gits',
  ];
  for (const key of keys) assert.is(keyProblem(key), undefined, key);
});

test('no key that is taken leads out of a folder, on any system', () => {
  const piece = fc.constantFrom(
    '.',
    '..',
    '/',
    '\\',
    ':',
    'a',
    'C',
    '.git',
    '~',
    ' ',
    '-',
    '\0',
    '\u200c',
    'NUL',
    'é',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 8 }), pieces => {
      const key = pieces.join('');
      if (keyProblem(key) !== undefined) return;
      for (const { join, normalize, isAbsolute, sep } of [posix, win32]) {
        assert.not.ok(isAbsolute(key));
        const path = join('root', key);
        assert.ok(path.startsWith(`root${sep}`) && path.length > 5);
        assert.is(normalize(path), ['root', ...key.split('/')].join(sep));
      }
      assert.not.ok(
        key
          .toLowerCase()
          .split('/')
          .some(part => part.startsWith('.git')),
      );
    }),
    { numRuns: 2000 },
  );
});

test('the keys above one are its folders', () => {
  assert.equal(parentsOf('a/b/c'), ['a', 'a/b']);
  assert.equal(parentsOf('a'), []);
});

test.run();
