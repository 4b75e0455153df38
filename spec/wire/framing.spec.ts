import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHANNEL, encodeFrame, FrameDecoder, FramingError, MAX_PAYLOAD } from '../../lib/wire/framing.ts';
import { encodeMessage, MessageError } from '../../lib/wire/envelope.ts';
import { isCompatible, parseClientMessage } from '../../lib/wire/messages.ts';

const test = suite('frames and messages');

test('any chunking of any frames gives the same frames', () => {
  const frame = fc.record({
    channel: fc.constantFrom(CHANNEL.control, CHANNEL.bytes),
    payload: fc.uint8Array({ maxLength: 40 }),
  });
  fc.assert(
    fc.property(
      fc.array(frame, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 9 })),
      (frames, cuts) => {
        const all = Buffer.concat(frames.map(f => encodeFrame(f.channel, f.payload)));
        const decoder = new FrameDecoder();
        const seen: { channel: number; payload: string }[] = [];
        let at = 0;
        for (let i = 0; at < all.length; i++) {
          const size = cuts[i % Math.max(1, cuts.length)] ?? 3;
          for (const f of decoder.push(all.subarray(at, at + size))) {
            seen.push({ channel: f.channel, payload: f.payload.toString('hex') });
          }
          at += size;
        }
        assert.equal(
          seen,
          frames.map(f => ({ channel: f.channel, payload: Buffer.from(f.payload).toString('hex') })),
        );
      },
    ),
  );
});

test('an over-long frame is refused at its header, before its payload is held', () => {
  const header = Buffer.from([0, 0, 0, 0, 0]);
  header.writeUInt32BE(MAX_PAYLOAD + 1, 1);
  assert.throws(
    () => new FrameDecoder().push(header),
    (e: Error) => e instanceof FramingError,
  );
  assert.throws(() => encodeFrame(0, new Uint8Array(MAX_PAYLOAD + 1)), /exceeds/);
});

test('an unknown channel is refused', () => {
  assert.throws(() => new FrameDecoder().push(Buffer.from([7, 0, 0, 0, 0])), /unknown channel 7/);
});

test('a message survives the wire', () => {
  const message = { type: 'resize', payload: { cols: 80, rows: 24 }, id: 3 } as const;
  assert.equal(parseClientMessage(encodeMessage(message)), message);
});

test('what is not a message we know is refused with the reason', () => {
  const bad: [string, RegExp][] = [
    ['{', /not JSON/],
    ['[]', /not an object/],
    ['{"type":"nope","payload":{}}', /unknown type nope/],
    ['{"type":"__proto__","payload":{}}', /unknown type/],
    ['{"type":"resize"}', /no payload/],
    ['{"type":"resize","payload":null}', /no payload/],
    ['{"type":"resize","payload":{"cols":-1,"rows":2}}', /bad cols/],
    ['{"type":"resize","payload":{"cols":70000,"rows":2}}', /bad cols/],
    ['{"type":"ack","payload":{},"id":"x"}', /id is not a number/],
    ['{"type":"ack","payload":{},"token":5}', /token is not a string/],
  ];
  for (const [text, why] of bad) {
    assert.throws(
      () => parseClientMessage(Buffer.from(text)),
      (e: Error) => e instanceof MessageError && why.test(e.message),
      text,
    );
  }
});

test('equal majors understand each other', () => {
  assert.ok(isCompatible('1.7'));
  assert.not(isCompatible('2.0'));
  assert.not(isCompatible(''));
});

test.run();
