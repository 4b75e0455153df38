import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fc from 'fast-check';
import { reduceScroll, scroll, scrollPosition } from '../../lib/mode/scroll.ts';
import type { Scroll, ScrollEvent } from '../../lib/mode/scroll.ts';

const test = suite('scroll mode');

const run = (state: Scroll, ...events: ScrollEvent[]): Scroll =>
  events.reduce((s, event) => reduceScroll(s, event).state, state);
const start = scroll(100, 24, false);

test('keys move by lines, pages and to the ends', () => {
  assert.is(run(start, 'up', 'up', 'down').offset, 1);
  assert.is(run(start, 'page-up').offset, 11);
  assert.is(run(start, 'halfpage-up').offset, 12);
  assert.is(run(start, 'fullpage-up', 'fullpage-down').offset, 0);
  assert.is(run(start, 'wheel-up').offset, 3);
  assert.is(run(start, 'top').offset, 100);
  assert.is(run(start, 'history-top', 'scroll-down').offset, 99);
  assert.is(scrollPosition(run(start, 'top')), '[100/100]');
});

test('it stops at both ends', () => {
  assert.is(run(start, 'down', 'page-down').offset, 0);
  assert.is(run(start, 'top', 'up', 'page-up').offset, 100);
});

test('what is looked at stays when lines arrive', () => {
  const state = run(start, 'page-up', { type: 'content', history: 107, added: 7 });
  assert.is(state.offset, 18);
  assert.is(scrollPosition(state), '[18/107]');
});

test('at the bottom one goes on seeing what is new', () => {
  assert.is(run(start, { type: 'content', history: 107, added: 7 }).offset, 0);
});

test('when the history is full the oldest lines go and the view moves on with them', () => {
  const state = run(start, 'top', { type: 'content', history: 100, added: 5 });
  assert.is(state.offset, 100);
  const middle = run(start, 'page-up', { type: 'content', history: 100, added: 5 });
  assert.is(middle.offset, 16);
});

test('a cleared history leaves nothing to look back at', () => {
  assert.is(run(start, 'top', { type: 'content', history: 0, added: 0 }).offset, 0);
});

test('entered by the wheel it ends at the bottom, entered by key it does not', () => {
  const wheel = run(scroll(100, 24, true), 'wheel-up');
  assert.equal(reduceScroll(wheel, 'wheel-down').intents, [{ type: 'cancel' }]);
  assert.equal(reduceScroll(run(start, 'wheel-up'), 'wheel-down').intents, []);
  assert.equal(reduceScroll(start, 'cancel').intents, [{ type: 'cancel' }]);
});

test('the offset is always within the history', () => {
  const event = fc.oneof(
    fc.constantFrom<ScrollEvent>(
      'up',
      'down',
      'page-up',
      'page-down',
      'top',
      'bottom',
      'wheel-up',
      'wheel-down',
      'x',
    ),
    fc.record({
      type: fc.constant('content' as const),
      history: fc.integer({ min: -5, max: 500 }),
      added: fc.integer({ min: -5, max: 500 }),
    }),
    fc.record({ type: fc.constant('rows' as const), rows: fc.integer({ min: -5, max: 90 }) }),
    fc.record({
      type: fc.constant('offset' as const),
      offset: fc.oneof(fc.integer(), fc.constant(Number.NaN)),
    }),
  );
  fc.assert(
    fc.property(fc.array(event), events => {
      let state = scroll(50, 10, false);
      for (const e of events) {
        state = reduceScroll(state, e).state;
        assert.ok(state.offset >= 0 && state.offset <= state.history);
      }
    }),
  );
});

test.run();
