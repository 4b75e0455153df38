/**
 * The settings in force: config.yaml, the options over it, the theme and the key tables; read anew when files change.
 * A bad file keeps the old settings and says so.
 */
import { toCoded } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import { readConfig } from '../config/file.ts';
import type { Config } from '../config/load.ts';
import { formatProblem } from '../config/problems.ts';
import { loadTheme } from '../config/theme-file.ts';
import type { Theme } from '../config/theme.ts';
import type { Key } from '../input/event.ts';
import { parseKey } from '../input/keyname.ts';
import { DEFAULT_KEYS } from '../keys/defaults.ts';
import { bindRows, KeyTables } from '../keys/tables.ts';
import { OptionStore, seedFromConfig } from '../options/store.ts';
import { sandboxTrouble } from '../sandbox/settings.ts';
import { FileBindings, keyProblems } from './file-bindings.ts';

export interface SettingsFiles {
  readonly config: string;
  readonly themesDir: string;
}

export class Settings {
  readonly options: OptionStore;
  readonly keys = new KeyTables();
  readonly #files: SettingsFiles;
  readonly #fileKeys: FileBindings;
  readonly #problem = new Emitter<string>();
  readonly #repaired = new Emitter<string>();
  readonly #changed = new Emitter<void>();
  #config: Config;
  #theme: Theme;
  #prefix: Key;
  #wasWrong: boolean;
  #sandboxTrouble: string;
  /** What was wrong at the first reading, a line each. */
  readonly startProblems: readonly string[];

  /** One line for each time that something in the files is wrong. */
  readonly onProblem = this.#problem.event;
  /** One line when the files, wrong at the reading before, are right again. */
  readonly onRepaired = this.#repaired.event;
  readonly onChange = this.#changed.event;

  /** Throws CodedError where a file is there but cannot be read. */
  constructor(files: SettingsFiles) {
    this.#files = files;
    const { config, problems } = readConfig(files.config);
    this.#config = config;
    this.#sandboxTrouble = sandboxTrouble(problems);
    this.options = new OptionStore(seedFromConfig(config));
    bindRows(this.keys, DEFAULT_KEYS);
    const later: string[] = [...problems.map(formatProblem), ...keyProblems(config.keys)];
    this.#fileKeys = new FileBindings(this.keys);
    this.#fileKeys.apply(config.keys);
    this.#prefix = this.#readPrefix(later) ?? parseKey('C-b');
    this.#theme = this.#readTheme(later) ?? loadTheme('dark', files.themesDir);
    this.startProblems = later;
    this.#wasWrong = later.length > 0;
    this.options.onChange(({ name }) => this.#optionChanged(name));
  }

  /** Path of config.yaml. */
  get configFile(): string {
    return this.#files.config;
  }

  get config(): Config {
    return this.#config;
  }

  /** Why the settings in force may not be what was meant for sandboxes, '' if they are. */
  get sandboxTrouble(): string {
    return this.#sandboxTrouble;
  }

  get theme(): Theme {
    return this.#theme;
  }

  get prefix(): Key {
    return this.#prefix;
  }

  /** Files whose change matters. */
  get watched(): readonly string[] {
    const { theme } = this.#config.screen;
    return theme.includes('/')
      ? [this.#files.config, this.#files.themesDir, theme]
      : [this.#files.config, this.#files.themesDir];
  }

  /** Reads the files again; where one is wrong the old settings stay. */
  reload(): void {
    const problems: string[] = [];
    try {
      const loaded = readConfig(this.#files.config);
      problems.push(...loaded.problems.map(formatProblem), ...keyProblems(loaded.config.keys));
      if (problems.length === 0) {
        this.#config = loaded.config;
        this.#sandboxTrouble = '';
        this.#fileKeys.apply(loaded.config.keys);
        this.options.reseed(seedFromConfig(loaded.config));
      }
      this.#theme = this.#readTheme(problems) ?? this.#theme;
    } catch (error) {
      problems.push(toCoded(error).message);
    }
    if (problems.length > 0) {
      const more = problems.length > 1 ? ` (and ${problems.length - 1} more: mux config check)` : '';
      this.#problem.fire(`${problems[0]}${more}; the old settings stay`);
    } else if (this.#wasWrong) this.#repaired.fire('The settings are right again and in force');
    this.#wasWrong = problems.length > 0;
    this.#changed.fire();
  }

  #optionChanged(name: string): void {
    const problems: string[] = [];
    if (name === 'prefix') this.#prefix = this.#readPrefix(problems) ?? this.#prefix;
    if (name === 'theme') this.#theme = this.#readTheme(problems) ?? this.#theme;
    for (const problem of problems) this.#problem.fire(problem);
    this.#changed.fire();
  }

  #readPrefix(problems: string[]): Key | undefined {
    try {
      return parseKey(this.options.get('prefix'));
    } catch (error) {
      problems.push(`prefix: ${toCoded(error).message}`);
      return undefined;
    }
  }

  #readTheme(problems: string[]): Theme | undefined {
    try {
      return loadTheme(this.options.get('theme'), this.#files.themesDir);
    } catch (error) {
      problems.push(`theme: ${toCoded(error).message}`);
      return undefined;
    }
  }
}

/** What in a valid config.yaml can still not be used, a line each: keys, the prefix, the theme. */
export function unusable(config: Config, themesDir: string): string[] {
  return [
    ...keyProblems(config.keys),
    ...failure('prefix', () => parseKey(config.screen.prefix)),
    ...failure('theme', () => loadTheme(config.screen.theme, themesDir)),
  ];
}

function failure(what: string, use: () => unknown): string[] {
  try {
    use();
    return [];
  } catch (error) {
    return [`${what}: ${toCoded(error).message}`];
  }
}
