import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseArgs } from '../../lib/cmd/args.ts';
import { INTERFACE_COMMANDS } from '../../lib/cmd/interface.ts';
import { promptRequest } from '../../lib/cmd/prompt.ts';
import type { ClientPort, PromptRequest } from '../../lib/cmd/spec.ts';
import { fakeContext } from './context.ts';

const test = suite('cmd/prompt');
const PROMPT = INTERFACE_COMMANDS.find(spec => spec.name === 'command-prompt')!;

/** What `command-prompt` with these words asks for, and the command lines that its answers run. */
function asked(...words: readonly string[]): { request: PromptRequest; ran: string[] } {
  const ran: string[] = [];
  const client = { run: line => void ran.push(line) } as Partial<ClientPort> as ClientPort;
  const { context } = fakeContext();
  const request = promptRequest({ ...context, client }, parseArgs(PROMPT, words), { pane: undefined });
  return { request, ran };
}

test('an incremental prompt runs its template at every change, and says when it is entered or given up', () => {
  const { request, ran } = asked('-i', '-T', 'search', '-p', 'find:', 'find "%%%"');
  assert.equal(request.questions, [{ label: 'find: ', initial: '' }]);
  assert.is(request.history, 'search');
  request.changed!('a"', false);
  request.entered(['a"']);
  request.changed!('b', true);
  assert.equal(ran, ['find "=a\\""', 'find "!a\\""', 'find "~b"']);
});

test('others run it once, with what was entered', () => {
  const { request, ran } = asked('-1', 'jump "%%%"');
  assert.is(request.answer, 'character');
  assert.is(request.changed, undefined);
  request.entered(['x']);
  assert.equal(ran, ['jump "x"']);
});

test.run();
