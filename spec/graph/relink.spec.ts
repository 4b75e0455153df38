import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { loreLinks } from '../../lib/graph/links.ts';
import { relinked } from '../../lib/graph/relink.ts';

const test = suite('links of lores that get another name');

const moved = { from: 'lores/db/locks', to: 'lores/sql/row locks' };
const mend = (name: string, text: string): string =>
  relinked(text, loreLinks(name, text, 1), { from: name, to: name }, moved);

test('links keep their kind, their anchor and their text', () => {
  const before =
    '[[db/locks]] [[lores/db/locks|the locks]] [a](db/locks.md#x "t") [b](./db/locks.md) [[other]]';
  assert.is(
    mend('lores/notes', before),
    '[[sql/row locks]] [[lores/sql/row locks|the locks]] [a](sql/row%20locks.md#x "t") [b](./sql/row%20locks.md) [[other]]',
  );
});

test('samples in code, line ends and everything else stay as they are', () => {
  const text = '`[[db/locks]]`\r\n```\n[[db/locks]]\n```\r\n\tdb/locks [[db/lock]]\n';
  assert.is(mend('lores/notes', text), text);
});

test('after any move every link leads to where it led, or to the new name', () => {
  const part = fc.constantFrom('a', 'b b', 'ü', 'c(1)', 'd%e', 'f#g', 'md');
  const path = fc.array(part, { minLength: 1, maxLength: 3 }).map(parts => parts.join('/'));
  // No lore gets such a name, but one may have it.
  const newPath = path.filter(name => !name.includes('#'));
  const link = fc.record({ to: path, isNamed: fc.boolean() });
  fc.assert(
    fc.property(path, path, newPath, fc.array(link, { maxLength: 6 }), (holder, from, to, links) => {
      const name = `lores/${holder}`;
      const up = '../'.repeat(holder.split('/').length - 1);
      const text = links
        .map(({ to: target, isNamed }) =>
          isNamed ? `x [[${target}]]` : `[y](${up}${target.split('/').map(encode).join('/')}.md)`,
        )
        .join(' and\n');
      const before = loreLinks(name, text, 1);
      const it = { from: `lores/${from}`, to: `lores/${to}` };
      const at = name === it.from ? it : { from: name, to: name };
      const after = loreLinks(at.to, relinked(text, before, at, it), 1);
      assert.equal(
        after.map(({ target }) => target),
        before.map(({ target }) => (target === it.from ? it.to : target)),
      );
    }),
    { examples: [['ü/a', 'md/a', 'ü', [{ to: 'md/a', isNamed: false }]]] },
  );
});

function encode(part: string): string {
  return encodeURIComponent(part).replace('(', '%28').replace(')', '%29');
}

test.run();
