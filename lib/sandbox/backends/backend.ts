/**
 * What a sandbox is to the rest of mux: a program that runs another one under a policy.
 */
import type { Policy } from '../types.ts';

/** What a backend asks of the machine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** As uname(2) tells it: `6.1.0-18-amd64`. */
  readonly kernel: string;
  /** Absolute path of a program on the server's own PATH, undefined where there is none. */
  find(program: string): string | undefined;
  /** Runs a program to its end, at most some seconds; what it wrote, or undefined where it failed. */
  run(argv: readonly string[]): string | undefined;
  /** Where a symlink of the system leads, as it is written; undefined where the path is none. */
  link(path: string): string | undefined;
  isFolder(path: string): boolean;
}

/** Whether a backend can be used here, for a policy with or without rules on the network. */
export type Probe =
  | {
      readonly usable: true;
      readonly program: string;
      readonly version: string;
      readonly notes: readonly string[];
    }
  | { readonly usable: false; readonly why: string; readonly remedy: string };

/** What is to be run, and by what. */
export interface Wrapping {
  readonly policy: Policy;
  /** The backend's program, absolute. */
  readonly program: string;
  readonly version: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** node, and the script of the bridge from a port inside to the proxy's socket; used where hosts are listed. */
  readonly bridge: readonly string[];
  readonly machine: Machine;
}

/** A program's start under a backend. */
export interface Wrapped {
  /** May hold PROXY_FOLDER where hosts are listed. */
  readonly argv: readonly string[];
  /** A file that must be written first, and is named in `argv` by PROFILE. */
  readonly profile: string | undefined;
}

/** Stands in `argv` for the folder of the proxy's socket, which is made right before the start. */
export const PROXY_FOLDER = '{proxy}';
/** Stands in `argv` for the path of the written profile. */
export const PROFILE = '{profile}';
/** Where a program inside finds the proxy: squid's port, which many programs know. Its network is its own, so it is free. */
export const PROXY_PORT = 3128;

export interface Backend {
  readonly name: string;
  /** Whether specs have seen it work; others are written from their manuals. */
  readonly isVerified: boolean;
  probe(machine: Machine, hasNetworkRules: boolean): Probe;
  wrap(wrapping: Wrapping): Wrapped;
}

/** `0.8.0` from whatever a program says of its version, as numbers; undefined where it says none. */
export function versionIn(text: string | undefined): readonly number[] | undefined {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text ?? '');
  return match ? match.slice(1).map(part => Number(part ?? 0)) : undefined;
}

/** Whether `version` is at least `least`, both from the major number on. */
export function isAtLeast(version: readonly number[], least: readonly number[]): boolean {
  for (const [at, number] of least.entries()) {
    const own = version[at] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}
