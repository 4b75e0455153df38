/**
 * nono: Landlock and seccomp on Linux, Seatbelt on macOS, by a profile in JSON. Not seen to work: no spec runs it.
 */
import { CodedError } from '../../base/errors.ts';
import { isWithin } from '../paths.ts';
import type { Policy } from '../types.ts';
import {
  isAtLeast,
  PROFILE,
  versionIn,
  type Backend,
  type Probe,
  type Wrapped,
  type Wrapping,
} from './backend.ts';

/** The first with every key of the profile that is written here. */
const LEAST = [0, 66, 0];
/** Landlock came with Linux 5.13, its rules on TCP with 6.7 (landlock(7)). */
const LANDLOCK = [5, 13];
const LANDLOCK_TCP = [6, 7];

export const nono: Backend = {
  name: 'nono',
  isVerified: false,
  probe(machine, hasNetworkRules): Probe {
    const no = (why: string, remedy: string): Probe => ({ usable: false, why, remedy });
    const program = machine.find('nono');
    if (!program) return no('there is no program nono', 'see nono.sh for how to install it');
    const version = versionIn(machine.run([program, '--version']));
    if (!version) return no(`${program} does not say its version`, 'install nono anew');
    if (!isAtLeast(version, LEAST))
      return no(`nono ${version.join('.')} is older than ${LEAST.join('.')}`, 'install a newer one');
    const notes = ['written by the manual, and not seen to work'];
    if (machine.platform === 'linux') {
      const kernel = versionIn(machine.kernel);
      if (!kernel || !isAtLeast(kernel, LANDLOCK))
        return no(`Linux ${machine.kernel} has no Landlock`, `use Linux ${LANDLOCK.join('.')} or newer`);
      const hasTcp = isAtLeast(kernel, LANDLOCK_TCP);
      if (!hasTcp && hasNetworkRules)
        return no(
          `Linux ${machine.kernel} cannot hold back the network`,
          `use Linux ${LANDLOCK_TCP.join('.')} or newer, or sandbox.network: open`,
        );
      if (!hasTcp) notes.push(`Linux ${machine.kernel} cannot hold back the network`);
    }
    return { usable: true, program, version: version.join('.'), notes };
  },
  wrap({ policy, program, argv, cwd }: Wrapping): Wrapped {
    return {
      profile: nonoProfile(policy, cwd),
      argv: [
        program,
        'run',
        '--profile',
        PROFILE,
        '--workdir',
        cwd,
        '--',
        '/usr/bin/env',
        `TMPDIR=${policy.temp}`,
        ...argv,
      ],
    };
  },
};

/** @throws CodedError where Landlock, which only adds, cannot take away what lies in a writable folder */
export function nonoProfile(policy: Policy, cwd: string): string {
  const written = policy.write.map(({ path }) => path);
  const inside = policy.hidden.find(({ path }) => written.some(root => isWithin(root, path)));
  if (inside)
    throw new CodedError(
      'refused',
      `sandbox: nono cannot hide ${inside.path} in what may be written`,
      'grant less, or use bubblewrap',
    );
  const profile = {
    extends: 'default',
    meta: { name: `mux-${cwd.split('/').at(-1)}` },
    workdir: { access: 'readwrite' },
    filesystem: {
      allow: [...written, policy.temp],
      read: policy.read.map(({ path }) => path),
      unix_socket: policy.server ? [policy.server.socket] : [],
      deny: [...policy.hidden, ...policy.fixed].map(({ path }) => path),
    },
    // Absent it would hand on everything.
    environment: { allow_vars: policy.env },
    security: { signal_mode: 'isolated' },
    network:
      policy.network === 'open'
        ? { block: false }
        : { block: true, allow_domain: policy.network === 'none' ? [] : policy.network.allow },
  };
  return JSON.stringify(profile, undefined, 2) + '\n';
}
