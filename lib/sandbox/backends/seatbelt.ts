/**
 * sandbox-exec(1) of macOS: a profile in its language, deny by default. Where several rules match the last one counts, so
 * rules are written from shallow to deep as mounts are elsewhere. Not seen to work: no spec runs on macOS.
 */
import { layered } from '../decide.ts';
import type { Grant, Policy } from '../types.ts';
import { PROFILE, type Backend, type Probe, type Wrapped, type Wrapping } from './backend.ts';

/** Without these no program of macOS starts. */
const ALWAYS = [
  '(version 1)',
  '(deny default)',
  '(allow process-fork process-exec)',
  '(allow signal (target same-sandbox))',
  '(allow sysctl-read)',
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.trustd.agent"))',
  '(allow file-read-metadata)',
  '(allow file-ioctl file-read* file-write* (regex #"^/dev/(tty.*|null|zero|random|urandom|ptmx)$"))',
];

const LINES: Readonly<Record<'hidden' | 'fixed' | 'write' | 'read', (where: string) => readonly string[]>> = {
  read: where => [`(allow file-read* ${where})`],
  write: where => [`(allow file-read* file-write* ${where})`],
  fixed: where => [`(allow file-read* ${where})`, `(deny file-write* ${where})`],
  hidden: where => [`(deny file-read* file-write* ${where})`],
};

export const seatbelt: Backend = {
  name: 'sandbox-exec',
  isVerified: false,
  probe(machine, hasNetworkRules): Probe {
    if (machine.platform !== 'darwin')
      return { usable: false, why: 'it needs macOS', remedy: 'choose another sandbox.backend' };
    const program = machine.find('sandbox-exec');
    if (!program)
      return {
        usable: false,
        why: 'there is no program sandbox-exec',
        remedy: 'it comes with macOS: look at PATH',
      };
    if (hasNetworkRules)
      return { usable: false, why: 'it cannot list hosts', remedy: 'set sandbox.network to none or open' };
    return { usable: true, program, version: '', notes: ['written by the manual, and not seen to work'] };
  },
  wrap({ policy, program, argv }: Wrapping): Wrapped {
    return {
      profile: seatbeltProfile(policy),
      argv: [program, '-f', PROFILE, '/usr/bin/env', `TMPDIR=${policy.temp}`, ...argv],
    };
  },
};

/** The profile of a policy. */
export function seatbeltProfile(policy: Policy): string {
  const rule = ({ kind, grant }: { kind: keyof typeof LINES; grant: Grant }): readonly string[] =>
    LINES[kind](`(subpath ${quoted(grant.path)})`);
  const network = policy.network === 'open' ? ['(allow network*)'] : ['(deny network*)'];
  const socket = policy.server
    ? [
        `(allow network-outbound (literal ${quoted(policy.server.socket)}))`,
        `(allow file-read* (literal ${quoted(policy.server.socket)}))`,
      ]
    : [];
  return [
    ...ALWAYS,
    ...layered(policy).flatMap(rule),
    ...LINES.write(`(subpath ${quoted(policy.temp)})`),
    ...network,
    ...socket,
    '',
  ].join('\n');
}

/** A string of its language: quotes and backslashes are escaped. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
