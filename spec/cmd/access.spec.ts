import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OWN_COMMANDS } from '../../lib/app/own-commands.ts';
import { ACCESS_ROWS, accessOf } from '../../lib/cmd/access.ts';
import { COMMANDS } from '../../lib/cmd/registry.ts';

const test = suite('access');

/** What would let an agent out of its place, or decide for a person. */
const NEVER_AGENTS = [
  'kill-server',
  'server-hand-over',
  'set-option',
  'bind-key',
  'unbind-key',
  'source-file',
  'approve',
  'deny',
  'pipe-pane',
  'gc',
  'update',
  'detach',
  'load-buffer',
  'save-buffer',
];

test('every command says who may run it', () => {
  assert.equal(
    COMMANDS.map(({ name }) => name).filter(name => !ACCESS_ROWS.includes(name)),
    [],
  );
});

test('there is no row without a command', () => {
  // Those that the program begins and the server ends have records of both kinds.
  const names = new Set([...COMMANDS, ...OWN_COMMANDS].map(({ name }) => name));
  assert.equal(
    ACCESS_ROWS.filter(name => !names.has(name)),
    [],
  );
});

test('what has no row is for people alone', () => {
  assert.is(accessOf({ name: 'not-thought-of' }), 'person');
  assert.is(accessOf({ name: 'constructor' }), 'person');
});

test('the server’s life, settings, verdicts and files are for people alone', () => {
  for (const name of NEVER_AGENTS) assert.is(accessOf({ name }), 'person', name);
});

test('what acts on a session acts on the caller’s own and what it has started', () => {
  for (const name of [
    'stop',
    'resume',
    'restart',
    'delete',
    'restore',
    'purge',
    'fork',
    'type',
    'send-keys',
    'logs',
    'capture-pane',
    'wait',
    'interrupt',
  ])
    assert.is(accessOf({ name }), 'own', name);
});

test.run();
