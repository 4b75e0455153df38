import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isPlain,
  isRightHalf,
  MAX_PANES,
  paneIndex,
  paneSentinel,
  StandIns,
} from '../../lib/chrome/stand-ins.ts';

const test = suite('chrome/stand-ins');

test('a cluster has one character per cell and the same ones each time', () => {
  const standIns = new StandIns();
  const code = standIns.encode('🍌', 2);
  assert.is(code.length, 2);
  assert.ok(isRightHalf(code.charCodeAt(1)));
  assert.is(standIns.encode('🍌', 2), code);
  assert.equal(standIns.decode(code.charCodeAt(0)), { text: '🍌', width: 2 });
  assert.is(standIns.encode('é', 1).length, 1);
});

test('what is no stand-in decodes to nothing', () => {
  const standIns = new StandIns();
  assert.is(standIns.decode('a'.charCodeAt(0)), undefined);
  assert.is(standIns.decode(0xe401), undefined);
});

test('used-up room gives question marks, a reset gives room again', () => {
  const standIns = new StandIns();
  for (let i = 0; i < 7000; i++) standIns.encode(String.fromCodePoint(0x4e00 + i), 2);
  assert.ok(standIns.isCrowded);
  assert.is(standIns.encode('🍌', 2), '??');
  standIns.reset();
  assert.not(standIns.isCrowded);
  assert.is.not(standIns.encode('🍌', 2), '??');
});

test('private-use text from outside is never taken as it is', () => {
  for (let code = 0xe000; code <= 0xf8ff; code++) assert.not(isPlain(code));
  assert.not(isPlain(0x1b));
  assert.not(isPlain(0x301));
  assert.ok(isPlain('─'.charCodeAt(0)) && isPlain('é'.charCodeAt(0)));
});

test('each pane has a sentinel of its own', () => {
  assert.is(paneIndex(paneSentinel(0).charCodeAt(0)), 0);
  assert.is(paneIndex(paneSentinel(MAX_PANES - 1).charCodeAt(0)), MAX_PANES - 1);
  assert.is(paneIndex(paneSentinel(MAX_PANES).charCodeAt(0)), -1);
});

test.run();
