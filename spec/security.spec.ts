/**
 * SECURITY.md names a spec for each of its rows: they are there, with the cases that it names.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('security');
const ROOT = join(import.meta.dirname, '../..');
const rows = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('|'))
  .slice(2)
  .map(line => line.split('|').map(cell => cell.trim()));

test('each row says who, what they could try, what stops it, and which spec shows it', () => {
  assert.ok(rows.length > 20);
  for (const row of rows) {
    assert.is(row.length, 6, row.join());
    assert.match(row[4] ?? '', /`spec\/[\w./-]+\.spec\.ts`: \S/, row.join());
  }
});

test('each spec that is named is there, and has a case of those words', () => {
  for (const row of rows)
    for (const [, file = '', words = ''] of (row[4] ?? '').matchAll(/`(spec\/[^`]+)`: ([^;]+)/g)) {
      assert.ok(existsSync(join(ROOT, file)), file);
      const cases = readFileSync(join(ROOT, file), 'utf8').match(/test\(\s*[`'"].*/g) ?? [];
      assert.ok(
        cases.some(line => line.includes(words.trim())),
        `${file}: ${words}`,
      );
    }
});

test.run();
