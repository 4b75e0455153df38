/**
 * Sixteen sessions that print garbage as fast as it is taken: memory stays flat, no descriptor is lost, and whoever is
 * attached is answered. For longer: `MUX_GARBAGE_S=600 npm run soak -- --times 1 garbage`.
 */
// spec-timeout: 900
// spec-long
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MuxHome, startMux } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('garbage');
/** Enough for the histories to be full, and for a leak of some megabytes a second to be seen. */
const SECONDS = Number(process.env['MUX_GARBAGE_S'] ?? 20);
const SESSIONS = 16;
/** Of what is held once histories are full this much more may be garbage that has not been collected. */
const GROWTH_MAX = 1.4;
/** All begin and end at the same moment: to start sixteen beside a flood would take longer than the flood. */
const GARBAGE =
  'until [ -e go ]; do sleep 0.2; done; while [ -e go ]; do head -c 65536 /dev/urandom; done; exec cat';
const home = new MuxHome({ config: 'server: { history_lines: 200, log_limit: 1MB }\n' });
const go = join(home.work, 'go');
test.after(() => home.end());

const megabytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
const descriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!;

test('sixteen sessions that print garbage: memory is flat, nothing leaks, a client is answered', async () => {
  const { mux } = await startMux({ home });
  const pid = await home.serverPid();
  const before = descriptors(pid);
  for (let n = 0; n < SESSIONS; n++) await home.ok('new', `g${n}`, '--background', GARBAGE);
  writeFileSync(go, '');
  const seen: number[] = [];
  const begun = performance.now();
  let asked = 0;
  await until(
    'they have printed long enough',
    async () => {
      seen.push(megabytes(pid));
      const text = `well${asked++}`;
      mux.type(`echo ${text}x\r`);
      await mux.waitFor('the echo', new RegExp(`^.*${text}x$`, 'm'));
      return performance.now() - begun > SECONDS * 1000;
    },
    { deadlineMs: (SECONDS + 120) * 1000 },
  );
  const [early, late] = [
    seen.slice(seen.length / 3, (seen.length * 2) / 3),
    seen.slice((seen.length * 2) / 3),
  ];
  assert.ok(median(late) < median(early) * GROWTH_MAX, `MB: ${seen.map(one => Math.round(one)).join(' ')}`);
  rmSync(go);
  for (let n = 0; n < SESSIONS; n++) await home.ok('purge', `g${n}`, '-y');
  await until('what they held is given back', () => descriptors(pid) <= before + 2, {
    describe: () => `${before} descriptors before, ${descriptors(pid)} now`,
  });
});

test.run();
