import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MouseAction, MouseEvent } from '../../lib/input/event.ts';
import { encodeMouse } from '../../lib/input/mouse.ts';
import type { MouseEncoding, MouseTracking } from '../../lib/term/screen-view.ts';
import { bytes, decode, typed } from './stream.ts';

const test = suite('mouse');

function mouse(
  action: MouseAction,
  button: number,
  x: number,
  y: number,
  held: Partial<MouseEvent> = {},
): MouseEvent {
  return { action, button, x, y, ctrl: false, alt: false, shift: false, ...held };
}

function sent(
  event: MouseEvent,
  mouseTracking: MouseTracking,
  mouseEncoding: MouseEncoding,
): string | undefined {
  const out = encodeMouse(event, { mouseTracking, mouseEncoding }, event);
  return out && String.fromCharCode(...out);
}

/** Reports and what they say. */
const REPORTS: readonly (readonly [what: string, input: string, event: MouseEvent])[] = [
  ['a press', '\x1b[<0;1;1M', mouse('press', 0, 0, 0)],
  ['a release', '\x1b[<2;10;5m', mouse('release', 2, 9, 4)],
  ['a drag', '\x1b[<33;300;200M', mouse('drag', 1, 299, 199)],
  ['motion without a button', '\x1b[<35;72;12M', mouse('move', -1, 71, 11)],
  ['the wheel up', '\x1b[<64;2;3M', mouse('wheel-up', -1, 1, 2)],
  ['the wheel down with Shift', '\x1b[<69;2;3M', mouse('wheel-down', -1, 1, 2, { shift: true })],
  ['the wheel to the left', '\x1b[<66;2;3M', mouse('wheel-left', -1, 1, 2)],
  ['the wheel to the right', '\x1b[<67;2;3M', mouse('wheel-right', -1, 1, 2)],
  ['Control and Alt', '\x1b[<24;2;3M', mouse('press', 0, 1, 2, { ctrl: true, alt: true })],
  ['a back button', '\x1b[<128;2;3M', mouse('press', 8, 1, 2)],
  ['an X10 press', '\x1b[M !"', mouse('press', 0, 0, 1)],
  ['an X10 release', '\x1b[M#!"', mouse('release', -1, 0, 1)],
  ['an X10 press far to the right', '\x1b[M \xff!', mouse('press', 0, 222, 0)],
  ['an urxvt press', '\x1b[32;5;6M', mouse('press', 0, 4, 5)],
];

for (const [what, input, event] of REPORTS)
  test(`${what} is read`, () => {
    assert.equal(decode(bytes(`a${input}b`)).slice(1, -1), [
      { type: 'mouse', mouse: event, raw: bytes(input) },
    ]);
  });

test('a report that cannot be is unknown and types nothing', () => {
  for (const input of [
    '\x1b[<0;0;1M',
    '\x1b[<0;1M',
    '\x1b[<999;1;1M',
    '\x1b[<0;99999999;1M',
    '\x1b[<0;1;1;1M',
    '\x1b[<64;1;1m',
  ])
    assert.equal(typed(input + 'x'), ['unknown', 'x'], JSON.stringify(input));
});

test('a stray CSI M does not eat a control that follows', () => {
  assert.equal(typed('\x1b[M\rx'), ['unknown', 'Enter', 'x']);
  assert.equal(typed('\x1b[M !\x1b[A'), ['unknown', 'Up']);
});

test('a program gets only the reports it asked for', () => {
  const events = [
    mouse('press', 0, 1, 1),
    mouse('release', 0, 1, 1),
    mouse('drag', 0, 1, 1),
    mouse('move', -1, 1, 1),
  ];
  const asked = (tracking: MouseTracking): string[] =>
    [...events, mouse('wheel-up', -1, 1, 1)].filter(e => sent(e, tracking, 'sgr')).map(e => e.action);
  assert.equal(asked('none'), []);
  assert.equal(asked('x10'), ['press']);
  assert.equal(asked('press'), ['press', 'release', 'wheel-up']);
  assert.equal(asked('drag'), ['press', 'release', 'drag', 'wheel-up']);
  assert.equal(asked('any'), ['press', 'release', 'drag', 'move', 'wheel-up']);
});

