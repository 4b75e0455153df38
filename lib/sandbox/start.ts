/**
 * A program's start in a sandbox: what is run instead of it.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CodedError } from '../base/errors.ts';
import { systemReason } from '../base/system-reasons.ts';
import { PROFILE, type Machine } from './backends/backend.ts';
import { chooseBackend } from './backends/table.ts';
import { isNamed } from './known.ts';
import type { Policy } from './types.ts';

export interface StartRequest {
  readonly policy: Policy;
  /** Wanted backend, '' for the first that works. */
  readonly backend: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variables that were asked for with the program itself: they are handed on whatever they are called. */
  readonly given: readonly string[];
  /** A folder for what the start needs. */
  readonly folder: string;
  /** argv of the program that runs one beside its proxy, and of the bridge to that: see app/sandbox-main.ts. */
  readonly helper: readonly string[];
  readonly bridge: readonly string[];
  readonly machine: Machine;
}

export interface Started {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly backend: string;
  readonly notes: readonly string[];
}

/** @throws CodedError `refused` where no backend can be used, `failed` where its files cannot be written */
export function inSandbox(request: StartRequest): Started {
  const { policy, argv, cwd, env, machine, bridge, helper, folder } = request;
  const { backend, program, version, notes } = chooseBackend(
    request.backend,
    machine,
    policy.network !== 'open',
  );
  makeFolder(policy.temp);
  const wrapped = backend.wrap({ policy, program, version, argv, cwd, bridge, machine });
  const ready =
    wrapped.profile === undefined ? wrapped.argv : withProfile(wrapped.argv, folder, wrapped.profile);
  const { network } = policy;
  return {
    argv:
      typeof network === 'object' && backend.name === 'bubblewrap'
        ? [...helper, JSON.stringify(network.allow), ...ready]
        : ready,
    env: Object.fromEntries(
      Object.entries(env).filter(([name]) => isNamed(name, policy.env) || request.given.includes(name)),
    ),
    backend: backend.name,
    notes,
  };
}

function withProfile(argv: readonly string[], folder: string, text: string): string[] {
  const path = join(folder, 'profile');
  makeFolder(folder);
  told(path, () => {
    // Anew and not over the old one, which may lead elsewhere.
    rmSync(path, { force: true });
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  });
  return argv.map(word => (word === PROFILE ? path : word));
}

function makeFolder(path: string): void {
  told(path, () => mkdirSync(path, { recursive: true, mode: 0o700 }));
}

function told(path: string, action: () => unknown): void {
  try {
    action();
  } catch (error) {
    throw new CodedError('failed', `sandbox: ${path}: ${systemReason(error)}`, `look at ${dirname(path)}`, {
      cause: error,
    });
  }
}
