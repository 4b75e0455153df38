import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMANDS } from '../../../lib/cmd/registry.ts';
import { OptionStore } from '../../../lib/options/store.ts';
import { completeCommand } from '../../../lib/server/client/complete.ts';

const test = suite('completion at the prompt');

const services = {
  options: new OptionStore(),
  model: {
    sessions: { all: () => [{ name: 'review' }, { name: 'rebase' }, { name: 'docs' }] },
    windows: { all: () => [{ name: 'main' }] },
  },
} as unknown as Parameters<typeof completeCommand>[1];

const complete = (before: string): readonly string[] => completeCommand(before, services).candidates;

test('the first word is the name of a command; one that is clear is finished with a blank', () => {
  assert.equal(complete('rename-w'), ['rename-window ']);
  assert.is(complete('').length, COMMANDS.length);
  assert.equal(complete('new-window ; split-w'), ['split-window ']);
});

test('behind a dash come the flags of the command', () => {
  assert.ok(complete('split-window -').includes('-h'));
  assert.equal(complete('new --backg'), ['--background ']);
});

test('targets are sessions, or windows and sessions, and only where the command has one', () => {
  assert.equal(complete('show-session re'), ['review', 'rebase']);
  assert.equal(complete('select-window -t ma'), ['main ']);
  assert.equal(complete('clients x'), []);
});

test('options complete behind set-option', () => {
  assert.equal(complete('set-option sidebar-'), ['sidebar-width ']);
});

test('nothing is offered behind a command that there is not', () => {
  assert.equal(complete('nonsense re'), []);
});

test.run();
