import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../lib/base/errors.ts';
import { makeDirectories, privateDirectory } from '../../lib/config/directories.ts';
import { muxPaths } from '../../lib/config/paths.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('directories');
const uid = process.getuid?.() ?? 0;

function refusal(fn: () => unknown): CodedError {
  try {
    fn();
  } catch (error) {
    assert.instance(error, CodedError);
    return error as CodedError;
  }
  throw new Error('nothing was refused');
}

test('the folders are made with mode 0700, whatever is missing above them', () => {
  const paths = muxPaths({ MUX_HOME: join(tempDir(), 'a/b') }, 'x');
  makeDirectories(paths);
  for (const path of [paths.data, paths.state, paths.run]) assert.is(statSync(path).mode & 0o777, 0o700);
  makeDirectories(paths);
});

test('a folder that others may write is refused with the remedy', () => {
  const paths = muxPaths({ MUX_HOME: tempDir() }, 'x');
  makeDirectories(paths);
  for (const mode of [0o770, 0o707, 0o777]) {
    chmodSync(paths.run, mode);
    const error = refusal(() => makeDirectories(paths));
    assert.is(error.code, 'refused');
    assert.is(error.hint, `chmod 700 ${paths.run}`);
  }
});

test('a folder that others may only read is closed without asking', () => {
  const path = join(tempDir(), 'run');
  mkdirSync(path);
  chmodSync(path, 0o755);
  privateDirectory(path, { uid });
  assert.is(statSync(path).mode & 0o777, 0o700);
});

test('a folder of somebody else is refused', () => {
  const error = refusal(() => privateDirectory(tempDir(), { uid: uid + 1 }));
  assert.is(error.code, 'refused');
  assert.match(error.message, /belongs to user \d+, not to you/);
});

test('a link of ours to a folder of ours is followed', () => {
  const dir = tempDir();
  mkdirSync(join(dir, 'real'), { mode: 0o700 });
  symlinkSync(join(dir, 'real'), join(dir, 'link'));
  privateDirectory(join(dir, 'link'), { uid });
});

test('a MUX_HOME that everybody may write is refused, a sticky one is not', () => {
  const home = tempDir();
  chmodSync(home, 0o777);
  assert.match(
    refusal(() => makeDirectories(muxPaths({ MUX_HOME: home }, 'x'))).message,
    /everybody may write/,
  );
  chmodSync(home, 0o1777);
  makeDirectories(muxPaths({ MUX_HOME: home }, 'x'));
});

test('a MUX_HOME that cannot be used is named together with the reason', () => {
  const dir = tempDir();
  writeFileSync(join(dir, 'file'), '');
  const home = join(dir, 'file');
  const error = refusal(() => makeDirectories(muxPaths({ MUX_HOME: home }, 'x')));
  assert.is(error.code, 'failed');
  assert.match(
    error.message,
    new RegExp(`^MUX_HOME ${home}: cannot use .*: a part of the path is no directory$`),
  );
  assert.match(error.hint ?? '', /set MUX_HOME/);
});

test('a MUX_HOME without write permission is named together with the reason', () => {
  // Root may write anywhere: there the kernel's own read-only tree stands in.
  const home = uid === 0 ? '/proc/self' : tempDir();
  if (uid !== 0) chmodSync(home, 0o500);
  const error = refusal(() => makeDirectories(muxPaths({ MUX_HOME: home }, 'x')));
  if (uid !== 0) chmodSync(home, 0o700);
  assert.match(error.message, /^MUX_HOME .*: cannot use .*/);
});

test.run();
