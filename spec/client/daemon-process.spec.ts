import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDaemon } from '../../lib/client/daemon-process.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('processes in the background');

test('one that is started from a pane has none of the variables that are that pane’s', async () => {
  const dir = tempDir();
  const own = {
    MUX_TOKEN: 'secret',
    MUX_SESSION: 's',
    MUX_PANE: '%1',
    MUX_SOCKET: '/s',
    MUX_AGENT: 'claude',
  };
  Object.assign(process.env, own, { OTHER: 'kept' });
  const seen = join(dir, 'seen');
  const isOurs = await startDaemon({
    what: 'it',
    command: ['sh', '-c', `env >'${seen}'; echo ready; sleep 1`],
    log: join(dir, 'log'),
    home: dir,
  });
  for (const name of Object.keys(own)) delete process.env[name];
  assert.ok(isOurs);
  const text = readFileSync(seen, 'utf8');
  assert.match(text, /^OTHER=kept$/m);
  assert.match(text, new RegExp(`^MUX_HOME=${dir}$`, 'm'));
  for (const name of Object.keys(own)) assert.not.match(text, new RegExp(`^${name}=`, 'm'));
});

test.run();
