/**
 * Which folder of lib may import what, and the checks that hold the code to it. Deny by default: a folder without a
 * row may not exist, an import that no row allows may not stand.
 */

/** What the files of one folder may use. Files of the same folder may always import each other. */
export interface Row {
  /** Folders of lib; '*' for all. */
  readonly lib: readonly string[];
  /** Folders of lib from which only `import type` is allowed. */
  readonly types?: readonly string[];
  /** Folders that '*' leaves out. */
  readonly not?: readonly string[];
  readonly npm?: readonly string[];
  /** Modules of Node without their prefix; '*' for all. */
  readonly node?: readonly string[];
  /** Neither time nor chance nor the process: what it does depends on its arguments alone. */
  readonly pure?: boolean;
}

const ALL = ['*'];

export const MATRIX: Readonly<Record<string, Row>> = {
  base: { lib: [], npm: ['get-east-asian-width', 'unicode-segmenter'], pure: true },
  term: { lib: ['base'], npm: ['@xterm/headless'], pure: true },
  input: { lib: ['base', 'term'], pure: true },
  layout: { lib: ['base'], pure: true },
  options: { lib: ['base'], pure: true },
  format: { lib: ['base'], pure: true },
  keys: { lib: ['base', 'input'], pure: true },
  cmd: {
    lib: [
      'base',
      'model',
      'layout',
      'options',
      'format',
      'keys',
      'input',
      'term',
      'graph',
      'status',
      'approvals',
      'fleet',
      'permissions',
    ],
    types: ['messages'],
    pure: true,
  },
  status: { lib: ['base'], pure: true },
  approvals: { lib: ['base', 'status', 'permissions'], types: ['model'], pure: true },
  model: { lib: ['base', 'term', 'layout', 'options', 'status'], pure: true },
  mode: {
    lib: ['base', 'term', 'input', 'format', 'graph', 'layout'],
    types: ['chrome'],
    npm: ['@leeoniya/ufuzzy'],
    pure: true,
  },
  frame: { lib: ['base', 'term', 'layout'], types: ['chrome', 'config'], pure: true },
  render: { lib: ['base', 'term', 'frame'], types: ['config'], pure: true },
  chrome: { lib: ['base', 'term'], types: ['config', 'graph'], npm: ['blessed'], node: ['stream'] },
  fleet: { lib: ['base', 'config', 'layout', 'model'], npm: ['yaml', 'zod'], pure: true },
  wire: { lib: ['base'], pure: true },
  graph: { lib: ['base'], npm: ['yaml', 'ignore', 're2js'], node: ['path/posix'], pure: true },
  watch: { lib: ['base', 'git', 'graph', 'markdown'], npm: ['chokidar'], node: ALL },
  markdown: { lib: ['base'], npm: ['marked', 'highlight.js'], pure: true },
  pty: { lib: ['base', 'wire'], npm: ['node-pty'], node: ALL },
  git: { lib: ['base'], node: ALL },
  store: { lib: ['base', 'layout', 'model'], node: ALL },
  documents: { lib: ['base', 'git'], node: ALL },
  sqlite: { lib: ['base'], npm: ['better-sqlite3'], node: ALL },
  messages: { lib: ['base', 'sqlite'], node: ALL },
  permissions: { lib: ['base'], npm: ['unbash', 'bash-parser'], pure: true },
  ai: {
    lib: ['base', 'sqlite'],
    types: ['config'],
    npm: [
      '@grpc/grpc-js',
      '@grpc/proto-loader',
      'protobufjs',
      '@grpc/reflection',
      'grpc-health-check',
      '@anthropic-ai/sdk',
      'openai',
      'ollama',
    ],
    node: ALL,
  },
  agent: { lib: ['base', 'ai', 'permissions'], types: ['config', 'graph'], pure: true },
  tools: {
    lib: ['base', 'ai', 'permissions', 'graph', 'git', 'agent'],
    types: ['config'],
    npm: [
      '@modelcontextprotocol/sdk',
      '@grpc/grpc-js',
      '@grpc/proto-loader',
      'protobufjs',
      'diff',
      'tinyglobby',
      'ignore',
      're2js',
    ],
    node: ALL,
  },
  chat: {
    lib: ['base', 'term', 'input', 'frame', 'render', 'chrome', 'markdown', 'mode', 'keys', 'agent'],
    types: ['ai', 'config'],
    pure: true,
  },
  clipboard: { lib: ['base'], node: ALL },
  sandbox: { lib: ['base'], types: ['config'], node: ALL },
  config: { lib: ['base', 'options'], npm: ['yaml', 'zod', 'diff'], node: ALL },
  client: { lib: ['base', 'wire'], node: ALL },
  server: { lib: ALL, not: ['app'], npm: ['proper-lockfile'], node: ALL },
  app: { lib: ALL, node: ALL },
};

