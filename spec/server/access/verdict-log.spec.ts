import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Logger } from '../../../lib/base/log.ts';
import { VerdictLog, type VerdictLine } from '../../../lib/server/access/verdict-log.ts';

const test = suite('log of verdicts');
const folder = mkdtempSync(join(tmpdir(), 'mux-verdicts-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

const nullLogger: Logger = { log: (_level, message) => assert.unreachable(message) };
const MEBIBYTE = 1024 * 1024;
const line = (command: string, always = true): VerdictLine => ({
  at: 1,
  session: 's1',
  tool: 'Bash',
  command,
  verdict: 'allow',
  always,
  reason: '',
});
const commands = (log: VerdictLog): string[] => log.always().map(({ command }) => command);

test('what was allowed always outlives any number of logs put aside', () => {
  const path = join(folder, 'verdicts');
  const log = new VerdictLog(path, nullLogger);
  log.add(line('make'));
  log.add(line('make'));
  for (let round = 0; round < 3; round++) {
    log.add(line('x'.repeat(MEBIBYTE), false));
    log.add(line(`ls ${round}`));
  }
  assert.equal([...new Set(commands(log))].toSorted(), ['ls 0', 'ls 1', 'ls 2', 'make']);
  assert.is(new Set(commands(new VerdictLog(path, nullLogger))).size, 4);
  assert.ok(statSync(path).size < MEBIBYTE);
});

test('of more than half a log the newest are kept', () => {
  const path = join(folder, 'many');
  const log = new VerdictLog(path, nullLogger);
  const long = 'y'.repeat(1000);
  for (let i = 0; i < 1100; i++) appendFileSync(path, JSON.stringify(line(`${i} ${long}`)) + '\n');
  log.add(line('the last'));
  const kept = readFileSync(path, 'utf8').trimEnd().split('\n');
  assert.ok(statSync(path).size < 0.6 * MEBIBYTE, `${statSync(path).size}`);
  assert.match(kept[0]!, /"command":"6\d\d /);
  assert.match(kept.at(-2)!, /"command":"1099 /);
});

test('lines that were cut, or are none, are passed over', () => {
  const path = join(folder, 'cut');
  writeFileSync(path, `[]\n{"a":1}\n${JSON.stringify(line('ls'))}\n{"at":1,"sess`);
  assert.equal(commands(new VerdictLog(path, nullLogger)), ['ls']);
});

test.run();
