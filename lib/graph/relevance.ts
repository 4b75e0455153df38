/**
 * How well lores answer a search: a weighting of fields and words after BM25F (Robertson and Zaragoza, The Probabilistic
 * Relevance Framework, 2009).
 */
import { alternatives, patternOf, type Pattern } from './pattern.ts';
import type { GraphLore, SearchableLore } from './types.ts';

/** What a match is worth by where it stands, beside one for a line of the text. */
const TITLE = 8;
const NAME = 6;
const LABEL = 5;
const HEADING = 4;
const DESCRIPTION = 3;
/** Beyond some matches more of them say little more: BM25's k1 and b, at the values that are usual. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
/** Alternatives that are looked at one by one; people and models write a handful. */
const MAX_TERMS = 12;
/** A line is looked at this far, in UTF-16 units. */
const MAX_LINE = 2000;

interface Candidate {
  readonly name: string;
  readonly lines: number;
  /** Weighted matches of each term. */
  readonly weights: readonly number[];
}

/** Collects what a search finds, and weighs it when all of it is known. */
export class Relevance {
  readonly #terms: readonly Pattern[];
  readonly #candidates: Candidate[] = [];
  #lores = 0;

  /** @throws CodedError usage where RE2 refuses the pattern */
  constructor(pattern: string) {
    const parts = alternatives(pattern);
    this.#terms = (parts.length > MAX_TERMS ? [pattern] : parts).map(patternOf);
  }

  /** Takes note of a lore that was looked at, found or not. */
  count(): void {
    this.#lores++;
  }

  /** Takes note of a lore that was found. */
  add({ lore, body }: SearchableLore): void {
    const lines = body.split(/\r\n|\n|\r/).map(line => line.slice(0, MAX_LINE));
    const weights = this.#terms.map(term => weightIn(term, lore, lines));
    this.#candidates.push({ name: lore.name, lines: lines.length, weights });
  }

  /** Scores by the names of the lores found. */
  scores(): ReadonlyMap<string, number> {
    const average = this.#candidates.reduce((sum, { lines }) => sum + lines, 0) / this.#candidates.length;
    const rarity = this.#terms.map((_, i) => {
      const having = this.#candidates.filter(({ weights }) => weights[i]! > 0).length;
      return Math.log(1 + (this.#lores - having + 0.5) / (having + 0.5));
    });
    return new Map(
      this.#candidates.map(({ name, lines, weights }) => {
        const length = 1 - LENGTH_SHARE + LENGTH_SHARE * (lines / average);
        const parts = weights.map((w, i) => (rarity[i]! * w) / (w + SATURATION * length));
        return [name, parts.reduce((sum, part) => sum + part, 0)];
      }),
    );
  }
}

function weightIn(term: Pattern, lore: GraphLore, lines: readonly string[]): number {
  const { title, name, description, labels } = lore;
  let weight = 0;
  if (term.test(title)) weight += TITLE;
  else if (term.test(name)) weight += NAME;
  if (term.test(description)) weight += DESCRIPTION;
  for (const [key, value] of Object.entries(labels)) if (term.test(key) || term.test(value)) weight += LABEL;
  for (const line of lines) if (term.test(line)) weight += /^#{1,6}\s/.test(line) ? HEADING : 1;
  return weight;
}
