/**
 * Which terminal a descriptor is, in a form that two processes can compare.
 */
import type { BigIntStats } from 'node:fs';

/** Device, inode and terminal number: equal only for the same terminal of the same instance of devpts. */
export function terminalId({ dev, ino, rdev }: BigIntStats): string {
  return `${dev}:${ino}:${rdev}`;
}
