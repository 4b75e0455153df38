import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ScrollStates } from '../../lib/server/scroll-states.ts';
import type { Emulator } from '../../lib/term/emulator.ts';
import { attach, type Attached } from './client/attached.ts';

const test = suite('scroll states');

/** A pane with 50 lines of history, and the looks back into it. */
function scene(): Attached & { screen: Emulator; scrolls: ScrollStates; changes: number[] } {
  const attached = attach();
  const { model } = attached.services;
  const screen = model.sessionOf(model.windows.focused!).terminal!.view as Emulator;
  screen.write(Buffer.from('line\r\n'.repeat(screen.rows - 1 + 50)));
  const changes: number[] = [];
  return Object.assign(attached, {
    screen,
    changes,
    scrolls: new ScrollStates(model, id => changes.push(id)),
  });
}

test('a look back begins at the bottom, moves by actions and is told of each time', () => {
  const { scrolls, changes } = scene();
  scrolls.event(0, 'up');
  assert.is(scrolls.get(0), undefined, 'nothing to move before it has begun');
  scrolls.enter(0, false);
  assert.is(scrolls.offset(0), 0);
  for (const action of ['cursor-up', 'cursor-up', 'cursor-down', 'history-top']) scrolls.event(0, action);
  assert.is(scrolls.offset(0), 50);
  scrolls.event(0, 'cancel');
  assert.is(scrolls.get(0), undefined);
  assert.equal(changes, [0, 0, 0, 0, 0, 0]);
});

test('what is looked at stays in place while the program prints', () => {
  const { scrolls, screen } = scene();
  scrolls.enter(0, false);
  for (let i = 0; i < 10; i++) scrolls.event(0, 'up');
  screen.write(Buffer.from('more\r\n'.repeat(7)));
  scrolls.follow(0);
  assert.is(scrolls.offset(0), 17);
  assert.is(scrolls.get(0)!.history, 57);
});

test('a look back by the wheel ends at the bottom, any other stays', () => {
  const { scrolls } = scene();
  for (const byWheel of [true, false]) {
    scrolls.enter(0, byWheel);
    scrolls.event(0, 'wheel-up');
    scrolls.event(0, 'wheel-down');
    assert.is(scrolls.get(0) === undefined, byWheel);
    scrolls.leave(0);
  }
});

test('a pane that is not there is not looked back in, and one that is gone is forgotten', () => {
  const { scrolls } = scene();
  scrolls.enter(99, false);
  assert.is(scrolls.get(99), undefined);
  scrolls.enter(0, false);
  scrolls.keep(pane => pane !== 0);
  assert.is(scrolls.get(0), undefined);
});

test.run();
