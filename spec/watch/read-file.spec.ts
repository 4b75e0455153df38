import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_FILE_BYTES, readTextFile } from '../../lib/watch/read-file.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('reading files nobody vouches for');

const codeOf = async (root: string, file: string): Promise<string> => {
  const result = readTextFile(root, file);
  return result.kind === 'problem' ? result.code : result.kind;
};

test('a text file is read with its stamp, and a known one is not read again', async () => {
  const root = tempDir({ 'a/b.md': 'hällo' });
  const result = readTextFile(root, 'a/b.md');
  assert.is(result.kind === 'text' && result.text, 'hällo');
  assert.ok(result.kind === 'text');
  assert.is(readTextFile(root, 'a/b.md', result.stamp).kind, 'same');
  writeFileSync(join(root, 'a/b.md'), 'other');
  assert.is(readTextFile(root, 'a/b.md', result.stamp).kind, 'text');
});

test('what is gone is gone, and no problem', async () => {
  const root = tempDir({ f: 'x' });
  assert.is(await codeOf(root, 'nope'), 'gone');
  assert.is(await codeOf(root, 'f/below'), 'gone');
});

test('links are followed inside, refused outside, and loops end', async () => {
  const root = tempDir({ f: 'x' });
  const outside = tempDir({ secret: 'x' });
  symlinkSync('f', join(root, 'inside'));
  symlinkSync(join(outside, 'secret'), join(root, 'outside'));
  symlinkSync(outside, join(root, 'dir'));
  symlinkSync('loop', join(root, 'loop'));
  assert.is(await codeOf(root, 'inside'), 'text');
  assert.is(await codeOf(root, 'outside'), 'outside');
  assert.is(await codeOf(root, 'dir/secret'), 'outside');
  assert.is(await codeOf(root, 'loop'), 'link-loop');
  assert.is(await codeOf(root, '../../../etc/passwd'), 'outside');
});

test('pipes, directories, devices, huge and binary files are refused without waiting', async () => {
  const root = tempDir({ big: '', bin: 'a\0b', 'dir/x': '' });
  truncateSync(join(root, 'big'), MAX_FILE_BYTES + 1);
  execFileSync('mkfifo', [join(root, 'pipe')]);
  assert.is(await codeOf(root, 'pipe'), 'not-a-file');
  assert.is(await codeOf(root, 'dir'), 'not-a-file');
  assert.is(await codeOf(root, 'big'), 'file-size');
  assert.is(await codeOf(root, 'bin'), 'not-text');
  assert.is(await codeOf('/dev', 'zero'), 'not-a-file');
});

test.run();
