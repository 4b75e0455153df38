/**
 * Everything that can be wrong with a graph, as one table: code → how bad, what it means, and the remedy where the
 * place itself gives no better one.
 */

/** A row of the table. */
export interface CodeRow {
  /** An error keeps something from being used; a warning means it is used, but probably not as meant. */
  readonly severity: 'error' | 'warning';
  /** What it means, as the manual says it. */
  readonly text: string;
  /** What to do, where the place itself says nothing better. */
  readonly remedy: string;
}

const error = (text: string, remedy: string): CodeRow => ({ severity: 'error', text, remedy });
const warning = (text: string, remedy: string): CodeRow => ({ severity: 'warning', text, remedy });

/** Every code a diagnostic can have. */
export const DIAGNOSTIC_CODES = {
  // Notation of JSON files.
  'json-syntax': error('the file is not JSON', 'mend the notation'),
  'jsonnet-feature': error('a part of Jsonnet that is not read', 'write the value out'),
  'env-call': error("a call of env that is not env('NAME')", "write env('NAME')"),
  'unset-variable': warning('env of a variable that is not set: taken as empty', 'set the variable'),
  'wrong-type': error('a field holds another kind of value than it should', 'write a value of that kind'),
  'unknown-field': error('a field there is not', 'remove it'),
  'duplicate-field': error('a field stands twice in one object', 'remove one of them'),
  'out-of-range': error('a number is too small or too large', 'take a number between the two'),
  'missing-field': error('a field that is needed is absent or empty', 'add it'),
  // Settings.
  'bad-import': error('an import with a name or path that cannot be', 'mend the name or path'),
  'missing-import': error(
    'an imported repository is not there or has no .sgpt.json',
    'check out the repository there, or mend the path',
  ),
  'nested-import': warning(
    'an imported repository imports one that is not there',
    'check it out where that repository expects it',
  ),
  duplicate: warning('the same thing stands twice', 'remove one of them'),
  // Roles.
  'unknown-directive': error('a directive there is not', 'put code samples between ``` fences'),
  'unclosed-directive': error('the parenthesis of a directive is never closed', 'close it on the same line'),
  'unquoted-argument': error("a directive's argument is not in double quotes", 'put it in double quotes'),
  'argument-count': error('a directive has more or fewer arguments than one', 'write one a line'),
  'empty-argument': error("a directive's argument is empty", 'fill it in, or remove the line'),
  'control-character': error("a directive's argument holds control characters", 'remove them'),
  'repeated-directive': error('a directive that may stand once stands twice', 'remove one of them'),
  'unclosed-fence': warning('a code fence is never closed and swallows directives', 'close the fence'),
  // Tool sets.
  'ignored-field': warning('a field that has no effect in a file', 'remove it'),
  'no-services': warning('a tool set without services', 'add a service to tool_sets'),
  'unknown-method': error('a method that is not among those of the service', 'add it to method_names'),
  // Lores.
  'front-matter-size': error('front matter too long to be read', 'move text to the body'),
  'front-matter': error('front matter that is not keys and texts', "write lines 'key: text'"),
  'yaml-syntax': error('front matter is not YAML', 'mend the notation, or quote the value'),
  'missing-title': warning('front matter without a title', "add a line 'title: …'"),
  'bad-labels': error('labels that are not keys and words', 'write one label a line, key: value'),
  'dead-link': warning('a link that leads to no lore', 'mend the link, or write the lore'),
  // What can only be seen with all files at hand.
  'unknown-role': error('a role is mentioned that is not there', 'mend the selector'),
  'unknown-tool': warning('a tool or tool set is mentioned that is not there', 'mend the name'),
  'unknown-lore': error('a lore is mentioned that is not there', 'mend the name'),
  'unknown-model': warning('a model is neither an alias nor a full name', 'add an alias under models'),
  'missing-file': warning('a file of a role is not there', 'mend the path, which starts at the root'),
  'duplicate-alias': warning('an alias means more than one role', 'give one of them another alias'),
  'ambiguous-selector': warning('a selector means a role and a directory', 'write it with a colon'),
  'include-cycle': warning('roles that include each other: each counts once', 'remove one of the includes'),
  'unused-role': warning(
    'a role without alias that no role includes and that is no default',
    'give it an @alias, include it, or remove it',
  ),
  // Files and folders.
  'bad-name': error('a file name with control characters', 'rename the file'),
  'bad-encoding': error('a file that is not UTF-8', 'save it as UTF-8'),
  'not-text': error('a file with zero bytes', 'move it out of the graph'),
  'file-size': error('a file too large to be read', 'split it, or move it elsewhere'),
  'not-a-file': error('a device, pipe or folder where a file is expected', 'replace it with a file'),
  outside: error('a link that leads out of the graph', 'copy the file instead of linking to it'),
  'link-loop': error('a link that leads to itself', 'remove the link'),
  link: error('a linked .sgpt: links are not followed', 'make it a folder'),
  unreadable: error('a file or folder that cannot be read', 'check its mode and owner'),
  'too-many-dirs': warning('more folders than are read', "leave folders out with 'ignore'"),
  'too-many-files': warning('more artifacts than are read', "leave folders out with 'ignore'"),
  'too-many-problems': warning('more problems than are listed', 'mend the ones above first'),
  // Following changes.
  polling: warning('changes show late: too many folders to watch', 'raise fs.inotify.max_user_watches'),
  'not-watched': warning('changes do not show', 'open the graph again'),
} as const satisfies Readonly<Record<string, CodeRow>>;

/** The kind of a problem. */
export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;
