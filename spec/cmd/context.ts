/**
 * A context for commands over a model of programs that do nothing, noting what commands do to the world.
 */
import { Buffers } from '../../lib/cmd/buffers.ts';
import type { CommandContext, HostPort } from '../../lib/cmd/spec.ts';
import { KeyTables } from '../../lib/keys/tables.ts';
import { fakeModel, type Fake } from '../model/fake.ts';

export interface FakeContext extends Fake {
  readonly context: CommandContext;
  readonly printed: string[];
  readonly clipboards: string[];
}

/** No terminal is attached; the call comes from a shell. Ports that no spec uses are not there. */
export function fakeContext(): FakeContext {
  const fake = fakeModel();
  const printed: string[] = [];
  const clipboards: string[] = [];
  const host: Partial<HostPort> = {
    clients: () => [],
    clipboard: data => void clipboards.push(Buffer.from(data).toString()),
  };
  const context: Partial<CommandContext> = {
    clock: fake.clock,
    model: fake.model,
    keys: new KeyTables(),
    buffers: new Buffers(() => 50),
    host: host as HostPort,
    caller: {
      cwd: '/',
      json: false,
      jsonIsAutomatic: false,
      terminal: false,
      columns: 0,
      pane: '',
      session: '',
      speaker: { session: '', isPerson: true },
      env: {},
    },
    client: undefined,
    isInterface: false,
    print: text => void printed.push(text),
    json: value => void printed.push(JSON.stringify(value)),
  };
  return Object.assign(fake, { context: context as CommandContext, printed, clipboards });
}
