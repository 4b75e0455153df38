import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { agentArguments, agentsOnPath, placeholderProblem } from '../../lib/config/agent-arguments.ts';
import { BUILTIN_AGENTS, mergeAgents, type Agent } from '../../lib/config/agents.ts';
import { loadConfig } from '../../lib/config/load.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('agent arguments');
const agents: Readonly<Record<string, Agent>> = BUILTIN_AGENTS;
const line = (
  name: string,
  ...rest: [Parameters<typeof agentArguments>[1], Parameters<typeof agentArguments>[2]]
): string => agentArguments(agents[name]!, ...rest).args.join(' ');

test('each way to start has its own arguments, model and prompt behind them', () => {
  const values = { conversation_id: 'new', source_conversation_id: 'old', model: 'm', prompt: 'do it' };
  assert.is(line('claude', 'fresh', values), '--session-id new --model m do it');
  assert.is(line('claude', 'resume', { conversation_id: 'c' }), '--resume c');
  assert.is(
    line('claude', 'fork', { conversation_id: 'new', source_conversation_id: 'old' }),
    '--resume old --fork-session --session-id new',
  );
  assert.is(line('codex', 'resume', { conversation_id: 'c' }), 'resume c');
  assert.is(line('gemini', 'fresh', { prompt: 'x' }), '-i x');
});

test('an id that is not known is never passed: the agent starts afresh', () => {
  for (const name of Object.keys(agents))
    for (const kind of ['resume', 'fork', 'fresh'] as const)
      for (const values of [
        {},
        { conversation_id: '' },
        { conversation_id: '', source_conversation_id: '' },
      ]) {
        const { args } = agentArguments(agents[name]!, kind, values);
        assert.not.ok(args.includes(''), `${name} ${kind}`);
        // The chat program finds its chat by itself.
        if (name !== 'chat')
          assert.not.match(
            args.join(' '),
            /[{}]|--resume$|--session$|--session-id$|resume$/,
            `${name} ${kind}`,
          );
      }
  assert.is(agentArguments(agents['codex']!, 'resume', {}).kind, 'fresh');
});

test('what a value holds in braces is text', () => {
  assert.is(
    line('claude', 'fresh', { conversation_id: 'c', prompt: 'say {model}' }),
    '--session-id c say {model}',
  );
});

test('an unknown placeholder is an error where the settings are read', () => {
  assert.equal(placeholderProblem('--x={sesion_name}'), {
    message: 'unknown placeholder {sesion_name}',
    hint: 'did you mean {session_name}?',
  });
  assert.is(placeholderProblem('{"json": 1} {} { a }'), undefined);
  const { problems } = loadConfig({
    path: 'c.yaml',
    text: 'agents:\n  claude:\n    args: ["{conversation}"]\n',
  });
  assert.match(problems[0]!.message, /agents\.claude\.args.*unknown placeholder \{conversation\}/);
  for (const agent of Object.values(agents))
    for (const arg of [
      ...agent.args,
      ...agent.resume_args,
      ...agent.fork_args,
      ...agent.prompt_args,
      ...agent.model_args,
    ])
      assert.is(placeholderProblem(arg), undefined, arg);
});

test('agents whose programs can be run are found', () => {
  const dir = tempDir({ 'bin/claude': '', 'bin/codex': '', 'bin/amp/x': '' });
  chmodSync(join(dir, 'bin/claude'), 0o755);
  assert.equal(agentsOnPath(mergeAgents({}), { PATH: `.:${join(dir, 'bin')}` }), ['claude', 'chat', 'shell']);
  assert.equal(agentsOnPath(mergeAgents({}), {}), ['chat', 'shell']);
});

test.run();
