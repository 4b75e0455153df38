/**
 * The backends by order of preference, and which of them serves.
 */
import { CodedError, nearest } from '../../base/errors.ts';
import type { Backend, Machine } from './backend.ts';
import { bubblewrap } from './bubblewrap.ts';
import { nono } from './nono.ts';
import { safehouse } from './safehouse.ts';
import { seatbelt } from './seatbelt.ts';

/** Of several that could be used the first is. */
export const BACKENDS: readonly Backend[] = [bubblewrap, nono, safehouse, seatbelt];

/** A backend that can be used. */
export interface Chosen {
  readonly backend: Backend;
  readonly program: string;
  readonly version: string;
  readonly notes: readonly string[];
}

/**
 * The backend of that name, '' for the first that has been seen to work and can be used here.
 * @throws CodedError `refused` with the remedy where there is none: what is to be confined never runs without
 */
export function chooseBackend(name: string, machine: Machine, hasNetworkRules: boolean): Chosen {
  const candidates = name === '' ? BACKENDS.filter(one => one.isVerified) : [named(name)];
  const failures: string[] = [];
  let remedy = '';
  for (const backend of candidates) {
    const probe = backend.probe(machine, hasNetworkRules);
    if (probe.usable) return { backend, ...probe };
    failures.push(`${backend.name}: ${probe.why}`);
    remedy ||= probe.remedy;
  }
  const others = name === '' ? BACKENDS.filter(one => !one.isVerified).map(one => one.name) : [];
  const more = others.length > 0 ? `; others must be named by sandbox.backend: ${others.join(', ')}` : '';
  throw new CodedError('refused', `sandbox: none can be used here: ${failures.join('; ')}`, remedy + more);
}

function named(name: string): Backend {
  const found = BACKENDS.find(one => one.name === name);
  if (found) return found;
  const names = BACKENDS.map(one => one.name);
  const near = nearest(name, names);
  throw new CodedError(
    'refused',
    `sandbox.backend ${name}: there is no such backend`,
    near ? `did you mean ${near}?` : `there are ${names.join(', ')}`,
  );
}
