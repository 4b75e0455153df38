/** Verdicts of a person on a terminal: a call is shown, and a line is the answer. */
import type { Conversation } from '../../agent/conversation.ts';
import type { CallView } from '../../agent/events.ts';
import { WORD, type Verdict } from '../../agent/review.ts';
import { toCoded } from '../../base/errors.ts';
import { revealed } from '../../base/visible.ts';

/** Shown of what a call would do: more than fills some screens is looked at elsewhere. */
const LINES_MAX = 200;

/** Asks, one call after the other; while an answer still comes they wait. */
export class TerminalVerdicts {
  readonly #conversation: () => Conversation;
  readonly #ask: (question: string) => Promise<string>;
  #isHeld = true;
  #isAsking = false;

  /** @param ask resolves with a line; rejects where none comes any more */
  constructor(conversation: () => Conversation, ask: (question: string) => Promise<string>) {
    this.#conversation = conversation;
    this.#ask = ask;
  }

  /** While an answer comes nothing is asked: its text would run through the question. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.look();
  }

  /** Something has become of a call. */
  look(): void {
    if (!this.#isAsking && !this.#isHeld) void this.#all();
  }

  async #all(): Promise<void> {
    this.#isAsking = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) await this.#one(next.id);
    this.#isAsking = false;
  }

  /** The first that waits, in the order of the answer: not before those are decided that come before it. */
  #next(): CallView | undefined {
    const first = this.#conversation().calls.find(({ state }) => state === 'waiting' || state === 'complete');
    return first?.state === 'waiting' ? first : undefined;
  }

  async #one(id: string): Promise<void> {
    const conversation = this.#conversation();
    const find = (): CallView | undefined =>
      conversation.calls.find(call => call.id === id && call.state === 'waiting');
    const first = find();
    if (first) console.error(shown(first));
    for (let call = first; call; call = find()) {
      const wantsWord = call.decision?.wantsWord === true;
      const answer = await this.#ask(wantsWord ? WORD_QUESTION : QUESTION).catch(() => undefined);
      const verdict = answer === undefined ? NO_ANSWER : verdictOf(answer, wantsWord);
      if (!verdict) continue;
      try {
        conversation.answer(id, verdict);
      } catch (error) {
        // It was answered otherwise meanwhile, or the turn is over.
        console.error(`mux: ${toCoded(error).message}`);
      }
    }
  }
}

const QUESTION = 'run it? [y]es, [a]ll of this answer, al[w]ays, [n]o REASON: ';
const WORD_QUESTION = `it cannot be undone: type ${WORD} to run it, or [n]o REASON: `;
const NO_ANSWER: Verdict = { type: 'reject', reason: 'nobody answered' };

/** Undefined for what is no answer: it is asked again. */
function verdictOf(answer: string, wantsWord: boolean): Verdict | undefined {
  const text = answer.trim();
  const no = /^n(?:o)?(?:\s+([^]*))?$/i.exec(text);
  if (no) return { type: 'reject', reason: no[1] ?? '' };
  if (wantsWord) return text === WORD ? { type: 'accept', word: WORD } : undefined;
  if (/^y(?:es)?$/i.test(text)) return { type: 'accept' };
  if (/^a(?:ll)?$/i.test(text)) return { type: 'accept-all' };
  return /^w$|^always$/i.test(text) ? { type: 'always' } : undefined;
}

/** A call as a person judges it; everything in it is made visible. */
function shown({ name, preview, decision }: CallView): string {
  const [first] = decision?.opinions ?? [];
  const why = first ? `${decision!.tier}: ${first.why}` : '';
  const body = (preview?.diff ?? preview?.body ?? '').split('\n');
  const cut =
    body.length > LINES_MAX ? [...body.slice(0, LINES_MAX), `… ${body.length - LINES_MAX} lines more`] : body;
  const lines = [`${name}: ${preview?.header ?? ''}`, ...cut, preview?.trouble ?? '', why].filter(Boolean);
  return lines.map(revealed).join('\n');
}
