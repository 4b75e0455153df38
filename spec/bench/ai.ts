/**
 * AiService: what it and its client add to a provider's stream, how soon chats are there, and what that costs whoever types.
 */
import { once } from 'node:events';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { connectAi, type AiClient } from '../../lib/ai/client.ts';
import { allMessages } from '../../lib/ai/compact.ts';
import { openChatStore } from '../../lib/ai/store/chat-store.ts';
import type { GenerateRequest } from '../../lib/ai/wire.ts';
import { CONTRACT } from '../support/ai/foreign-client.ts';
import { PLAIN, type Step } from '../support/ai/scripted.ts';
import { ServiceHome } from '../support/ai/service.ts';
import { typeKeys } from './echo.ts';
import { median, percentile } from './report.ts';
import { atMost, type Measurement, type Setting } from './rows.ts';

const MUX = ['mux'] as const;
const USER = 'organizations/o/users/u';
const STREAMS = 64;
/** A program that was just loaded is slower for some calls. */
const WARM_UP = 5;

interface Bench {
  readonly home: ServiceHome;
  readonly client: AiClient;
}

/** A service with its store in a folder of its own, and the client that commands use. */
async function withService<T>(
  work: (bench: Bench) => Promise<T>,
  fill: (path: string) => void = () => undefined,
): Promise<T> {
  const home = new ServiceHome();
  fill(home.path);
  await home.start();
  const client = connectAi({ contract: CONTRACT, baseUrl: home.address });
  try {
    return await work({ home, client });
  } finally {
    client.close();
    await home.end();
  }
}

function answer(tokens: number): Step[] {
  const texts = Array.from({ length: tokens }, (_, n): Step => ({
    type: 'text',
    index: 0,
    text: ` token${n}`,
  }));
  return [...texts, { type: 'stop', reason: 'end_turn' }];
}

function request(chat: string): GenerateRequest {
  const messages = [{ role: 'ROLE_USER', blocks: [{ text: 'a question' }] }] as const;
  return { parent: `${USER}/chats/${chat}`, model: PLAIN.name, messages };
}

/** Times until the first text and until the end, in ms. */
async function streamed(
  { client }: Bench,
  chat: string,
): Promise<{ first: number; all: number; text: string }> {
  const start = performance.now();
  let first: number | undefined;
  let text = '';
  for await (const { block } of client.generate(request(chat), new AbortController().signal)) {
    if (block?.text === undefined) continue;
    first ??= performance.now() - start;
    text += block.text;
  }
  return { first: first ?? NaN, all: performance.now() - start, text };
}

function streams({ quick }: Setting): Measurement {
  const tokens = quick ? 500 : 20_000;
  const each = quick ? 20 : 200;
  return {
    name: 'ai-stream',
    contenders: MUX,
    rows: [
      {
        name: 'answer: first token beyond the provider',
        unit: 'ms',
        better: 'less',
        target: atMost(15, '<= 15 ms'),
      },
      {
        name: 'answer: each token beyond the provider',
        unit: 'µs',
        better: 'less',
        target: atMost(20, '<= 20 µs'),
      },
      { name: `${STREAMS} answers of ${each} tokens at once`, unit: 'ms', better: 'less' },
    ],
    measure: () =>
      withService(async bench => {
        const firsts: number[] = [];
        for (let n = 0; n < WARM_UP * 4; n++) {
          bench.home.provider.script(...answer(10));
          firsts.push((await streamed(bench, `w${n}`)).first);
        }
        bench.home.provider.script(...answer(tokens));
        const long = await streamed(bench, 'long');
        if (!long.text.endsWith(` token${tokens - 1}`)) throw new Error('tokens were lost');
        for (let n = 0; n < STREAMS; n++) bench.home.provider.script(...answer(each));
        const start = performance.now();
        const all = await Promise.all(Array.from({ length: STREAMS }, (_, n) => streamed(bench, `s${n}`)));
        const took = performance.now() - start;
        if (all.some(({ text }) => !text.endsWith(` token${each - 1}`))) throw new Error('tokens were lost');
        return [median(firsts.slice(WARM_UP)), (1000 * (long.all - long.first)) / tokens, took];
      }),
  };
}

/** Chats with a few words in their titles, and one with many messages. */
function fillStore(path: string, user: string, chats: number, messages: number): void {
  const store = openChatStore({ path, contract: CONTRACT, now: () => Date.now(), isRunning: () => false });
  store.whole(() => {
    const long = store.chats.create(user, 'long', {});
    for (let n = 0; n < messages; n++) {
      const role = n % 2 ? 'ROLE_ASSISTANT' : 'ROLE_USER';
      const text = `message ${n} of some words, as people and models write them, ${'and so on '.repeat(20)}`;
      store.messages.add(long, `m${n}`, { role, blocks: [{ text: n % 100 ? text : `${text} needle` }] });
    }
    for (let n = 0; n < chats; n++) store.chats.create(user, `c${n}`, { title: `chat ${n}` });
  });
  store.close();
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

function lists({ quick }: Setting): Measurement {
  const [chats, messages] = quick ? [2000, 500] : [100_000, 10_000];
  const order_by = 'update_time desc';
  return {
    name: 'ai-lists',
    contenders: MUX,
    rows: [
      {
        name: `open a chat of ${messages} messages`,
        unit: 'ms',
        better: 'less',
        target: atMost(300, '<= 300 ms'),
      },
      { name: `a page of ${chats} chats`, unit: 'ms', better: 'less', target: atMost(20, '<= 20 ms') },
      { name: 'full text', unit: 'ms', better: 'less', target: atMost(100, '<= 100 ms') },
    ],
    measure: () =>
      withService(
        async ({ client }) => {
          const list = (filter: string) => () => client.call('ListChats', { parent: USER, order_by, filter });
          await list('')();
          const open = await timed(async () => {
            const found = await allMessages(client, `${USER}/chats/long`);
            if (found.length !== messages) throw new Error(`${found.length} of ${messages} messages`);
          });
          const pages: number[] = [];
          for (let n = 0; n < WARM_UP; n++) pages.push(await timed(list('')));
          const words: number[] = [];
          for (let n = 0; n < WARM_UP; n++) words.push(await timed(list('needle')));
          return [open, median(pages), median(words)];
        },
        path => fillStore(path, USER, chats, messages),
      ),
  };
}

/** Keys typed while long chats are read and searched without a pause, through the service of the server. */
function echo({ quick }: Setting): Measurement {
  return {
    name: 'ai-echo',
    contenders: MUX,
    rows: [
      { name: 'echo while chats are read p50', unit: 'ms', better: 'less' },
      { name: 'echo while chats are read p99', unit: 'ms', better: 'less' },
    ],
    measure: async contender => {
      const user = `organizations/local/users/${userInfo().username}`;
      fillStore(join(contender.dataDir, 'chats.sqlite'), user, 1000, quick ? 500 : 10_000);
      const outer = await contender.attach();
      let isOver = false;
      const reading = (async () => {
        while (!isOver) {
          const child = contender.follow('--json', 'chats', 'show', 'long');
          child.stdout!.resume();
          await once(child, 'close');
        }
      })();
      const { latencies } = await typeKeys(outer, quick ? 50 : 300);
      isOver = true;
      await reading;
      return [percentile(latencies, 50), percentile(latencies, 99)];
    },
  };
}

/** All measurements of AiService. */
export function aiMeasurements(setting: Setting): Measurement[] {
  return [streams(setting), lists(setting), echo(setting)];
}
