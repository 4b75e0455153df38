/**
 * The parts of the manual that are made from the tables of the program: commands, keys, options, settings, formats,
 * errors, variables, files.
 */
import { dirname, join } from 'node:path';
import { ERRORS, type ErrorCode } from '../base/errors.ts';
import { ROLES } from '../base/styled.ts';
import { flagWords, usageOf } from '../cmd/args.ts';
import { COMMANDS } from '../cmd/registry.ts';
import { GROUPS, type CommandSpec, type FlagSpec } from '../cmd/spec.ts';
import { VARIABLE_TEXTS } from '../cmd/variable-texts.ts';
import { BUILTIN_AGENTS } from '../config/agents.ts';
import { configKeys } from '../config/explain.ts';
import { muxPaths } from '../config/paths.ts';
import { DIAGNOSTIC_CODES } from '../graph/codes.ts';
import type { KeyRow } from '../config/schema-walk.ts';
import { DEFAULT_KEYS } from '../keys/defaults.ts';
import { bindRows, KeyTables } from '../keys/tables.ts';
import { expectation, formatOption, OPTIONS, OPTION_NAMES, type OptionRow } from '../options/table.ts';
import { helpGroups } from '../server/overlay/help.ts';
import { GLOBAL_FLAGS } from './argv.ts';

import { code, plain, table } from './manual-markdown.ts';
import { ATTACH, OWN_COMMANDS } from './own-commands.ts';
import { ERROR_TEXTS, EXIT_TEXTS, VARIABLES_READ, VARIABLES_SET, WITHOUT_EFFECT } from './manual-texts.ts';

/** Parts of the manual page by the name that stands in its source. */
export const MANUAL_PARTS: Readonly<Record<string, () => string>> = {
  flags: () =>
    table(
      ['Flag', 'Meaning'],
      GLOBAL_FLAGS.map(({ flag, value, text }) => [code(value ? `${flag} ${value}` : flag), plain(text)]),
    ),
  keys: () => [...keyParts()].join('\n\n'),
  commands: commandParts,
  formats: () =>
    table(
      ['Name', 'Stands for'],
      Object.entries(VARIABLE_TEXTS).map(([name, text]) => [code(name), plain(text)]),
    ),
  options: () => table(['Option', 'Default', 'Takes', 'Meaning'], OPTION_NAMES.map(optionRow)),
  settings: () => settings(row => !isWithoutEffect(row.path)),
  'settings-without-effect': () => settings(row => isWithoutEffect(row.path)),
  agents: () =>
    table(
      ['Name', 'Runs'],
      Object.entries(BUILTIN_AGENTS).map(([name, agent]) => [
        code(name),
        agent.command ? code([agent.command, ...agent.args].join(' ')) : 'your shell',
      ]),
    ),
  roles: () => ROLES.map(code).join(', ') + '.',
  'exit-status': exitStatus,
  'error-codes': () =>
    table(
      ['Code', 'Exit', 'Comes when'],
      Object.entries(ERRORS).map(([name, exit]) => [
        code(name),
        `${exit}`,
        plain(ERROR_TEXTS[name as ErrorCode]),
      ]),
    ),
  diagnostics: () =>
    table(
      ['Code', 'Is', 'Means', 'Remedy'],
      Object.entries(DIAGNOSTIC_CODES).map(([name, { severity, text, remedy }]) => [
        code(name),
        severity,
        plain(text),
        plain(remedy),
      ]),
    ),
  'variables-read': () => variables(VARIABLES_READ),
  'variables-set': () => variables(VARIABLES_SET),
  files,
};

/** Parts of the page for people who look at the project for the first time. */
export const README_PARTS: Readonly<Record<string, () => string>> = {
  keys: () =>
    table(
      ['Key', 'Does'],
      [...headedKeys()].flatMap(([title, rows]) => (title === 'prefix' ? rows : [])),
    ),
};

/** Headings of the keys behind the prefix are those of the help screen; `prefix` has them all in one. */
function* headedKeys(): Iterable<readonly [title: string, rows: readonly (readonly string[])[]]> {
  const tables = new KeyTables();
  bindRows(tables, DEFAULT_KEYS);
  const behind: string[][] = [];
  for (const { title, keys } of helpGroups(tables, '')) {
    // Without a name for the prefix, its keys begin with the blank that would part them from it.
    const isBehind = keys.some(({ key }) => key.startsWith(' '));
    const rows = keys.map(({ key, text }) => [key.trim().split(/\s+/).map(code).join(' '), plain(text)]);
    if (isBehind) behind.push(...rows);
    yield [isBehind ? `Behind the prefix: ${title}` : title, rows];
  }
  yield ['prefix', behind];
}

