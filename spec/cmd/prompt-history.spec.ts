import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runCommand } from '../../lib/cmd/registry.ts';
import type { PromptKind } from '../../lib/cmd/spec.ts';
import { fakeContext } from './context.ts';

const test = suite('cmd/prompt-history');

function scene(): { run(...line: readonly string[]): Promise<readonly string[]> } {
  const lists: Partial<Record<PromptKind, string[]>> = {
    command: ['new-window', 'bad\x1b[2J'],
    search: ['needle'],
  };
  const { context, printed } = fakeContext();
  const host = { ...context.host, promptHistory: (kind: PromptKind) => (lists[kind] ??= []) };
  return {
    async run(...line) {
      printed.length = 0;
      await runCommand({ ...context, host }, line);
      return [...printed];
    },
  };
}

test('what was entered before is shown with its number, of all prompts or of one kind', async () => {
  const { run } = scene();
  assert.equal(await run('show-prompt-history'), [
    'command\t1\tnew-window',
    'command\t2\tbad [2J',
    'search\t1\tneedle',
  ]);
  assert.equal(await run('showphist', '-T', 'search'), ['search\t1\tneedle']);
  const [json] = await run('show-prompt-history', '--json', '-T', 'search');
  assert.equal(JSON.parse(json!), { entries: [{ kind: 'search', index: 1, text: 'needle' }] });
});

test('it is forgotten, all of it or one kind', async () => {
  const { run } = scene();
  await run('clear-prompt-history', '-T', 'command');
  assert.equal(await run('show-prompt-history'), ['search\t1\tneedle']);
  await run('clearphist');
  assert.equal(await run('show-prompt-history'), []);
});

test('a kind that does not exist is named, with the one that was meant', async () => {
  const error = await scene()
    .run('clear-prompt-history', '-T', 'serch')
    .catch((e: unknown) => e as Error & { hint: string });
  assert.match(String((error as Error).message), /there is no history 'serch'/);
});

test.run();
