/**
 * Reports of agents' hooks: what they tell of a session's state, and the answers they may wait for.
 */
import type { Clock } from '../../base/clock.ts';
import type { Model } from '../../model/model.ts';
import type { SessionRecord } from '../../model/types.ts';
import { afterHook, conversationOf, parsePayload, type HookPayload } from '../../status/hooks.ts';
import { isAside } from '../lifecycle/conversations.ts';
import type { StatusWatch } from './status-watch.ts';

/** What a hook reports. */
export interface HookRequest {
  readonly session: SessionRecord;
  readonly agent: string;
  readonly event: string;
  readonly payload: HookPayload;
}

/**
 * Answers a hook with the JSON that its agent understands, perhaps much later. Undefined at once: it has no answer to
 * such events. A promise that comes too late is not waited for, and `gone` tells that nobody waits any more.
 */
export type HookAnswerer = (request: HookRequest, gone: Promise<void>) => Promise<string> | undefined;

/** Says nothing: the agent goes on as it would without mux. */
export const NO_DECISION = '{}';

/**
 * How long a hook may wait for a person: long enough to fetch a coffee, and below the time that hook files give it
 * (HOOK_WAIT_S in agent-files.ts), so that it is us who give up.
 */
const ANSWER_MS = 5 * 60_000;

export interface HookPorts {
  readonly clock: Clock;
  readonly model: Model;
  readonly status: StatusWatch;
  /** The person's HOME, in which agents keep what they keep. */
  readonly home: string;
}

export class Hooks {
  readonly #ports: HookPorts;
  /** Who answers; undefined where nobody does. */
  answerer: HookAnswerer | undefined;

  constructor(ports: HookPorts) {
    this.#ports = ports;
  }

  /**
   * Takes a report in and resolves with the decision to print, for which the caller waits until it is `gone`. Never
   * rejects because of what the report holds.
   */
  async report(
    session: SessionRecord,
    { agent, event, text }: { readonly agent: string; readonly event: string; readonly text: string },
    gone: Promise<void>,
  ): Promise<string> {
    const { model, status, home } = this.#ports;
    const payload = parsePayload(text);
    const conversation = conversationOf(payload);
    if (agent === 'codex' && (await isAside(session, conversation, home))) return NO_DECISION;
    status.tells(session, (evidence, now) => afterHook(evidence, event, payload, now));
    model.sessions.setConversation(session, conversation);
    return this.#answer({ session, agent, event, payload }, gone);
  }

  async #answer(request: HookRequest, callerGone: Promise<void>): Promise<string> {
    let letGo = (): void => undefined;
    const gone = new Promise<void>(resolve => (letGo = resolve));
    void callerGone.then(letGo);
    const answer = this.answerer?.(request, gone);
    if (!answer) return NO_DECISION;
    const late = new Promise<string>(resolve => {
      const timer = this.#ports.clock.after(ANSWER_MS, () => resolve(NO_DECISION));
      void gone.then(() => timer.dispose());
    });
    try {
      return await Promise.race([answer, late, callerGone.then(() => NO_DECISION)]);
    } finally {
      letGo();
    }
  }
}
