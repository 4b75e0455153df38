/**
 * agent-safehouse: sandbox-exec with profiles of its own, to which folders are added. Not seen to work: no spec runs on
 * macOS.
 */
import type { Policy } from '../types.ts';
import { CodedError } from '../../base/errors.ts';
import { PROFILE, type Backend, type Probe, type Wrapped, type Wrapping } from './backend.ts';

export const safehouse: Backend = {
  name: 'safehouse',
  isVerified: false,
  probe(machine, hasNetworkRules): Probe {
    if (machine.platform !== 'darwin')
      return { usable: false, why: 'it needs macOS', remedy: 'choose another sandbox.backend' };
    const program = machine.find('safehouse');
    if (!program)
      return {
        usable: false,
        why: 'there is no program safehouse',
        remedy: 'brew install eugene1g/safehouse/agent-safehouse',
      };
    if (hasNetworkRules)
      return { usable: false, why: 'it has no rules on the network', remedy: 'set sandbox.network to open' };
    return { usable: true, program, version: '', notes: ['written by the manual, and not seen to work'] };
  },
  wrap({ policy, program, argv, cwd }: Wrapping): Wrapped {
    if (policy.network !== 'open')
      throw new CodedError(
        'refused',
        'sandbox: safehouse has no rules on the network',
        'set sandbox.network to open',
      );
    const list = (paths: readonly string[]): string => paths.map(checkPath).join(':');
    return {
      profile: fragment(policy),
      argv: [
        program,
        '--workdir',
        checkPath(cwd),
        '--add-dirs-ro',
        list(policy.read.map(({ path }) => path)),
        '--add-dirs',
        list([...policy.write.map(({ path }) => path), policy.temp]),
        '--append-profile',
        PROFILE,
        '--env-pass',
        policy.env.filter(name => !name.endsWith('*')).join(','),
        '--',
        ...argv,
      ],
    };
  },
};

/** It takes lists that are divided by colons, so a path with one would be two. */
function checkPath(path: string): string {
  if (!path.includes(':')) return path;
  throw new CodedError(
    'refused',
    `sandbox: safehouse takes no path with a colon, and ${path} has one`,
    'move it',
  );
}

/** What is denied within the granted folders, and the one socket that may be connected to: to Seatbelt that is network. */
function fragment({ hidden, fixed, server }: Policy): string {
  const literal = (path: string): string => `"${path.replace(/["\\]/g, '\\$&')}"`;
  return [
    ...fixed.map(({ path }) => `(deny file-write* (subpath ${literal(path)}))`),
    ...hidden.map(({ path }) => `(deny file-read* file-write* (subpath ${literal(path)}))`),
    ...(server ? [`(allow network-outbound (literal ${literal(server.socket)}))`] : []),
    '',
  ].join('\n');
}
