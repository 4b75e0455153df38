/**
 * What the server does for a session in a sandbox. It stands outside of every sandbox itself: what it would read, write
 * or run for one by a name is refused, since the names are the session's and the rights would be the person's.
 */
import { CodedError } from '../base/errors.ts';
import type { LifecyclePort } from '../cmd/lifecycle-port.ts';
import type { HostPort } from '../cmd/spec.ts';

/** `host` for a session inside. */
export function confinedHost(host: HostPort): HostPort {
  const files = (): never =>
    refuse('the server reads and writes no files for it', 'read it yourself, and send the text');
  const fleets = (): never => refuse('fleets start programs in any folder', 'ask the person to do it');
  return {
    ...host,
    readCommands: files,
    readFile: files,
    writeFile: files,
    pipePane: () => refuse('the server runs no programs for it', 'ask the person to do it'),
    editText: files,
    fleets: {
      read: fleets,
      isFile: () => false,
      saved: () => [],
      save: fleets,
      shell: () => host.fleets.shell(),
      checkRole: fleets,
    },
    launch(request) {
      checkRole(request.role);
      return host.launch(request);
    },
    lifecycle: confinedLifecycle(host.lifecycle),
  };
}

function confinedLifecycle(all: LifecyclePort): LifecyclePort {
  return {
    async create(request) {
      checkRole(request.launch.role);
      return all.create(request);
    },
    fork: (source, request) => all.fork(source, request),
    stop: session => all.stop(session),
    resume: (session, size) => all.resume(session, size),
    restart: session => all.restart(session),
    delete: session => all.delete(session),
    restore: session => all.restore(session),
    risk: session => all.risk(session),
    purge: (session, options) => all.purge(session, options),
    saved: () => all.saved(),
  };
}

/** A role may take in any file, and whoever is inside may have written it. */
function checkRole(role: string): void {
  if (role !== '') refuse('roles take in files outside of it', 'ask the person to start it');
}

function refuse(why: string, remedy: string): never {
  throw new CodedError('refused', `sandbox: ${why}`, remedy);
}
