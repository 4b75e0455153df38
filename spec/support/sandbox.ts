/**
 * Whether a real sandbox can be had on this machine: skipped with the reason where it cannot.
 */
import { bubblewrap } from '../../lib/sandbox/backends/bubblewrap.ts';
import { thisMachine } from '../../lib/sandbox/machine.ts';

/** Says why where there is none, so that a skipped spec is seen. */
export function hasSandbox(): boolean {
  const probe = bubblewrap.probe(thisMachine(process.env['PATH'] ?? ''), true);
  if (!probe.usable) console.log(`skipped: bubblewrap: ${probe.why}`);
  return probe.usable;
}
