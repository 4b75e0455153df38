import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyFacets, facetName, facetsOf } from '../../lib/mode/facets.ts';
import { lore } from './graph.ts';

const test = suite('facets');

test('values of a key are counted and stand together', () => {
  const lores = [lore('a', { team: 'x', area: 'db' }), lore('b', { area: 'db' }), lore('c', { area: 'api' })];
  assert.equal(
    facetsOf(lores).map(f => `${facetName(f)} ${f.count}`),
    ['area=api 1', 'area=db 2', 'team=x 1'],
  );
});

test('of too many the rarest are left out', () => {
  const many = Array.from({ length: 500 }, (_, i) => lore(`n${i}`, { id: String(i), kind: 'note' }));
  const facets = facetsOf(many);
  assert.is(facets.length, 60);
  assert.equal(facets.at(-1), { key: 'kind', value: 'note', count: 500 });
});

test('no facet chosen keeps every lore', () => {
  const lores = [lore('a'), lore('b', { x: '1' })];
  assert.equal(applyFacets(lores, []), lores);
  assert.equal(applyFacets(lores, [{ key: 'x', value: '2', count: 1 }]), []);
});

test.run();
