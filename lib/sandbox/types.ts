/**
 * What a sandbox is told: the settings as they are written, and the policy that they come to.
 */
import type { Network } from '../config/leaf.ts';

/** One layer of settings: the global one, that of an agent, or that of a role. What is absent says nothing. */
export interface SandboxLayer {
  readonly enabled?: boolean | undefined;
  readonly backend?: string | undefined;
  readonly read?: readonly string[] | undefined;
  readonly write?: readonly string[] | undefined;
  readonly network?: Network | undefined;
  /** Names of variables; `*` at the end stands for any ending. */
  readonly env?: readonly string[] | undefined;
}

/** Layers laid over each other. Paths are as they were written. */
export interface SandboxRules {
  readonly enabled: boolean;
  /** '': the first that works here. */
  readonly backend: string;
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly network: Network;
  readonly env: readonly string[];
}

/** A path, and why it stands in the policy, in words. */
export interface Grant {
  /** Absolute, symlinks resolved. */
  readonly path: string;
  readonly why: string;
}

/** What a sandbox lets through. Of rules on one path the nearest counts; see decide.ts. */
export interface Policy {
  readonly read: readonly Grant[];
  readonly write: readonly Grant[];
  /** Seen by nobody inside, though they lie in what is granted. */
  readonly hidden: readonly Grant[];
  /** Read and never written, though they lie in what may be written. */
  readonly fixed: readonly Grant[];
  /** Links by which granted paths are called too. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** Folder that is /tmp inside, or is named by TMPDIR where a backend moves nothing. */
  readonly temp: string;
  readonly home: string;
  readonly network: Network;
  /** Names of variables that are handed on. */
  readonly env: readonly string[];
  /** Where mux's server listens for sessions inside, and the folder of that; undefined: it cannot be reached. */
  readonly server: { readonly socket: string; readonly folder: string } | undefined;
}

/** What may be done to a path. */
export type Operation = 'read' | 'write';
