/**
 * Making sessions, in three steps: the name is taken at once; worktree and program come without anything being held
 * meanwhile; then it is a session like any other. Where a step fails, or the session is given up, nothing remains.
 */
import { CodedError } from '../../base/errors.ts';
import type {
  CreateRequest,
  ForkRequest,
  LifecyclePort,
  Made,
  ShowRequest,
} from '../../cmd/lifecycle-port.ts';
import type { Model } from '../../model/model.ts';
import type { NewSession } from '../../model/sessions.ts';
import type { SessionRecord } from '../../model/types.ts';
import type { Programs } from '../programs/programs.ts';
import type { Roles } from '../roles.ts';
import type { Launcher } from './launcher.ts';
import type { Places, ReadyPlace } from './places.ts';

/** A program that is given up right after its start has nothing to finish. */
const GIVE_UP_GRACE_MS = 500;

export interface CreationPorts {
  readonly model: Model;
  readonly programs: Pick<Programs, 'plan' | 'planNext' | 'stop'>;
  readonly places: Places;
  readonly launcher: Launcher;
  readonly roles: Roles;
  /** Resolves once the model as it is now is on the disk. */
  readonly save: () => Promise<void>;
  /** Tells people. */
  readonly tell: (text: string) => void;
}

/** A session on its way. */
interface Running {
  readonly abort: AbortController;
  /** Resolves when it is there, or nothing of it is. */
  readonly over: Promise<unknown>;
}

export class Creation implements Pick<LifecyclePort, 'create' | 'fork'> {
  readonly #ports: CreationPorts;
  readonly #running = new Map<SessionRecord, Running>();

  constructor(ports: CreationPorts) {
    this.#ports = ports;
  }

  async create(request: CreateRequest): Promise<Made> {
    const { programs, places, roles } = this.#ports;
    // Where nothing has to be looked up the name is taken at once.
    const role = request.launch.role === '' ? undefined : await roles.look(request.launch);
    const plan = { ...programs.plan(role?.launch ?? request.launch), parentId: request.parentId };
    const isSlow = request.place !== 'plain';
    const made = await this.#run(plan, request, isSlow, async (session, signal) => {
      await role?.write();
      return places.make(session, request, signal);
    });
    return { ...made, warnings: [...(role?.warnings ?? []), ...made.warnings] };
  }

  async fork(source: SessionRecord, request: ForkRequest): Promise<Made> {
    const { programs, places, roles } = this.#ports;
    const { name, prompt, withChanges } = request;
    const { agent, isAi, role, model, labels, launch } = source;
    const ownRole = roles.copy(source);
    const from = { source: source.conversationId, prompt, roleText: ownRole.text };
    const next = programs.planNext({ ...source, launch: ownRole.launch, name }, 'fork', from);
    if (prompt !== '' && next.launch.argv === launch.argv)
      throw new CodedError('usage', `fork: ${source.name} runs a program that takes no prompt`);
    const plan: NewSession = {
      name,
      agent,
      isAi,
      role,
      model,
      labels,
      durable: true,
      parentId: source.id,
      launch: next.launch,
      conversationId: next.conversationId,
    };
    return this.#run(plan, request, true, async (session, signal) => {
      await ownRole.write();
      return places.fork(session, source, withChanges, signal);
    });
  }

  /** Gives a session up that is being made; false where it is not. Resolves when nothing of it is left. */
  async cancel(session: SessionRecord): Promise<boolean> {
    const running = this.#running.get(session);
    if (!running) return false;
    running.abort.abort();
    await running.over;
    return !this.#ports.model.sessions.get(session.id);
  }

  /** Resolves when a session is no longer being made. */
  async settled(session: SessionRecord): Promise<void> {
    await this.#running.get(session)?.over;
  }

  /** `isSlow`: whoever comes after a crash is to know of it from the beginning. */
  async #run(
    plan: NewSession,
    show: ShowRequest,
    isSlow: boolean,
    place: (session: SessionRecord, signal: AbortSignal) => Promise<ReadyPlace>,
  ): Promise<Made> {
    const session = this.#ports.model.sessions.reserve(plan, show.size);
    const abort = new AbortController();
    const work = this.#make(session, show, isSlow, abort.signal, () => place(session, abort.signal));
    this.#running.set(session, { abort, over: work.catch(() => undefined) });
    try {
      return await work;
    } finally {
      this.#running.delete(session);
    }
  }

  async #make(
    session: SessionRecord,
    { isShown }: ShowRequest,
    isSlow: boolean,
    signal: AbortSignal,
    makePlace: () => Promise<ReadyPlace>,
  ): Promise<Made> {
    const { model, launcher, save } = this.#ports;
    const { sessions, windows } = model;
    let made: ReadyPlace | undefined;
    try {
      if (isSlow) await save();
      made = await makePlace();
      this.#check(session, signal);
      const { place, cwd, env } = made;
      const launch = { ...session.launch, cwd, env: { ...session.launch.env, ...env } };
      if (place.kind !== 'plain') {
        // Before anything works in it: what a crash leaves then is found, and can be purged.
        sessions.update(session, { place, launch });
        await save();
      }
      await launcher.start(
        session,
        () => {
          this.#check(session, signal);
          sessions.begin(session, { launch, place, pane: isShown ? windows.nextPane : '' });
          if (isShown)
            windows.create({
              session: session.id,
              name: session.name,
              size: session.size,
              background: false,
            });
        },
        signal,
      );
      await save();
      this.#check(session, signal);
      return { session, warnings: made.warnings };
    } catch (error) {
      await this.#rollBack(session, made);
      throw error;
    }
  }

  /** Fails where the session was given up meanwhile. */
  #check(session: SessionRecord, signal: AbortSignal): void {
    const isGone = this.#ports.model.sessions.get(session.id) !== session;
    if (isGone || signal.aborted)
      throw new CodedError('cancelled', `session ${session.name}: it was deleted while it was being made`);
  }

  async #rollBack(session: SessionRecord, made: ReadyPlace | undefined): Promise<void> {
    const { model, programs, places, tell, save } = this.#ports;
    await programs.stop(session, GIVE_UP_GRACE_MS);
    try {
      // It was made for this session a moment ago: whatever is in it now is its program's.
      if (made) await places.remove(made.place, { force: true });
    } catch (error) {
      tell(`session ${session.name}: ${(error as Error).message}`);
    }
    model.sessions.delete(session);
    // Whoever cannot save has told so already.
    await save().catch(() => undefined);
  }
}
