/**
 * The lives of sessions, as commands ask for them: one thing at a time for each session, and nothing held meanwhile.
 */
import { CodedError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Size } from '../../base/geometry.ts';
import type { CreateRequest, Force, ForkRequest, LifecyclePort, Made } from '../../cmd/lifecycle-port.ts';
import type { Config } from '../../config/load.ts';
import type { StartKind } from '../../config/agent-arguments.ts';
import { KeyedLock } from '../../git/slots.ts';
import type { Model } from '../../model/model.ts';
import { runs } from '../../model/sessions.ts';
import type { SessionRecord, StopReason } from '../../model/types.ts';
import type { Programs } from '../programs/programs.ts';
import type { Roles } from '../roles.ts';
import type { Creation } from './creation.ts';
import type { Launcher } from './launcher.ts';
import type { Places } from './places.ts';

export interface LifecyclePorts {
  readonly clock: Clock;
  readonly model: Model;
  readonly programs: Pick<Programs, 'planNext' | 'stop'>;
  readonly config: () => Config['lifecycle'];
  readonly places: Places;
  readonly launcher: Launcher;
  readonly creation: Creation;
  readonly roles: Pick<Roles, 'renew'>;
  /** Whether the conversation that a session would go on with can be there. */
  readonly hasConversation: (session: SessionRecord) => Promise<boolean>;
  /** Resolves once the model as it is now is on the disk. */
  readonly save: () => Promise<void>;
  /** Tells people. */
  readonly tell: (text: string) => void;
}

export class Lifecycle implements LifecyclePort {
  readonly #ports: LifecyclePorts;
  readonly #turns = new KeyedLock();

  constructor(ports: LifecyclePorts) {
    this.#ports = ports;
  }

  create(request: CreateRequest): Promise<Made> {
    return this.#ports.creation.create(request);
  }

  fork(source: SessionRecord, request: ForkRequest): Promise<Made> {
    return this.#ports.creation.fork(source, request);
  }

  stop(session: SessionRecord): Promise<void> {
    return this.stopIf(session, 'user', () => true);
  }

  /** Stops it for `reason` where `isStill` holds when its turn has come. */
  async stopIf(session: SessionRecord, reason: StopReason, isStill: () => boolean): Promise<void> {
    if (reason === 'user' && (await this.#ports.creation.cancel(session))) return;
    await this.#turn(session, async () => {
      if (isStill()) await this.#end(session, reason);
    });
  }

  async resume(session: SessionRecord, size: Size): Promise<void> {
    await this.#ports.creation.settled(session);
    await this.#turn(session, () => this.#start(session, size, 'resume'));
  }

