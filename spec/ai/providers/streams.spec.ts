/** Streams as they were seen on the wire, whole, in single bytes, with other line ends, and cut. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProviderFailure } from '../../../lib/ai/failure.ts';
import type { ProviderEvent } from '../../../lib/ai/provider.ts';
import { ModelServer } from '../../support/ai/model-server.ts';
import { collect, errorOf, stream } from '../../support/ai/raw-provider.ts';

const FOLDER = join(import.meta.dirname, '../../../../spec/ai/streams');
/** Model that is asked, and usage: input, cache read, cache write, output, thought. */
const FILES: Readonly<Record<string, readonly [model: string, usage: readonly number[]]>> = {
  'anthropic-thinking.sse': ['opus', [12, 2000, 100, 49, 40]],
  'openai-vllm.sse': ['gpt-test', [112, 2000, 0, 49, 40]],
  'openai-mistral.sse': ['gpt-test', [112, 2000, 0, 49, 40]],
  'openai-no-reason.sse': ['gpt-test', [112, 2000, 0, 49, 40]],
  'ollama-thinking.ndjson': ['llama3', [112, 0, 0, 89, 0]],
};

const test = suite('streams');
let server: ModelServer;
test.before.each(async () => void (server = await new ModelServer().start()));
test.after.each(() => server.end());

function said(events: readonly ProviderEvent[], type: 'text' | 'thought'): string {
  return events.map(event => (event.type === type ? event.text : '')).join('');
}

function check(events: readonly ProviderEvent[], expected: readonly number[]): void {
  assert.is(said(events, 'thought'), 'Grüezi, hm 🤔');
  assert.is(said(events, 'text'), 'I look.');
  const calls = events.flatMap(event => (event.type === 'call' ? [event] : []));
  assert.equal(
    calls.map(({ call }) => [call.name, call.arguments, call.extra]),
    [['one', { x: 'é' }, undefined]],
  );
  assert.equal(events.at(-1), { type: 'stop', reason: 'tool_call' });
  const { usage } = events.findLast(event => event.type === 'usage')!;
  const { input, cacheRead, cacheWrite, output, outputReasoning } = usage;
  assert.equal([input, cacheRead, cacheWrite, output, outputReasoning], expected);
  // A block is of one kind, and begins behind those before it.
  const kinds = new Map<number, string>();
  for (const event of events) {
    if (!('index' in event)) continue;
    const kind =
      { partial_call: 'call', signature: 'thought', extra: 'thought' }[event.type as string] ?? event.type;
    assert.is(kinds.get(event.index) ?? kind, kind);
    kinds.set(event.index, kind);
  }
  assert.equal(
    [...kinds.keys()],
    [...kinds.keys()].toSorted((a, b) => a - b),
  );
}

for (const [file, [model, usage]] of Object.entries(FILES)) {
  const bytes = readFileSync(join(FOLDER, file));
  const headers = { 'content-type': file.endsWith('sse') ? 'text/event-stream' : 'application/x-ndjson' };

  test(`${file} is read whole, in single bytes, and with CR LF`, async () => {
    const crlf = Buffer.from(bytes.toString().replaceAll('\n', '\r\n'));
    for (const pieces of [[bytes], [...bytes].map(one => Buffer.from([one])), [crlf]]) {
      server.answers({ headers, pieces });
      check(await collect(stream(server.url, model)), usage);
    }
  });

  test(`${file} that is cut is never taken for whole`, async () => {
    // Behind the reason of its end nothing is missing that a person would miss.
    const end = bytes
      .toString()
      .search(/"(?:finish_reason":"(?:stop|tool_calls)|stop_reason":"tool|done_reason)|\[DONE\]/);
    const size = Buffer.byteLength(bytes.toString().slice(0, end));
    for (let at = 0; at < size; at += Math.ceil(size / 23)) {
      server.answers({ headers, pieces: [bytes.subarray(0, at)] });
      const failed = await errorOf(stream(server.url, model));
      assert.instance(failed, ProviderFailure, `cut at ${at}`);
      assert.match(
        failed.kind,
        /^(?:cut_off|not_an_answer)$/,
        `cut at ${at}: ${failed.kind}: ${failed.message}`,
      );
    }
  });
}

test.run();
