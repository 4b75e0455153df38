/**
 * A mux on the far side of ssh: a real sshd for one connection, on no port.
 */
// spec-timeout: 120
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ctrl, prefix } from '../support/keys.ts';
import { hasPrograms, LAUNCHER, MuxHome, startMux } from '../support/mux.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('over ssh');
const home = new MuxHome();
test.after(() => home.end());
const SSHD = '/usr/sbin/sshd';

/** Words of an ssh that logs into this machine as whoever runs this; undefined, with the reason told, where that cannot be. */
function sshWords(): string | undefined {
  if (!hasPrograms('ssh', 'ssh-keygen')) return undefined;
  if (!existsSync(SSHD)) return void console.log(`skipped: there is no ${SSHD}`);
  const dir = tempDir({});
  for (const key of ['host', 'person'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(dir, key)]);
  const config = [
    `HostKey ${dir}/host`,
    `AuthorizedKeysFile ${dir}/person.pub`,
    'StrictModes no',
    'UsePAM no',
    'PidFile none',
    'PermitRootLogin yes',
    'PasswordAuthentication no',
    // Or bash reads the person's own files, which may wait for anything.
    'SetEnv SHLVL=2',
  ];
  writeFileSync(join(dir, 'sshd'), config.join('\n') + '\n');
  const options = [
    `ProxyCommand="${SSHD} -i -f ${dir}/sshd"`,
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'IdentitiesOnly=yes',
    'LogLevel=ERROR',
  ];
  const words = `ssh -tt -F none -i ${dir}/person ${options.map(option => `-o ${option}`).join(' ')} nowhere`;
  try {
    execFileSync('/bin/sh', ['-c', `${words.replace('-tt', '-T')} true`], { stdio: 'pipe', timeout: 20_000 });
  } catch (error) {
    return void console.log(
      `skipped: sshd does not let one in: ${String((error as Error).message)
        .split('\n')
        .at(-2)}`,
    );
  }
  return words;
}

const ssh = sshWords();
/** What ssh does not carry over. */
const far = `env MUX_HOME=${home.dir} HOME=${home.env['HOME']} SHELL=${home.env['SHELL']} LC_ALL=C.UTF-8 PS1='$ ' ${process.execPath} ${LAUNCHER}`;

test('a mux over ssh in a pane takes the prefix twice, is left by it, and leaves the pane as it was', async () => {
  if (ssh === undefined) return;
  const { mux } = await startMux({ home, cols: 98, rows: 30 });
  mux.type(`clear; ${ssh} "${far} -L far"; echo "status $?"\r`);
  await mux.waitFor('the far one', t => t.text().split('C-b ? help').length === 3);
  mux.type(ctrl('b') + prefix('c'));
  await mux.waitFor(
    'it has a second window',
    async () => (await home.ok('-L', 'far', 'list-windows')).trim().split('\n').length === 2,
  );
  mux.type(ctrl('b') + prefix('d'));
  await mux.waitFor('it is left', /^(│?)status 0/m);
  await mux.waitFor('nothing of it is left', t => t.modes.mouseTracking === 'drag' && t.cursor.visible);
  assert.is((await home.ask('display-message', '-p', '#{alternate_on}')).trim(), '0');
  await home.ok('-L', 'far', 'kill-server', '-y');
});

test('an attach over ssh to the server that shows it is refused, though no variable tells of it', async () => {
  if (ssh === undefined) return;
  const mux = home.start({ cols: 98, rows: 30 });
  await mux.waitFor('the shell', /\$/);
  mux.type(`clear; ${ssh} "${far}"; echo "status $?"\r`);
  await mux.waitFor('it is refused', /status 4/);
  assert.match(mux.text().replaceAll('\n', ' '), /shown in a pane of the same server/);
});

test.run();
