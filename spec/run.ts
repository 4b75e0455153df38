/**
 * Runs specs: one process per file, each with a kill timer, and ends with the line `N passed, N failed`.
 *
 *   node dist/spec/run.js [WORD…]   only files whose path contains one of the words
 *
 * Why not uvu's own runner: it runs all files in one process, has no time-outs, and counts a file without tests, or
 * a pattern that matches nothing, as success. Here each of those is a failure.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const SPEC_ROOT = import.meta.dirname;
/** Long enough for the slowest real-process file on a loaded two-core machine; a hang is still noticed. */
const FILE_TIMEOUT_MS = 180_000;

interface Outcome {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly output: string;
  readonly seconds: number;
}

/** Every compiled spec below `dir` whose source is still there: the compiler leaves what was renamed or removed. */
function specFiles(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap(entry => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return specFiles(path);
    const source = join(SPEC_ROOT, '../../spec', relative(SPEC_ROOT, path).replace(/js$/, 'ts'));
    return entry.name.endsWith('.spec.js') && existsSync(source) ? [path] : [];
  });
}

/** The environment of a spec: nothing of the caller's that could reach a provider, a server or another mux. */
function specEnv(home: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [key, value] of Object.entries(process.env)) {
    if (/_API_KEY$|^(MUX_(?!SUITES$|CORPUS$)|TMUX|CLAUDE|ANTHROPIC|OPENAI|NO_COLOR|XDG_)/.test(key)) continue;
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

async function runFile(file: string): Promise<Outcome> {
  const home = mkdtempSync(join(tmpdir(), 'mux-spec-'));
  const started = performance.now();
  let output = '';
  const child = spawn(process.execPath, ['--enable-source-maps', file], {
    env: specEnv(home),
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
  if (total === 0 && !late) output += '\nno test ran in this file\n';
  if (failed === 0 && (status !== 0 || total === 0)) failed = 1;
  return { file, passed, failed, skipped, output, seconds: (performance.now() - started) / 1000 };
}

function report(outcome: Outcome): void {
  const name = relative(SPEC_ROOT, outcome.file);
  const mark = outcome.failed > 0 ? '✗' : '✓';
  const skips = outcome.skipped > 0 ? `, ${outcome.skipped} skipped` : '';
  console.log(`${mark} ${name} ${outcome.passed} passed${skips} (${outcome.seconds.toFixed(1)} s)`);
  if (outcome.failed > 0) console.log(outcome.output);
  else for (const line of outcome.output.match(/^skipped: .*$/gm) ?? []) console.log('  ' + line);
}

/**
 * Files that failed run once more, one at a time: real programs on a machine that does other things too can miss a
 * deadline through nobody's fault. What failed first stays in the output, with its screens, and is said at the end.
 */
async function againAlone(outcomes: Outcome[]): Promise<void> {
  for (const [i, first] of outcomes.entries()) {
    if (first.failed === 0) continue;
    const second = await runFile(first.file);
    report(second);
    outcomes[i] = second;
    const name = relative(SPEC_ROOT, first.file);
    if (second.failed === 0) console.log(`! ${name} failed beside others and passed alone: look why`);
  }
}

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const files = specFiles(SPEC_ROOT)
    .filter(file => words.length === 0 || words.some(w => relative(SPEC_ROOT, file).includes(w)))
    .sort();
  const queue = [...files];
  const outcomes: Outcome[] = [];
  const worker = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const outcome = await runFile(file);
      outcomes.push(outcome);
      report(outcome);
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, worker));
  await againAlone(outcomes);
  const sum = (pick: (o: Outcome) => number): number => outcomes.reduce((n, o) => n + pick(o), 0);
  const passed = sum(o => o.passed);
  let failed = sum(o => o.failed);
  if (files.length === 0) {
    console.log(`no spec file matches ${words.join(' ')}`);
    failed = 1;
  }
  const skipped = sum(o => o.skipped);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 ? 1 : 0;
}

await main();
