/**
 * The options of a running server: what set-option changed over what config.yaml says over the table's defaults.
 */
import { CodedError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import {
  formatOption,
  OPTION_NAMES,
  optionName,
  OPTIONS,
  parseOption,
  type OptionName,
  type OptionRow,
  type OptionValue,
} from './table.ts';

export type OptionValues = { readonly [N in OptionName]?: OptionValue<N> };

/** A change that was made. Never fired for a value that stays the same. */
export interface OptionChange {
  readonly name: OptionName;
  readonly value: OptionValue;
}

/** The values of the options that mirror keys of `config`, a validated configuration. */
export function seedFromConfig(config: object): OptionValues {
  const values: Partial<Record<OptionName, unknown>> = {};
  for (const name of OPTION_NAMES) {
    const path = (OPTIONS[name] as OptionRow).config?.split('.') ?? [];
    const value = path.reduce<unknown>((v, key) => (v as Record<string, unknown> | undefined)?.[key], config);
    if (path.length > 0 && value !== undefined) values[name] = value;
  }
  return values as OptionValues;
}

export class OptionStore {
  #seed: OptionValues;
  readonly #set = new Map<OptionName, OptionValue>();
  readonly #changed = new Emitter<OptionChange>();

  /** @param seed what config.yaml says (seedFromConfig) */
  constructor(seed: OptionValues = {}) {
    this.#seed = seed;
  }

  /** Fires after a value has changed. */
  get onChange(): Event<OptionChange> {
    return this.#changed.event;
  }

  get<N extends OptionName>(name: N): OptionValue<N> {
    const value = this.#set.get(name) ?? this.#seed[name] ?? OPTIONS[name].default;
    return value as OptionValue<N>;
  }

  /** Holds until unset, also over a changed config.yaml. */
  set<N extends OptionName>(name: N, value: OptionValue<N>): void {
    this.#change(() => this.#set.set(name, value), [name]);
  }

  /**
   * What `set-option NAME [TEXT]` does; without a text a flag is turned over.
   * @throws CodedError `not_found` for an unknown name, `usage` for a wrong value
   */
  setText(name: string, text: string | undefined): void {
    const known = optionName(name);
    if (text !== undefined) return this.set(known, parseOption(known, text));
    if (OPTIONS[known].type !== 'flag') throw new CodedError('usage', `${known}: the value is missing`);
    this.set(known, !this.get(known));
  }

  /** Back to what config.yaml says (`set-option -u`). @throws CodedError `not_found` for an unknown name */
  unset(name: string): void {
    const known = optionName(name);
    this.#change(() => this.#set.delete(known), [known]);
  }

  /** config.yaml has changed: takes its values wherever set-option has not. */
  reseed(seed: OptionValues): void {
    this.#change(() => (this.#seed = seed), OPTION_NAMES);
  }

  /** Every option with its value as text, in the order of the names; `changed`: by set-option. */
  list(): { readonly name: OptionName; readonly text: string; readonly changed: boolean }[] {
    return OPTION_NAMES.map(name => ({
      name,
      text: formatOption(name, this.get(name)),
      changed: this.#set.has(name),
    }));
  }

  #change(action: () => void, names: readonly OptionName[]): void {
    const text = (name: OptionName): string => formatOption(name, this.get(name));
    const before = names.map(text);
    action();
    const changed = names.filter((name, i) => text(name) !== before[i]);
    for (const name of changed) this.#changed.fire({ name, value: this.get(name) });
  }
}
