/**
 * Tool calls put together from deltas, in all the ways in which servers send them: with or without an index, with one index
 * for all, the id once or every time, the name whole, in parts or repeated, arguments as text or as an object.
 */
import type { ProviderEvent } from '../provider.ts';
import { completeCall, type Places } from './answers.ts';

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
}

export class CallParts {
  readonly #places: Places;
  readonly #parts: Part[] = [];

  constructor(places: Places) {
    this.#places = places;
  }

  get count(): number {
    return this.#parts.length;
  }

  *take(delta: CallDelta): Generator<ProviderEvent> {
    const part = this.#find(delta) ?? this.#begin(delta);
    const name = delta.function?.name ?? '';
    if (delta.id && part.id === '') part.id = delta.id;
    // Repeated with every delta, or sent piece by piece before the arguments.
    if (name !== '' && name !== part.name && part.text === '') part.name += name;
    const given = delta.function?.arguments ?? '';
    part.text += typeof given === 'string' ? given : JSON.stringify(given);
    const { place: index, name: whole, text: argumentsText } = part;
    yield { type: 'partial_call', index, id: this.#id(part), name: whole, argumentsText };
  }

  /** All calls, once the stream has ended. */
  *complete(): Generator<ProviderEvent> {
    for (const part of this.#parts)
      yield { type: 'call', index: part.place, call: completeCall(this.#id(part), part.name, part.text) };
  }

  /** The call that a delta belongs to; undefined where it begins one. */
  #find({ index, id, function: given }: CallDelta): Part | undefined {
    const last = this.#parts.at(-1);
    if (id) {
      const same = this.#parts.findLast(part => part.id === id);
      if (same) return same;
      // Another id is another call, also under an index that was used.
      const waiting = this.#parts.findLast(part => part.index === (index ?? undefined));
      return waiting?.id === '' ? waiting : undefined;
    }
    if (index !== undefined && index !== null) return this.#parts.findLast(part => part.index === index);
    // Neither number nor id: a name behind arguments begins the next one.
    const isNext = Boolean(given?.name) && last !== undefined && last.text !== '';
    return isNext ? undefined : last;
  }

  #begin({ index, id }: CallDelta): Part {
    const part = { place: this.#places.fresh(), index: index ?? undefined, id: id ?? '', name: '', text: '' };
    this.#parts.push(part);
    return part;
  }

  /** Results have to name their call: one that the server gave none is numbered. */
  #id(part: Part): string {
    return part.id || `call_${part.place}`;
  }
}
