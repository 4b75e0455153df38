/**
 * Documents: what a write costs whoever waits for it. There is nothing of tmux's to hold beside it.
 */
import { percentile } from './report.ts';
import { atMost, type Measurement, type Setting } from './rows.ts';

/** A whole `mux store put` beside a whole `mux version`, and writers that all come at once. */
export function documentMeasurements({ quick }: Setting): Measurement[] {
  return [
    {
      name: 'store-put',
      contenders: ['mux'],
      rows: [
        { name: 'store put: beyond version p50', unit: 'ms', better: 'less', target: atMost(40, '<= 40 ms') },
      ],
      measure: async contender => {
        // Making the store is no part of it.
        await contender.timed('store', 'put', 'first', 'x');
        const beyond: number[] = [];
        for (let i = 0; i < (quick ? 5 : 30); i++)
          beyond.push(
            -(await contender.timed('version')) +
              (await contender.timed('store', 'put', `k/${i % 7}`, `text ${i} ${performance.now()}`)),
          );
        return [percentile(beyond, 50)];
      },
    },
    {
      name: 'store-writers',
      contenders: ['mux'],
      rows: [{ name: 'store put: 50 at once, until all are done', unit: 'ms', better: 'less' }],
      measure: async contender => {
        await contender.timed('store', 'put', 'first', 'x');
        const start = performance.now();
        const count = quick ? 5 : 50;
        await Promise.all(
          Array.from({ length: count }, (_, i) => contender.timed('store', 'put', `w/${i}`, String(i))),
        );
        return [performance.now() - start];
      },
    },
  ];
}
