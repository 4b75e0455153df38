/**
 * What the kernel says about a process (proc(5)).
 */
import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc/PID/stat (USER_HZ is 100 on every Linux that Node runs on). */
const TICKS = 100;

/** Processor time of a process with all its threads, in ms (fields 14 and 15 of stat). */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
}

/** Resident memory of a process in MB (VmRSS). */
export function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;
}

/** What a process has read and written so far. */
export interface ProcessIo {
  /** Calls of read and its relatives. */
  readonly reads: number;
  /** Bytes that went, or are to go, to a disk. */
  readonly diskBytes: number;
}

export function processIo(pid: number): ProcessIo {
  const text = readFileSync(`/proc/${pid}/io`, 'utf8');
  const field = (name: string): number => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(text)?.[1]);
  return { reads: field('syscr'), diskBytes: field('write_bytes') };
}
