/** A whole AiService on a socket of its own, with a provider that says what it is told to. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceContext } from '../../../lib/ai/service/context.ts';
import { listen, type ListenOptions } from '../../../lib/ai/service/listen.ts';
import { openChatStore } from '../../../lib/ai/store/chat-store.ts';
import { systemClock } from '../../../lib/base/clock.ts';
import { CodedError } from '../../../lib/base/errors.ts';
import { CONTRACT, ForeignClient } from './foreign-client.ts';
import { ABLE, OLD, PLAIN, ScriptedProvider, TITLER } from './scripted.ts';

export class ServiceHome extends ForeignClient {
  readonly dir = mkdtempSync(join(tmpdir(), 'mux-ai-'));
  readonly provider = new ScriptedProvider();
  /** Makes titles; says nothing without a script. */
  readonly titles = new ScriptedProvider();
  readonly path = join(this.dir, 'chats.sqlite');
  /** Where it listens. */
  address = '';
  #end: () => Promise<void> = async () => undefined;

  /** Listens on a Unix socket, or where `options` say. */
  async start(options: Partial<Pick<ListenOptions, 'address' | 'token' | 'tls'>> = {}): Promise<this> {
    const store = openChatStore({
      path: this.path,
      contract: CONTRACT,
      now: () => systemClock.now(),
      isRunning: pid => pid === process.pid,
    });
    const models = [PLAIN, ABLE, OLD, TITLER];
    let ids = 0;
    const context = serviceContext({
      store,
      clock: systemClock,
      registry: {
        list: () => models,
        find: name => {
          const model = models.find(one => one.name === name);
          if (!model) throw new CodedError('not_found', `model ${name}: there is no such model`);
          return model;
        },
      },
      newId: () => `made-${process.hrtime.bigint().toString(36)}-${ids++}`,
      log: { log: () => undefined },
      titleModel: TITLER.name,
      pid: process.pid,
      provider: model => (model === TITLER ? this.titles : this.provider),
    });
    const address = options.address ?? `unix:${join(this.dir, 'ai.sock')}`;
    const listening = await listen({ context, contract: CONTRACT, ...options, address });
    this.#end = async () => {
      await listening.close();
      store.close();
    };
    if (options.token) this.metadata.set('authorization', `Bearer ${options.token}`);
    this.address = listening.address;
    this.connect(this.address);
    return this;
  }

  async stop(): Promise<void> {
    this.disconnect();
    await this.#end();
    this.#end = async () => undefined;
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