test('X10 mode tells no modifiers', () => {
  assert.is(sent(mouse('press', 0, 1, 1, { ctrl: true }), 'x10', 'default'), '\x1b[M ""');
});

test('a horizontal wheel is passed on', () => {
  assert.is(sent(mouse('wheel-left', -1, 1, 2), 'press', 'sgr'), '\x1b[<66;2;3M');
});

test('a cell beyond 223 is dropped in the default encoding and kept in SGR', () => {
  assert.is(sent(mouse('press', 0, 222, 0), 'press', 'default'), '\x1b[M \xff!');
  assert.is(sent(mouse('press', 0, 223, 0), 'press', 'default'), undefined);
  assert.is(sent(mouse('press', 0, 0, 223), 'press', 'default'), undefined);
  assert.is(sent(mouse('press', 0, 223, 0), 'press', 'sgr'), '\x1b[<0;224;1M');
});

test('cells as UTF-8 (1005) and as urxvt has them (1015), beyond what one byte can say', () => {
  assert.is(sent(mouse('press', 0, 4, 7), 'press', 'utf8'), '\x1b[M %(');
  const far = encodeMouse(
    mouse('drag', 0, 299, 199),
    { mouseTracking: 'drag', mouseEncoding: 'utf8' },
    { x: 299, y: 199 },
  );
  assert.is(
    Buffer.from(far!).toString('utf8'),
    `\x1b[M@${String.fromCharCode(332)}${String.fromCharCode(232)}`,
  );
  assert.is(sent(mouse('press', 0, 2015, 1), 'press', 'utf8'), undefined);
  assert.is(sent(mouse('press', 2, 299, 7, { ctrl: true }), 'press', 'urxvt'), '\x1b[50;300;8M');
  assert.is(sent(mouse('release', 2, 299, 7), 'press', 'urxvt'), '\x1b[35;300;8M');
});

test('a cell outside the pane is not reported', () => {
  assert.is(sent(mouse('press', 0, -1, 0), 'any', 'sgr'), undefined);
});

test('what is sent is read as the same event', () => {
  const modifiers = fc.record({ ctrl: fc.boolean(), alt: fc.boolean(), shift: fc.boolean() });
  const action = fc.constantFrom<MouseAction>(
    'press',
    'release',
    'drag',
    'move',
    'wheel-up',
    'wheel-down',
    'wheel-left',
    'wheel-right',
  );
  const cell = fc.integer({ min: 0, max: 222 });
  fc.assert(
    fc.property(
      action,
      fc.constantFrom(0, 1, 2, 8, 9, 10, 11),
      cell,
      cell,
      modifiers,
      (act, button, x, y, held) => {
        const hasButton = act === 'press' || act === 'release' || act === 'drag';
        const event = mouse(act, hasButton ? button : -1, x, y, { ...held });
        const sgr = encodeMouse(event, { mouseTracking: 'any', mouseEncoding: 'sgr' }, event)!;
        assert.equal(decode(sgr), [{ type: 'mouse', mouse: event, raw: sgr }]);
        const old = encodeMouse(event, { mouseTracking: 'any', mouseEncoding: 'default' }, event)!;
        const fine = encodeMouse(event, { mouseTracking: 'any', mouseEncoding: 'sgr-pixels' }, event)!;
        const pixels = { ...event, x: x * 8 + 4, y: y * 16 + 8 };
        assert.equal(decode(fine), [{ type: 'mouse', mouse: pixels, raw: fine }]);
        const forgotten = act === 'release' ? { ...event, button: -1 } : event;
        assert.equal(decode(old), [{ type: 'mouse', mouse: forgotten, raw: old }]);
      },
    ),
    { numRuns: 1000 },
  );
});

test.run();
