/** A model, what it can do, and how it is found. */

/** Dollars for a million tokens of each class; a class without a price is not known, which is not the same as free. */
export interface Prices {
  readonly input?: number;
  readonly output?: number;
  readonly outputReasoning?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly inputImage?: number;
  readonly outputImage?: number;
}

/** One model of one provider. */
export interface Model {
  /** `providers/P/models/M`; M is the provider's own id, with `-` for each `/`. */
  readonly name: string;
  /** A short name for people; empty where it has none. */
  readonly alias: string;
  /** P of the name: the entry of `ai.providers`. */
  readonly provider: string;
  /** What the provider itself calls it. */
  readonly providerModelId: string;
  readonly description: string;
  /** Tokens that fit in altogether. */
  readonly contextTokenLimit: number;
  /** Tokens that it writes at most. */
  readonly outputTokenLimit: number;
  readonly reasoning: boolean;
  readonly toolCall: boolean;
  /** Whether it takes a temperature other than its own. */
  readonly temperature: boolean;
  readonly imageInput: boolean;
  readonly imageOutput: boolean;
  /** Absent: nobody told what it costs. */
  readonly prices?: Prices;
  /** RFC 3339; absent: not deprecated. */
  readonly deprecateTime?: string;
}

/** All models that are known here. */
export interface ModelRegistry {
  list(): readonly Model[];
  /**
   * The model of a resource name, an alias, a provider's own id, or one of the routes `fast` and `smart`.
   * @throws CodedError `not_found`, with the nearest names as its hint
   */
  find(name: string): Model;
}
