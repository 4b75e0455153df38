/**
 * Which fleet a session belongs to: a label tells, so that it outlives servers and what a member starts belongs to it,
 * too.
 */
import { hasLabels } from './labels.ts';

const PREFIX = 'fleet:';

/** The label of a fleet's sessions. */
export const fleetLabel = (fleet: string): string => PREFIX + fleet;

/** Name of the fleet that a session with these labels belongs to, '' for none. */
export function fleetOf(labels: readonly string[]): string {
  return labels.find(label => label.toLowerCase().startsWith(PREFIX))?.slice(PREFIX.length) ?? '';
}

/** Whether a session with these labels belongs to that fleet. */
export function isInFleet(labels: readonly string[], fleet: string): boolean {
  return hasLabels(labels, [fleetLabel(fleet)]);
}
