/** Completion: the scripts are read by the shells themselves. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { completionNodes } from '../../lib/app/completion.ts';
import { OWN_COMMANDS } from '../../lib/app/own-commands.ts';
import { COMMANDS } from '../../lib/cmd/registry.ts';
import { LAUNCHER, whichProgram } from '../support/mux.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('completion');
const script = (shell: string): string =>
  execFileSync(process.execPath, [LAUNCHER, 'completion', shell]).toString();

/** What bash offers behind these words. */
function offered(...words: readonly string[]): string[] {
  const run =
    'eval "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _mux; printf "%s\\n" "${COMPREPLY[@]}"';
  const out = execFileSync('bash', ['--norc', '-c', run, 'bash', script('bash'), 'mux', ...words], {
    cwd: '/',
  });
  return out.toString().split('\n').filter(Boolean);
}

test('every command that a shell can run is known', () => {
  const names = new Set(completionNodes().map(({ name }) => name));
  for (const spec of [...OWN_COMMANDS, ...COMMANDS])
    if (!spec.interactive) assert.ok(names.has(spec.name.split(' ')[0]!), spec.name);
});

test('bash completes commands, words behind them, and flags, also behind flags of mux itself', () => {
  assert.ok(offered('spl').includes('split-window'));
  assert.equal(offered('chats', 'exp'), ['export']);
  assert.equal(offered('-L', 'x', 'ask', '--outp'), ['--output']);
  assert.ok(offered('msg', '').includes('send'));
  assert.ok(offered('role', 'show', '--ex').includes('--explain'));
});

for (const shell of ['zsh', 'fish']) {
  test(`${shell} reads its script`, () => {
    const program = whichProgram(shell);
    if (!program) return console.log(`skipped: ${shell} is not installed`);
    execFileSync(program, ['-n', join(tempDir({ script: script(shell) }), 'script')]);
  });
}

test.run();
