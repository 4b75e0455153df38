import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { editorArgv } from '../../../lib/server/copy/text-files.ts';
import { tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';

const test = suite('text files');

test('a text is for its owner alone, and goes with its editor', async () => {
  const [program = '', ...args] = await editorArgv(['cat'], '../a b/\x1b', 'one\ntwo\n');
  const file = args[3]!;
  assert.is(statSync(file).mode & 0o777, 0o600);
  assert.is(statSync(dirname(file)).mode & 0o777, 0o700);
  assert.match(file, /\/mux-history-\w+\/[\w.-]+\.txt$/);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (data: Buffer) => void (text += data.toString()));
  await once(child, 'close');
  assert.is(text, 'one\ntwo\n');
  assert.not.ok(existsSync(dirname(file)));
});

test('it goes too where the pane of the editor is closed', async () => {
  const started = join(tempDir(), 'started');
  const editor = ['sh', '-c', `echo $$ > ${started}; exec sleep 60`, 'sh'];
  const [program = '', ...args] = await editorArgv(editor, 'pane', 'secret');
  const file = args[3]!;
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  await until('the editor runs', () => existsSync(started) && readFileSync(started, 'utf8') !== '');
  const ended = once(child, 'close');
  process.kill(-child.pid!, 'SIGHUP');
  await ended;
  assert.not.ok(existsSync(dirname(file)));
});

test.run();