  async restart(session: SessionRecord): Promise<void> {
    await this.#ports.creation.settled(session);
    await this.#turn(session, async () => {
      refuseBroken(session);
      await this.#end(session, 'user');
      await this.#start(session, session.size, 'resume');
    });
  }

  /** Ends an agent that does not come up where `isStill` holds, and starts it afresh where `again`. */
  startAnew(session: SessionRecord, again: boolean, isStill: () => boolean): Promise<void> {
    return this.#turn(session, async () => {
      if (!isStill()) return;
      await this.#end(session, 'watchdog');
      if (again) await this.#start(session, session.size, 'fresh');
    });
  }

  async delete(session: SessionRecord): Promise<void> {
    const { model, clock, config, creation, save } = this.#ports;
    if (await creation.cancel(session)) return;
    await this.#turn(session, async () => {
      if (session.deletedAt !== undefined) return;
      // First of all: its end is then no news.
      model.sessions.softDelete(session, clock.now() + config().delete_retention);
      // Who has a name is gone at once; the last window of the others takes the server with it, so they end first.
      if (session.durable) this.#closePane(session);
      try {
        await this.#end(session, 'delete');
      } catch (error) {
        model.sessions.undelete(session);
        throw error;
      }
      this.#closePane(session);
      await save();
    });
  }

  async restore(session: SessionRecord): Promise<void> {
    await this.#turn(session, async () => {
      this.#ports.model.sessions.undelete(session);
      await this.#ports.save();
    });
  }

  risk(session: SessionRecord): Promise<string> {
    return this.#ports.places.risk(session.place);
  }

  async purge(session: SessionRecord, options: { readonly force: Force }): Promise<void> {
    const { model, places, creation, tell, save } = this.#ports;
    if (await creation.cancel(session)) return;
    await this.#turn(session, async () => {
      await this.#mayLose(session, options.force);
      await this.#end(session, 'delete');
      // Its program may have worked on until now.
      const force = await this.#mayLose(session, options.force);
      // Where this fails the session stays, and the next try goes on.
      const notes = await places.remove(session.place, { force }).catch((error: unknown) => {
        throw error instanceof CodedError && error.code === 'refused' && !force
          ? atRisk(session, error.message)
          : error;
      });
      for (const note of notes) tell(`session ${session.name}: ${note}`);
      model.sessions.delete(session);
      await save();
    });
  }

  /** Whether work may be lost with it now. Throws CodedError where some would be that may not. */
  async #mayLose(session: SessionRecord, force: Force): Promise<boolean> {
    if (force === true) return true;
    const lost = await this.risk(session);
    if (lost === '') return false;
    if (force === false || !force(lost)) throw atRisk(session, lost);
    return true;
  }

  saved(): Promise<void> {
    return this.#ports.save();
  }

  /** Runs `work` when nothing else is done to the session; nothing where it is gone by then. */
  #turn(session: SessionRecord, work: () => Promise<void>): Promise<void> {
    return this.#turns.run(session.id, async () => {
      if (this.#ports.model.sessions.get(session.id) === session) await work();
    });
  }

  async #end(session: SessionRecord, reason: StopReason): Promise<void> {
    const { model, programs, config } = this.#ports;
    if (!runs(session)) return;
    const { terminal } = session;
    model.sessions.stopping(session, reason);
    await programs.stop(session, config().kill_grace);
    if (session.terminal !== terminal || !runs(session)) return;
    model.sessions.stopping(session, '');
    throw new CodedError(
      'failed',
      `session ${session.name}: its program (pid ${terminal?.pid}) does not end, even when it is killed`,
      'it waits for a disk or a network: try again when that answers',
    );
  }

  async #start(session: SessionRecord, size: Size, kind: StartKind): Promise<void> {
    const { model, programs, launcher, hasConversation, roles, tell } = this.#ports;
    if (runs(session)) return;
    refuseBroken(session);
    const problem = await roles.renew(session);
    if (problem !== '') tell(`session ${session.name}: it keeps its role as it was: ${problem}`);
    const wanted = kind === 'resume' && !(await hasConversation(session)) ? 'fresh' : kind;
    await launcher.start(session, () => {
      const { launch, conversationId } = programs.planNext(session, wanted);
      const pane = model.windows.paneOf(session.id);
      model.sessions.restart(session, size, { launch, conversationId, pane: pane ? `%${pane.id}` : '' });
    });
  }

  #closePane(session: SessionRecord): void {
    const { windows } = this.#ports.model;
    const pane = windows.paneOf(session.id);
    if (pane) windows.remove(pane);
  }
}

function atRisk(session: SessionRecord, lost: string): CodedError {
  return new CodedError(
    'refused',
    `session ${session.name}: with it would be lost: ${lost}`,
    `'mux purge -y ${session.name}' removes it all the same`,
  );
}

function refuseBroken(session: SessionRecord): void {
  if (session.deletedAt !== undefined)
    throw new CodedError(
      'refused',
      `session ${session.name}: it is deleted`,
      `'mux restore ${session.name}' brings it back`,
    );
  if (session.stopReason === 'interrupted')
    throw new CodedError(
      'refused',
      `session ${session.name}: the server ended while it was being made`,
      `'mux purge ${session.name}' removes what there is of it`,
    );
}