/** Files that give the pure folders what they must not take themselves. */
export const IMPURE_FILES: ReadonlySet<string> = new Set(['lib/base/clock.ts']);

/** The file cap: longer ones hold more than one thing. */
export const LINES_MAX = 400;

/** Where an attached terminal's process starts. Everything it loads delays the first screen. */
export const ATTACH_ENTRY = 'lib/app/main.ts';
/** Folders on the attach path whose rows already say which packages they may load. */
const ATTACH_FOLDERS = new Set(['base', 'wire', 'client']);
/** Slow to load wherever they are imported: tens to hundreds of milliseconds. */
const ATTACH_NEVER = /^(blessed|@xterm\/.*|yaml|zod|@grpc\/.*)$/;

/** Words that pure folders do not use, with what they would bring in. */
const IMPURE: readonly (readonly [RegExp, string])[] = [
  [/\bDate\.now\b|\bnew Date\(\s*\)|(?<!new )\bDate\(\s*\)/, 'the time'],
  [/\bperformance\.\w/, 'the time'],
  [/\bMath\.random\b|\bcrypto\.(?:random|getRandom)/, 'chance'],
  [/\bset(?:Timeout|Interval|Immediate)\b/, 'timers'],
  [/\bprocess\.[a-zA-Z]|\bprocess\[/, 'the process'],
  [/\bglobalThis\b/, 'globals'],
  [/\bconsole\.\w/, 'the console'],
  [/\bfetch\(/, 'the network'],
];

/** One import of a file. */
export interface Import {
  readonly specifier: string;
  /** 'type' leaves nothing at run time; 'dynamic' loads when it is reached. */
  readonly kind: 'value' | 'type' | 'dynamic';
}

/** Sources by path from the package's root, with forward slashes: `lib/base/event.ts`. */
export type Sources = ReadonlyMap<string, string>;

/** The imports of a source, in order. Inline `type` marks do not count: such an import still loads the file. */
export function importsOf(source: string): Import[] {
  const text = withoutComments(source);
  const found: (Import & { at: number })[] = [];
  const statement =
    /^\s*(?:import|export)\s+(type\s+(?!from\b))?(?:[^'";]*?[\s}*]from\s*)?['"]([^'"\n]+)['"]/gm;
  for (const match of text.matchAll(statement))
    found.push({ specifier: match[2]!, kind: match[1] ? 'type' : 'value', at: match.index });
  for (const match of text.matchAll(/(typeof\s+)?\b(?:import|require)\s*\(\s*['"`]([^'"`\n]+)['"`]/g))
    found.push({ specifier: match[2]!, kind: match[1] ? 'type' : 'dynamic', at: match.index });
  return found.sort((a, b) => a.at - b.at).map(({ specifier, kind }) => ({ specifier, kind }));
}

/** Comments at the start of a line or behind code; text that only looks like one inside a string stays. */
function withoutComments(source: string): string {
  return source
    .replace(/^\s*\/\*[\s\S]*?\*\//gm, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/[;,{})]\s+\/\/ .*$/gm, '');
}

/** Every breach of the matrix and of the caps, as lines `PATH: WHAT`. */
export function breaches(sources: Sources, matrix = MATRIX): string[] {
  const list = [...sources].flatMap(([path, source]) => [
    ...folderBreach(path, matrix),
    ...importsOf(source).flatMap(entry => importBreach(path, entry, sources, matrix)),
    ...lengthBreach(path, source),
    ...purityBreaches(path, source, matrix),
  ]);
  return [...list, ...cycles(sources), ...attachBreaches(sources)];
}

/** `lib/base/event.ts` → `base`. */
export function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function folderBreach(path: string, matrix: typeof MATRIX): string[] {
  if (path.split('/').length < 3) return [`${path}: stands in no folder`];
  return Object.hasOwn(matrix, folderOf(path))
    ? []
    : [`${path}: folder ${folderOf(path)} has no row in the matrix`];
}

function importBreach(path: string, entry: Import, sources: Sources, matrix: typeof MATRIX): string[] {
  const row = matrix[folderOf(path)];
  const { specifier } = entry;
  if (!row) return [];
  const no = (what: string): string[] => [`${path}: may not import ${what}`];
  if (specifier.startsWith('node:')) {
    const allowed = row.node ?? [];
    return allowed.includes('*') || allowed.includes(specifier.slice(5)) ? [] : no(specifier);
  }
  if (!specifier.startsWith('.'))
    return (row.npm ?? []).includes(packageOf(specifier)) ? [] : no(`package ${packageOf(specifier)}`);
  const target = resolveFrom(path, specifier);
  if (!sources.has(target)) return [`${path}: imports ${specifier}, which is not a file of lib`];
  return folderAllowed(row, folderOf(path), folderOf(target), entry.kind)
    ? []
    : no(`${target} (${entry.kind})`);
}

function folderAllowed(row: Row, from: string, to: string, kind: Import['kind']): boolean {
  if (from === to) return true;
  if (row.not?.includes(to)) return false;
  if (row.lib.includes('*') || row.lib.includes(to)) return true;
  return kind === 'type' && (row.types ?? []).includes(to);
}

/** `@scope/name/part` → `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function resolveFrom(path: string, specifier: string): string {
  const parts = path.split('/').slice(0, -1);
  for (const step of specifier.split('/')) {
    if (step === '..') parts.pop();
    else if (step !== '.') parts.push(step);
  }
  return parts.join('/');
}

function lengthBreach(path: string, source: string): string[] {
  const lines = source.replace(/\n$/, '').split('\n').length;
  return lines > LINES_MAX ? [`${path}: ${lines} lines, more than ${LINES_MAX}`] : [];
}

function purityBreaches(path: string, source: string, matrix: typeof MATRIX): string[] {
  if (!matrix[folderOf(path)]?.pure || IMPURE_FILES.has(path)) return [];
  const text = withoutComments(source);
  return IMPURE.flatMap(([regex, what]) => {
    const match = regex.exec(text);
    return match ? [`${path}: is in a pure folder and uses ${what} (${match[0]})`] : [];
  });
}

/** Files of lib that `path` loads before it runs. */
function loadedBy(path: string, sources: Sources): string[] {
  return importsOf(sources.get(path) ?? '')
    .filter(entry => entry.kind === 'value' && entry.specifier.startsWith('.'))
    .map(entry => resolveFrom(path, entry.specifier))
    .filter(target => sources.has(target));
}

/** Import cycles between files, each told once, from the first file of it that is reached. */
function cycles(sources: Sources): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push(`${path}: import cycle ${[...trail.slice(start), path].join(' → ')}`);
    if (start >= 0 || done.has(path)) return;
    for (const target of loadedBy(path, sources)) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of sources.keys()) visit(path, []);
  return found;
}

/** Files loaded before the attach path runs, with the way to each. */
function attachClosure(sources: Sources): ReadonlyMap<string, string> {
  const ways = new Map<string, string>();
  const visit = (path: string, way: string): void => {
    if (ways.has(path) || !sources.has(path)) return;
    ways.set(path, way);
    for (const target of loadedBy(path, sources)) visit(target, `${way} → ${target}`);
  };
  visit(ATTACH_ENTRY, ATTACH_ENTRY);
  return ways;
}

function attachBreaches(sources: Sources): string[] {
  return [...attachClosure(sources)].flatMap(([path, way]) =>
    importsOf(sources.get(path) ?? '')
      .filter(entry => entry.kind === 'value' && !/^(?:\.|node:)/.test(entry.specifier))
      .map(entry => packageOf(entry.specifier))
      .filter(name => !ATTACH_FOLDERS.has(folderOf(path)) || ATTACH_NEVER.test(name))
      .map(name => `${path}: package ${name} is loaded on the attach path (${way})`),
  );
}
