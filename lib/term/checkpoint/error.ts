/**
 * Why an emulator cannot be made of some bytes.
 */

/**
 * `damaged`: no whole checkpoint (cut, or changed since); `version`: of another format, package or kind of machine;
 * `malformed`: whole, but not of an emulator.
 */
export type CheckpointFault = 'damaged' | 'version' | 'malformed';

/** What `Emulator.restore` throws for anything that `Emulator.checkpoint` of this version has not made. */
export class CheckpointError extends Error {
  readonly fault: CheckpointFault;

  /** @param why one line, no full stop */
  constructor(fault: CheckpointFault, why: string) {
    super(`checkpoint of a screen: ${why}`);
    this.name = 'CheckpointError';
    this.fault = fault;
  }
}
