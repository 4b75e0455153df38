/**
 * Which terminal a descriptor is, in a form that two processes can compare.
 */

/** What `fstat` with `bigint` tells of a descriptor. */
interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly rdev: bigint;
}

/** Device, inode and terminal number: equal only for the same terminal of the same instance of devpts. */
export function terminalId({ dev, ino, rdev }: Identity): string {
  return `${dev}:${ino}:${rdev}`;
}
