import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PaneSignal } from '../../lib/term/screen-view.ts';
import { Recorder } from './terminal.ts';

const test = suite('signals');
const ST = '\x1b\\';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const said = (output: string): PaneSignal[] => new Recorder({ hostname: 'Box' }).write(output).signals;

test('a bell rings once a write, however often it is rung', () => {
  assert.equal(said('\x07'), [{ type: 'bell' }]);
  assert.equal(said('\x07'.repeat(1000)), [{ type: 'bell' }]);
});

test('a title is told when it changes, without control characters, at most 4,096 long', () => {
  const recorder = new Recorder().write('\x1b]2;one\x07').write('\x1b]2;one\x07').write(`\x1b]0;tw\to${ST}`);
  assert.equal(recorder.signals, [
    { type: 'title', title: 'one' },
    { type: 'title', title: 'two' },
  ]);
  assert.is(recorder.emulator.title, 'two');
  recorder.write(`\x1b]2;${'x'.repeat(100_000)}\x07`);
  assert.is(recorder.emulator.title.length, 4096);
  assert.equal(said('\x1b]1;icon\x07'), []);
});

test('a title can be put away and brought back', () => {
  const recorder = new Recorder().write('\x1b]2;shell\x07\x1b[22;0t\x1b]2;vim\x07');
  assert.is(recorder.emulator.title, 'vim');
  recorder.write('\x1b[23;0t');
  assert.is(recorder.emulator.title, 'shell');
});

for (const [url, path] of [
  ['file://box/home/me', '/home/me'],
  ['file://localhost/tmp', '/tmp'],
  ['file:///tmp/a%20b', '/tmp/a b'],
  ['file:///tmp/%E6%BC%A2', '/tmp/漢'],
  ['file://elsewhere/tmp', undefined],
  ['file:///tmp/%0a', undefined],
  ['file:///tmp/%ff', undefined],
  ['http://box/tmp', undefined],
  ['/tmp', undefined],
] as const) {
  test(`a working directory ${url} ${path ? `is ${path}` : 'is not taken'}`, () => {
    assert.equal(said(`\x1b]7;${url}\x07`), path ? [{ type: 'cwd', path }] : []);
  });
}

for (const [name, output, title, body] of [
  ['OSC 9', '\x1b]9;Build done\x07', '', 'Build done'],
  ['OSC 777', '\x1b]777;notify;Title;Body; more\x07', 'Title', 'Body; more'],
  ['OSC 99', `\x1b]99;;Hello${ST}`, 'Hello', ''],
  ['OSC 99 in two parts', `\x1b]99;i=1:d=0;Title${ST}\x1b]99;i=1:p=body;Body${ST}`, 'Title', 'Body'],
  ['OSC 99 in base64', `\x1b]99;e=1;${base64('漢')}${ST}`, '漢', ''],
] as const) {
  test(`${name} is a notification`, () => {
    assert.equal(said(output), [{ type: 'notify', title, body }]);
  });
}

test('queries and other words of notification protocols are silent', () => {
  assert.equal(
    said(`\x1b]99;i=1:p=?;${ST}\x1b]777;precmd\x07\x1b]9;9;/tmp\x07\x1b]9;\x07\x1b]99;i=7:d=0;x${ST}`),
    [],
  );
});

test('progress is a state and a percentage', () => {
  assert.equal(said('\x1b]9;4;1;40\x07'), [{ type: 'progress', state: 1, percent: 40 }]);
  assert.equal(said('\x1b]9;4;0\x07'), [{ type: 'progress', state: 0, percent: 0 }]);
  assert.equal(said('\x1b]9;4;1;999\x07'), [{ type: 'progress', state: 1, percent: 100 }]);
  assert.equal(said('\x1b]9;4;7;1\x07'), []);
});

test('a clipboard write is bytes; an empty or broken one is nothing', () => {
  const [signal] = said(`\x1b]52;c;${base64('copy ✓')}\x07`);
  assert.is(signal?.type, 'clipboard');
  assert.is(signal?.type === 'clipboard' && Buffer.from(signal.data).toString(), 'copy ✓');
  assert.equal(said(`\x1b]52;c;${base64('copy ✓')}\x1b\\`), [signal], 'ended by ST');
  assert.equal(said('\x1b]52;c;\x07\x1b]52;c;***\x07\x1b]52;;!\x07\x1b]52;\x07'), []);
});

test('a clipboard write may be 1 MiB and no more', () => {
  const size = (n: number): number => {
    const [signal] = said(`\x1b]52;p;${Buffer.alloc(n, 'x').toString('base64')}\x07`);
    return signal?.type === 'clipboard' ? signal.data.length : -1;
  };
  assert.is(size(1 << 20), 1 << 20);
  assert.is(size((1 << 20) + 1), -1);
});

test('prompt marks are told in order, the exit status with D', () => {
  const output =
    '\x1b]133;A;cl=m\x07$ \x1b]133;B\x07ls\x1b]133;C\x07\r\n\x1b]133;D;2\x07\x1b]133;D\x07\x1b]133;Z\x07';
  assert.equal(said(output), [
    { type: 'prompt', mark: 'A' },
    { type: 'prompt', mark: 'B' },
    { type: 'prompt', mark: 'C' },
    { type: 'prompt', mark: 'D', exit: 2 },
    { type: 'prompt', mark: 'D' },
  ]);
});

test('a flood of signals is bounded', () => {
  assert.is(said('\x1b]9;x\x07'.repeat(5000)).length, 64);
});

test('what tmux would pass through is not taken for the pane’s own', () => {
  const inner = '\x1b\x1b]52;c;eA==\x07\x1b\x1b]2;evil\x07\x1b\x1b[c\x1b\x1b[2Jtext\x07';
  for (const end of [ST, '\x18']) {
    const recorder = new Recorder().write(`a\x1bPtmux;${inner}${end}b`);
    assert.equal(recorder.signals, []);
    assert.is(recorder.replies, '');
    assert.equal(recorder.text(), ['ab']);
  }
});

test('passthrough ends where it ends, wherever it is cut', () => {
  const output = `a\x1bPtmux;\x1b\x1b]2;evil\x07\x1b\x1b\\x${ST}b\x1bP\x1bPtmux;\x1b\x1b[c${ST}P\x1b]2;t\x07`;
  for (let cut = 0; cut <= output.length; cut++)
    for (const next of [cut, cut + 1]) {
      const recorder = new Recorder();
      recorder.write(output.slice(0, cut)).write(output.slice(cut, next)).write(output.slice(next));
      assert.equal(recorder.text(), ['abP'], `${cut} ${next}`);
      assert.equal(recorder.signals, [{ type: 'title', title: 't' }]);
      assert.is(recorder.replies, '');
    }
});

test.run();
