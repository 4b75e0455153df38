/**
 * How long a person or an agent waits to be told what a line of shell may do.
 */
import { classify } from '../../lib/permissions/classify.ts';
import { foreignCorpus, OWN_CORPUS, readCorpus } from '../support/shell-corpus.ts';
import { percentile } from './report.ts';
import { atMost, type Measurement, type Setting } from './rows.ts';

/** A program that was just loaded is slower for some hundred lines: that is what `mux classify` alone is measured by. */
const WARM_ROUNDS = 2;
/** What nobody writes: a megabyte of quotes within substitutions. */
const HOSTILE = '"$('.repeat(350_000);

/** Lines with labels, those of MUX_CORPUS among them. */
export function classifyMeasurements({ quick }: Setting): Measurement[] {
  return [
    {
      name: 'classify',
      contenders: ['mux'],
      rows: [
        { name: 'classify a line p50', unit: 'ms', better: 'less', target: atMost(1, '<= 1 ms') },
        { name: 'classify a line p99', unit: 'ms', better: 'less', target: atMost(20, '<= 20 ms') },
        {
          name: 'classify 1 MB of nested quotes',
          unit: 'ms',
          better: 'less',
          target: atMost(100, '<= 100 ms'),
        },
      ],
      measure: async () => {
        const foreign = foreignCorpus();
        const lines = [...readCorpus(OWN_CORPUS), ...(foreign ? readCorpus(foreign) : [])].map(
          ({ cmd }) => cmd,
        );
        for (let round = 0; round < (quick ? 1 : WARM_ROUNDS); round++)
          for (const cmd of lines) classify(cmd);
        const times = lines.map(timed);
        return [percentile(times, 50), percentile(times, 99), timed(HOSTILE)];
      },
    },
  ];
}

function timed(cmd: string): number {
  const start = performance.now();
  classify(cmd);
  return performance.now() - start;
}
