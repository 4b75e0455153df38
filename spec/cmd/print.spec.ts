import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runCommand } from '../../lib/cmd/registry.ts';
import { program } from '../model/fake.ts';
import { fakeContext } from './context.ts';

const test = suite('what commands print');

const EVIL = '/w/\x1b]52;c;eA==\x07\u202etxt';

/** A session whose directory is named to act on terminals, and what a command prints of it. */
async function printed(isTerminal: boolean, words: readonly string[]): Promise<string> {
  const fake = fakeContext();
  const launch = { argv: ['sh'], cwd: EVIL, env: {} };
  fake.model.sessions.create(program({ name: 'one', durable: true, launch }), { cols: 80, rows: 24 });
  const caller = { ...fake.context.caller, terminal: isTerminal };
  await runCommand({ ...fake.context, caller }, words);
  return fake.printed.join('\n');
}

test('a name that would act on a terminal is shown there as text', async () => {
  for (const words of [
    ['path', 'one'],
    ['list', '--wide'],
    ['list', '-F', '#{pane_current_path}\t#{session_name}'],
  ]) {
    const text = await printed(true, words);
    assert.match(text, /\/w\//);
    assert.not.match(text.replaceAll('\t', ''), /\p{Cc}(?<!\n)|\u202e/u);
  }
});

test('a script gets it as it is', async () => {
  assert.is(await printed(false, ['path', 'one']), EVIL);
});

test.run();
