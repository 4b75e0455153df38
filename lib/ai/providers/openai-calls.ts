/**
 * Tool calls put together from deltas, in all the ways in which servers send them: with or without an index, with one index
 * for all, the id once, every time or another one every time, the name whole, in parts or repeated, arguments as text or as
 * an object.
 */
import type { ProviderEvent } from '../provider.ts';
import { completeCall, freshCallId, isWorthTelling, type Places } from './answers.ts';

/** One delta as it may come. */
export interface CallDelta {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: {
    readonly name?: string | null;
    readonly arguments?: string | object | null;
  } | null;
}

interface Part {
  readonly place: number;
  /** The server's own number; undefined where it gives none. */
  readonly index: number | undefined;
  id: string;
  name: string;
  text: string;
  /** Characters of `text` that were told. */
  told: number;
}

/** A delta with nothing left out. */
interface Given {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isWhole: boolean;
}

/** No model calls more tools at once; a server that numbers on and on would fill the memory. */
const CALLS_MAX = 256;

/** The calls of one answer. */
export class CallParts {
  readonly #places: Places;
  readonly #parts: Part[] = [];

  constructor(places: Places) {
    this.#places = places;
  }

  /** How many there are. */
  get count(): number {
    return this.#parts.length;
  }

  /** Takes a delta in, and tells of its call where that has grown enough. */
  *take(delta: CallDelta): Generator<ProviderEvent> {
    const given = givenOf(delta);
    const part = this.#find(given) ?? this.#begin(given);
    if (part === undefined) return;
    if (part.id === '') part.id = given.id;
    if (part.text === '') part.name = joined(part.name, given.name);
    if (given.isWhole || isAgain(part, given)) part.text = given.text;
    else part.text += given.text;
    const { place: index, name, text: argumentsText } = part;
    if (!isWorthTelling(part.told, argumentsText.length)) return;
    part.told = argumentsText.length;
    // A name in pieces is told once it stands; so is an id, which some servers bring later.
    yield { type: 'partial_call', index, id: part.id, name, argumentsText };
  }

  /** All calls, once the stream has ended. */
  *complete(): Generator<ProviderEvent> {
    for (const { place: index, id, name, text } of this.#parts)
      yield { type: 'call', index, call: completeCall(id || freshCallId(), name, text) };
  }

  /** The call that a delta belongs to; undefined where it begins one. */
  #find(given: Given): Part | undefined {
    const { index, id } = given;
    const same = id === '' ? undefined : this.#parts.findLast(part => part.id === id);
    if (same) return same;
    const last = this.#parts.at(-1);
    const near = index === undefined ? last : this.#parts.findLast(part => part.index === index);
    if (near === undefined) return undefined;
    return continues(near, given) ? near : undefined;
  }

  #begin({ index, id }: Given): Part | undefined {
    if (this.#parts.length === CALLS_MAX) return undefined;
    const part = { place: this.#places.fresh(), index, id, name: '', text: '', told: 0 };
    this.#parts.push(part);
    return part;
  }
}

function givenOf({ index, id, function: given }: CallDelta): Given {
  const { name, arguments: own } = given ?? {};
  const isWhole = typeof own === 'object' && own !== null;
  return {
    index: index ?? undefined,
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    text: isWhole ? JSON.stringify(own) : typeof own === 'string' ? own : '',
    isWhole,
  };
}

/** Whether a delta under the number of a call (or without one) goes on with it: its id does not say so. */
function continues(part: Part, { id, name, text }: Given): boolean {
  // Without a name nothing begins, whatever the id: some servers make a new one for every delta.
  if (name === '') return true;
  const isOther = id !== '' && part.id !== '';
  if (part.text === '') return !isOther;
  // A name behind arguments: another call, unless the same name comes with every delta of one that is not complete.
  return name === part.name && !isOther && !(isComplete(part.text) && /^\s*\{/.test(text));
}

/** A name that comes whole, whole again, longer than before, or in pieces. */
function joined(before: string, given: string): string {
  if (given === '' || given === before) return before;
  return given.startsWith(before) ? given : before + given;
}

/** Some send all of a call once more at its end. */
function isAgain({ text }: Part, given: Given): boolean {
  return given.text.length > 1 && given.text === text && isComplete(text);
}

function isComplete(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // SyntaxError: it goes on.
    return false;
  }
}
