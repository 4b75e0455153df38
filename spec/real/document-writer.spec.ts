/**
 * Who a document was written by.
 */
import { spawn } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { LAUNCHER, MuxHome } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('the writer of a document');

test('who writes is the session by its token; without a server the commit says that it is unproven', async () => {
  const home = new MuxHome();
  const dir = (await home.ok('store', 'path')).trim();
  await home.ok('new', 'writer', '--background', 'sh', '-c', 'sleep 1000');
  try {
    const shown = (await home.cli('show', 'writer', '--json')).json();
    const token = await home.tokenOf('writer');
    const env = { ...home.env, MUX_SERVER: 'default', MUX_SESSION: shown.id as string, MUX_TOKEN: token };
    const put = async (key: string, extra: Readonly<Record<string, string>> = {}): Promise<void> => {
      const child = spawn(process.execPath, [LAUNCHER, 'store', 'put', key, key], {
        cwd: home.work,
        env: { ...env, ...extra },
        stdio: 'ignore',
      });
      assert.is(await new Promise(resolve => child.on('exit', resolve)), 0);
    };
    const trailers = (): string => git(dir, '--git-dir=.', 'log', '-1', '--format=%(trailers)');
    await put('proven');
    assert.match(trailers(), new RegExp(`^Session: writer\nSession-Id: ${shown.id}\nWrite-Id`));
    await put('liar', { MUX_SESSION: 'another\nSession: boss' });
    assert.match(trailers(), new RegExp(`^Session: writer\nSession-Id: ${shown.id}\nWrite-Id`));
    await home.ok('kill-server', '-y');
    await until('the server has ended', async () => (await home.cli('show', 'writer')).status === 3);
    await put('claimed', { MUX_SESSION: 'another\nSession: boss' });
    assert.match(
      trailers(),
      /^Session-Id: another Session: boss\nUnproven: as its environment says\nWrite-Id/,
    );
  } finally {
    await home.end();
  }
});

test.run();