function* keyParts(): Iterable<string> {
  for (const [title, rows] of headedKeys())
    if (title !== 'prefix') yield `### ${title}\n\n${table(['Key', 'Does'], rows)}`;
}

function commandParts(): string {
  const own = OWN_COMMANDS.filter(spec => spec !== ATTACH);
  const groups = GROUPS.map(group => ({
    title: group as string,
    specs: [ATTACH, ...COMMANDS].filter(spec => spec.group === group),
  }));
  return [...groups, { title: 'This program', specs: own }]
    .filter(({ specs }) => specs.length > 0)
    .flatMap(({ title, specs }) => [`### ${title}`, ...specs.map(commandPart)])
    .join('\n\n');
}

function commandPart(spec: CommandSpec): string {
  const flags = spec.flags.map(flag => [flagNames(flag), plain(flag.text)]);
  return [
    `#### ${spec.name}`,
    // Outside a table a bar in code stands for itself.
    code(usageOf(spec)).replaceAll('\\|', '|'),
    `${plain(spec.text)}.`,
    ...(spec.aliases?.length ? [`Also ${spec.aliases.map(code).join(', ')}.`] : []),
    ...(flags.length > 0 ? [table(['Flag', 'Meaning'], flags)] : []),
  ].join('\n\n');
}

function flagNames(flag: FlagSpec): string {
  return code(flagWords(flag).join(', ') + (flag.value ? ` ${flag.value}` : ''));
}

function optionRow(name: (typeof OPTION_NAMES)[number]): string[] {
  const row: OptionRow = OPTIONS[name];
  const mirrored = row.config ? ` (starts from ${code(row.config)})` : '';
  return [
    code(name),
    code(formatOption(name, row.default as never)),
    plain(expectation(row)),
    plain(row.text) + mirrored,
  ];
}

function settings(wanted: (row: KeyRow) => boolean): string {
  const rows = configKeys()
    .filter(row => wanted(row))
    .map(row => [
      code(row.path),
      row.default === undefined ? '' : code(shown(row.default)),
      plain(row.description),
    ]);
  return table(['Key', 'Default', 'Meaning'], rows);
}

/** A default as it would stand in the file; JSON is YAML too. */
function shown(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

function isWithoutEffect(path: string): boolean {
  return WITHOUT_EFFECT.some(key => path === key || path.startsWith(`${key}.`) || path.startsWith(`${key}[`));
}

function exitStatus(): string {
  const rows = Object.entries(EXIT_TEXTS).map(([status, text]) => [code(status), plain(text)]);
  return table(['Status', 'Meaning'], rows);
}

function variables(list: readonly { readonly name: string; readonly text: string }[]): string {
  return table(
    ['Variable', 'Meaning'],
    list.map(({ name, text }) => [code(name), plain(text)]),
  );
}

/** The places, told with the variables they come from: names that stand in for their values. */
function files(): string {
  const env = Object.fromEntries(
    ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'].map(name => [
      name,
      `/$${name}`,
    ]),
  );
  const paths = muxPaths(env, 'SERVER', { uid: 0, cwd: '/' });
  const row = (path: string, text: string): string[] => [code(path.slice(1)), text];
  return table(
    ['Path', 'What it is'],
    [
      row(paths.config, 'settings of all servers'),
      row(join(paths.state, 'state.json'), 'sessions, windows and layout; `state.json.copy` is its copy'),
      row(
        join(paths.state, 'state.json.vN.bak'),
        'the state before a newer mux changed its form, to go back to',
      ),
      row(join(paths.state, 'state.json.corrupt-TIME'), 'a state that could not be read'),
      row(paths.personToken, 'what proves to the server that you are its person'),
      row(join(dirname(paths.config), 'fleets/NAME.yaml'), 'saved fleets'),
      row(
        join(paths.data, 'documents/NAME-HASH'),
        'documents of a project, a bare git repository; shared: those of all',
      ),
      row(join(paths.data, 'documents/NAME.broken-TIME'), 'one that git could not read'),
      row(join(paths.data, 'messages.sqlite'), 'messages, what was read of them, and tasks'),
      row(join(paths.data, 'drafts.json'), 'what you have begun to write and not sent'),
      row(join(paths.data, 'verdicts.log'), 'what you allowed and denied, a line of JSON each'),
      row(join(paths.data, 'logs/ID/session.json'), 'who a session is, should the state be lost'),
      row(
        join(paths.data, 'logs/ID/OFFSET.log'),
        'what a session’s programs have written, from that byte on',
      ),
      row(join(paths.state, 'events/CURSOR.jsonl'), 'the newest events, those after that cursor'),
      row(paths.log, 'log of the server of that name'),
      row(paths.socket, 'its socket, mode 0600 in a folder of mode 0700'),
    ],
  );
}
