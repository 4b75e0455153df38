/**
 * The state on real disks: writers that are killed, disks that are full, folders that may only be read.
 */
// spec-timeout: 180
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../lib/base/errors.ts';
import { readState } from '../../lib/store/document.ts';
import { StateFile } from '../../lib/store/state-file.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('state on disks');
const FIXTURES = join(import.meta.dirname, '../../../spec/fixtures/state');
const V1 = readFileSync(join(FIXTURES, 'v1.json'), 'utf8');
const STATE = readState(JSON.parse(readFileSync(join(FIXTURES, 'v2.json'), 'utf8'))).state;
const KILLS = 50;
/** Long enough for some writes of a quick disk, so that all moments of one are met. */
const LONGEST_MS = 40;

function fileIn(folder: string): StateFile {
  return new StateFile({ folder, version: '9.9.9', now: () => 0, rebuild: () => [] });
}

/** Mounts a file system for the time of `work`; false where that is not allowed here. */
async function mounted(options: string, work: (folder: string) => Promise<void> | void): Promise<void> {
  const folder = tempDir();
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  if (mount.status !== 0) {
    console.log('skipped: nothing can be mounted here');
    return;
  }
  try {
    await work(folder);
  } finally {
    spawnSync('umount', ['-l', folder]);
  }
}

async function refused(work: Promise<void>): Promise<CodedError> {
  const error = await work.then(
    () => assert.unreachable('it must fail'),
    (reason: unknown) => reason,
  );
  assert.instance(error, CodedError);
  return error as CodedError;
}

test('a writer killed at any moment leaves a whole file, and nothing piles up', async () => {
  const folder = tempDir();
  const turns: number[] = [];
  for (let i = 0; i < KILLS; i++) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'writer.js'), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const timer = setTimeout(() => child.kill('SIGKILL'), (i * LONGEST_MS) / KILLS);
    await once(child, 'exit');
    clearTimeout(timer);
    const names = readdirSync(folder).filter(name => !/^state\.json(\.copy)?(\.new|\.new-last)?$/.test(name));
    assert.equal(names, []);
    const { state, reports } = fileIn(folder).load();
    assert.equal(reports, [], `kill ${i}`);
    const said = new Set(state!.windows.map(window => window.name));
    assert.equal([...said], [`turn ${state!.nextPane}`], `kill ${i}`);
    turns.push(state!.nextPane);
  }
  assert.ok(Math.max(...turns) > Math.min(...turns), 'killed at different moments');
});

test('a disk that is full is told, what was there stays, and room makes it work again', () =>
  mounted('size=256k', async folder => {
    const file = fileIn(folder);
    await file.save(STATE);
    const ballast = join(folder, 'ballast');
    const free = statfsSync(folder);
    writeFileSync(ballast, Buffer.alloc(free.bavail * free.bsize));
    const error = await refused(file.save({ ...STATE, nextPane: 77 }));
    assert.is(error.code, 'no_space');
    assert.match(error.message, /^state .*state\.json: it cannot be saved: no space left on the disk$/);
    assert.equal(readdirSync(folder).sort(), ['ballast', 'state.json', 'state.json.copy']);
    assert.equal(file.load(), { state: STATE, reports: [] });
    rmSync(ballast);
    await file.save({ ...STATE, nextPane: 77 });
    assert.is(file.load().state!.nextPane, 77);
  }));

test('a disk too full for the backup leaves the older form as it is', () =>
  mounted('size=256k', folder => {
    writeFileSync(join(folder, 'state.json'), V1);
    const free = statfsSync(folder);
    writeFileSync(join(folder, 'ballast'), Buffer.alloc(free.bavail * free.bsize));
    assert.throws(() => fileIn(folder).load(), /backup state\.json\.v1\.bak cannot be made: no space left/);
    assert.is(readFileSync(join(folder, 'state.json'), 'utf8'), V1);
    assert.equal(readdirSync(folder).sort(), ['ballast', 'state.json']);
  }));

test('a file system that may only be read: the state is read, and what must be written is an error in words', () =>
  mounted('size=256k', async folder => {
    const readOnly = (): unknown => spawnSync('mount', ['-o', 'remount,ro', folder]);
    const writable = (): unknown => spawnSync('mount', ['-o', 'remount,rw', folder]);
    const file = fileIn(folder);
    await file.save(STATE);
    readOnly();
    assert.equal(file.load(), { state: STATE, reports: [] });
    const error = await refused(file.save({ ...STATE, nextPane: 77 }));
    assert.match(error.message, /it cannot be saved: the file system is read-only/);
    for (const [text, says] of [
      [V1, /older form and its backup state\.json\.v1\.bak cannot be made: the file system is read-only/],
      ['{', /it is damaged and cannot be kept aside: the file system is read-only/],
    ] as const) {
      writable();
      writeFileSync(file.path, text);
      readOnly();
      assert.throws(() => file.load(), says);
      assert.is(readFileSync(file.path, 'utf8'), text);
    }
  }));

test('a state folder that a person may not write to is an error in words', () => {
  if (process.getuid?.() !== 0 || spawnSync('setpriv', ['--version']).status !== 0) {
    console.log('skipped: not root, or setpriv is not installed');
    return;
  }
  const folder = tempDir({ 'state.json': V1 });
  // Readable for all, writable for its owner.
  spawnSync('chmod', ['-R', 'go+rX', folder]);
  const script = `
    import { StateFile } from ${JSON.stringify(join(import.meta.dirname, '../../lib/store/state-file.js'))};
    const file = new StateFile({ folder: ${JSON.stringify(folder)}, version: '1', now: () => 0, rebuild: () => [] });
    try { file.load(); } catch (error) { console.log(error.message); }
    await file.save({ sessions: [], windows: [], recentWindows: [], nextPane: 0 }).catch(error => console.log(error.message));
  `;
  const nobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
  const run = spawnSync('setpriv', [...nobody, process.execPath, '--input-type=module', '-e', script], {
    cwd: '/',
  });
  assert.match(
    run.stdout.toString(),
    /cannot be made: permission denied\nstate .*: it cannot be saved: permission denied\n$/,
    run.stderr.toString(),
  );
  assert.is(readFileSync(join(folder, 'state.json'), 'utf8'), V1);
});

test.run();
