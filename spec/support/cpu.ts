/**
 * A stop watch for upper bounds that a loaded machine must not break.
 */

/** Processor time that this process has used, in ms: it stands still while others have the processor. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
