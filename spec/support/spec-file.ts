/**
 * One spec file, run in a process of its own with a kill timer: what the suite and the soak have in common.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** dist/spec. */
const SPEC_ROOT = join(import.meta.dirname, '..');
/** Long enough for the slowest real-process file on a loaded two-core machine; a hang is still noticed. */
const FILE_TIMEOUT_MS = 180_000;

/** Where properties begin when nobody says otherwise: any number would do. */
export const SEED = 20_251_101;
const SEEDED = join(import.meta.dirname, 'seed.js');

/** How a file ended. */
export interface Outcome {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly output: string;
  readonly seconds: number;
}

/** Compiled specs below `dir` whose source is still there: the compiler leaves what was renamed or removed. */
function filesBelow(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap(entry => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    const source = join(SPEC_ROOT, '../../spec', relative(SPEC_ROOT, path).replace(/js$/, 'ts'));
    return entry.name.endsWith('.spec.js') && existsSync(source) ? [path] : [];
  });
}

/** The environment of a spec: nothing of the caller's that could reach a provider, a server or another mux. */
function specEnv(home: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [key, value] of Object.entries(process.env)) {
    if (/_API_KEY$|^(MUX_(?!SUITES$|CORPUS$|AGENTS$)|TMUX|CLAUDE|ANTHROPIC|OPENAI|NO_COLOR|XDG_)/.test(key))
      continue;
    env[key] = value;
  }
  return { ...env, MUX_HOME: home, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', MUX_AGENT_MODE: '0' };
}

/** Number behind `label` in uvu's closing lines. */
function count(output: string, label: string): number | undefined {
  const match = new RegExp(`^\\s*${label}:\\s+(\\d+)`, 'm').exec(output);
  return match ? Number(match[1]) : undefined;
}

/** A file may ask for more time: `// spec-timeout: SECONDS` in its source. */
function timeoutOf(file: string): number {
  const match = /^\/\/ spec-timeout: (\d+)$/m.exec(readFileSync(file, 'utf8'));
  return match ? Number(match[1]) * 1000 : FILE_TIMEOUT_MS;
}

/** Whether it tries random cases, itself or through what it imports of spec/. */
export function hasProperties(file: string): boolean {
  const source = readFileSync(file, 'utf8');
  const imported = [...source.matchAll(/^import .* from '(\.[^']*)'/gm)].map(match =>
    join(dirname(file), match[1]!),
  );
  const texts = imported.filter(path => path.startsWith(SPEC_ROOT)).map(path => readFileSync(path, 'utf8'));
  return [source, ...texts].some(text => text.includes("from 'fast-check'"));
}

/** Runs a compiled spec file to its end, or until its time is over. `seed`: of its random cases. */
export async function runFile(file: string, seed = SEED): Promise<Outcome> {
  const home = mkdtempSync(join(tmpdir(), 'mux-spec-'));
  const started = performance.now();
  let output = '';
  const seeded = hasProperties(file) ? ['--import', SEEDED] : [];
  const child = spawn(process.execPath, ['--enable-source-maps', ...seeded, file], {
    env: { ...specEnv(home), SPEC_SEED: String(seed) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', chunk => (output += String(chunk)));
  child.stderr.on('data', chunk => (output += String(chunk)));
  const timeoutMs = timeoutOf(file);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, timeoutMs);
  const status = await new Promise<number>(resolve => {
    child.once('exit', (code, signal) => resolve(signal ? 128 : (code ?? 1)));
  });
  clearTimeout(timer);
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  const total = [...output.matchAll(/^\s*Total:\s+(\d+)/gm)].reduce((n, m) => n + Number(m[1]), 0);
  const passed = count(output, 'Passed') ?? 0;
  const skipped = count(output, 'Skipped') ?? 0;
  let failed = Math.max(0, total - passed - skipped);
  if (late) output += `\nkilled after ${timeoutMs / 1000} s\n`;
  // What a file needs may not be on this machine: then it says so, and for each test that it leaves out.
  const isEmpty = total === 0 && !(skipped > 0 && /^skipped: ./m.test(output));
  if (isEmpty && !late) output += '\nno test ran in this file\n';
  if (failed === 0 && (status !== 0 || isEmpty)) failed = 1;
  return { file, passed, failed, skipped, output, seconds: (performance.now() - started) / 1000 };
}

/** A file's path without what is the same for all. */
export function shortName(file: string): string {
  return relative(SPEC_ROOT, file);
}

/**
 * Compiled spec files whose short names contain one of the words, in order; without a word all but the long ones, which say
 * `// spec-long` in their source.
 */
export function specFiles(words: readonly string[]): string[] {
  return filesBelow(SPEC_ROOT)
    .filter(file => (words.length === 0 ? !isLong(file) : words.some(word => shortName(file).includes(word))))
    .sort();
}

/** Whether it is left out of the suite for its length: it runs by its name, and in the soak. */
export function isLong(file: string): boolean {
  return /^\/\/ spec-long$/m.test(readFileSync(file, 'utf8'));
}

/** Long files, by their short names. */
export function longFiles(): string[] {
  return filesBelow(SPEC_ROOT).filter(isLong).map(shortName).sort();
}
