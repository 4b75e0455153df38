/**
 * Starting a fleet: each member as soon as those are there that it waits for, and what becomes of the others where one
 * does not come up.
 */
import { CodedError, toCoded } from '../base/errors.ts';
import type { Fleet, FleetPane, Member } from '../fleet/types.ts';
import { fleetLabel, isInFleet } from '../model/fleet.ts';
import { checkLabels } from '../model/labels.ts';
import { runs } from '../model/sessions.ts';
import type { SessionRecord } from '../model/types.ts';
import { FleetScreen } from './fleet-show.ts';
import { inboxName } from './message-text.ts';
import type { CreateRequest } from './lifecycle-port.ts';
import type { CommandContext } from './spec.ts';

/** Looking whether a member is ready: sooner than anybody notices. */
const LOOK_MS = 50;
/** A program that is going to fail at its start has done so by then. */
const SETTLE_MS = 300;

/** What became of a member. `running`: it was there already. */
export type MemberState = 'started' | 'resumed' | 'running' | 'failed' | 'skipped';

/** A member, or the pane of a command, with what became of it. */
export interface MemberReport {
  readonly name: string;
  readonly state: MemberState;
  readonly session: SessionRecord | undefined;
  readonly error: CodedError | undefined;
}

/** What became of a fleet. */
export interface FleetReport {
  readonly members: readonly MemberReport[];
  /** Where one failed and the fleet is not to be without it: nothing of it is there any more. */
  readonly isRolledBack: boolean;
  readonly warnings: readonly string[];
}

/** Fails where a member's name is another session's, before anything is started. Throws CodedError. */
export function checkNames({ model }: CommandContext, fleet: Fleet): void {
  for (const { name } of fleet.members) {
    const other = model.sessions.byName(name);
    if (!other || isInFleet(other.labels, fleet.name)) continue;
    const hint = 'give one of them another name; nothing was started';
    throw new CodedError('failed', `fleet ${fleet.name}: a session ${name} exists that is not of it`, hint);
  }
}

/** Fails where a graph has no such role as a member is to be started in, before anything is. Throws CodedError. */
export async function checkRoles({ model, host }: CommandContext, fleet: Fleet): Promise<void> {
  for (const { name, role, cwd } of fleet.members) {
    if (role === '' || model.sessions.byName(name)) continue;
    await host.fleets.checkRole(cwd, role).catch((error: unknown) => {
      const { code, message, hint } = toCoded(error);
      throw new CodedError(code, `fleet ${fleet.name}: ${name}: ${message}`, hint ?? 'nothing was started');
    });
  }
}

export class FleetStart {
  readonly #context: CommandContext;
  readonly #fleet: Fleet;
  readonly #screen: FleetScreen;
  readonly #members = new Map<string, Promise<MemberReport>>();
  readonly #warnings: string[] = [];
  #hasFailed = false;

  constructor(context: CommandContext, fleet: Fleet) {
    this.#context = context;
    this.#fleet = fleet;
    this.#screen = new FleetScreen(context, fleet.windows);
  }

  /** Starts all of it. Never rejects for what one member does. */
  async run(): Promise<FleetReport> {
    for (const { name } of this.#fleet.members) void this.#member(name);
    const reports = await Promise.all([...this.#members.values(), ...this.#panes()]);
    const settled = await this.#settled(reports);
    const hasFailed = settled.some(report => report.error !== undefined);
    const isRolledBack = hasFailed && this.#fleet.onFailure === 'rollback';
    if (isRolledBack) await this.#takeBack(settled);
    else await this.#say(settled);
    if (!isRolledBack && this.#context.caller.speaker.isPerson) this.#screen.select();
    return { members: settled, isRolledBack, warnings: this.#warnings };
  }

  /** One start for each, whoever asks first. */
  #member(name: string): Promise<MemberReport> {
    const known = this.#members.get(name);
    if (known) return known;
    const member = this.#fleet.members.find(one => one.name === name)!;
    const report = this.#start(member);
    this.#members.set(name, report);
    return report;
  }

  async #start(member: Member): Promise<MemberReport> {
    const { name } = member;
    try {
      const missing = await this.#waitFor(member);
      if (missing !== undefined) return { name, state: 'skipped', session: undefined, error: undefined };
      const { session, state } = await this.#bringUp(member);
      this.#show(session, pane => pane.session === name);
      return { name, state, session, error: undefined };
    } catch (error) {
      this.#hasFailed = true;
      return { name, state: 'failed', session: undefined, error: toCoded(error) };
    }
  }

  /** Waits for what a member comes after; the one that it will never see, undefined where all are there. */
  async #waitFor({ after }: Member): Promise<string | undefined> {
    const all = await Promise.all(
      after.map(async ({ name, until }) => {
        const { session } = await this.#member(name);
        if (session && until === 'ready') await this.#ready(session);
        return session ? undefined : name;
      }),
    );
    const isGivenUp = this.#hasFailed && this.#fleet.onFailure === 'rollback';
    return all.find(name => name !== undefined) ?? (isGivenUp ? '' : undefined);
  }

  async #ready(session: SessionRecord): Promise<void> {
    const { model, clock, gone } = this.#context;
    const end = clock.now() + this.#fleet.readyTimeout;
    for (;;) {
      const status = model.sessions.status(session);
      if (status === 'ready' || status === 'needs-you') return;
      if (status === 'stopped' || status === 'failed')
        throw new CodedError('failed', `session ${session.name}: it ended before it was ready`);
      if (gone.aborted) throw new CodedError('cancelled', 'up: cancelled');
      if (clock.now() >= end)
        throw new CodedError(
          'timeout',
          `session ${session.name}: not ready after ${this.#fleet.readyTimeout / 1000} s`,
          'ready_timeout in the file gives it longer',
        );
      await this.#pause(LOOK_MS);
    }
  }

  async #bringUp(member: Member): Promise<{ session: SessionRecord; state: MemberState }> {
    const { model, host, gone } = this.#context;
    if (gone.aborted) throw new CodedError('cancelled', 'up: cancelled');
    const known = model.sessions.byName(member.name);
    if (known && runs(known)) return { session: known, state: 'running' };
    if (known) {
      await host.lifecycle.resume(known, known.size);
      return { session: known, state: 'resumed' };
    }
    const made = await host.lifecycle.create(this.#request(member));
    this.#warnings.push(...made.warnings.map(warning => `${member.name}: ${warning}`));
    return { session: made.session, state: 'started' };
  }

  #request(member: Pick<Member, 'command' | 'cwd'> & Partial<Member>): CreateRequest {
    const { model, host, caller, isInterface } = this.#context;
    const labels = checkLabels([fleetLabel(this.#fleet.name), ...(member.labels ?? [])]);
    return {
      launch: {
        command: member.command,
        agent: member.agent ?? '',
        name: member.name ?? '',
        durable: member.name !== undefined,
        cwd: member.cwd,
        role: member.role ?? '',
        model: member.model ?? '',
        prompt: member.prompt ?? '',
        labels,
        env: member.env ?? [],
        callerEnv: caller.env,
      },
      // What is started from a session is its child; a key is pressed by a person, wherever the focus is.
      parentId: isInterface ? '' : (model.sessions.get(caller.session)?.id ?? ''),
      place: member.place ?? 'plain',
      base: member.base ?? '',
      includes: [],
      fetch: member.fetch ?? true,
      size: model.windows.current?.size ?? host.defaultSize(),
      isShown: false,
    };
  }

  /** Panes of commands, which wait for nobody. */
  #panes(): Promise<MemberReport>[] {
    return this.#fleet.windows.flatMap(({ name: window, panes }) =>
      panes
        .filter(pane => pane.session === '')
        .map(async (pane): Promise<MemberReport> => {
          const name = `${window}: ${pane.command.join(' ') || 'shell'}`;
          try {
            const { session } = await this.#context.host.lifecycle.create(this.#request(pane));
            this.#show(session, one => one === pane);
            return { name, state: 'started', session, error: undefined };
          } catch (error) {
            this.#hasFailed = true;
            return { name, state: 'failed', session: undefined, error: toCoded(error) };
          }
        }),
    );
  }

  #show(session: SessionRecord, isIts: (pane: FleetPane) => boolean): void {
    for (const [w, { panes }] of this.#fleet.windows.entries()) {
      const place = panes.findIndex(isIts);
      if (place < 0) continue;
      if (!this.#screen.show(session, w, place))
        this.#warnings.push(`${session.name}: there was no room for its pane`);
      return;
    }
  }

  /** With those failed that ended with an error right after their start. */
  async #settled(reports: readonly MemberReport[]): Promise<readonly MemberReport[]> {
    const { clock } = this.#context;
    const isDead = ({ session }: MemberReport): boolean =>
      session?.exit !== undefined && (session.exit.code !== 0 || session.exit.signal !== 0);
    const end = clock.now() + SETTLE_MS;
    while (clock.now() < end && !reports.some(isDead)) await this.#pause(LOOK_MS);
    return reports.map(report => {
      if (!isDead(report) || report.state === 'running') return report;
      const { code, signal } = report.session!.exit!;
      const how = signal ? `by signal ${signal}` : `with status ${code}`;
      const error = new CodedError('failed', `${report.name}: its program ended at once ${how}`);
      return { ...report, state: 'failed', error };
    });
  }

  async #say(reports: readonly MemberReport[]): Promise<void> {
    const sessions = new Map(reports.map(({ name, session }) => [name, session]));
    for (const { to, from, text } of this.#fleet.messages) {
      const target = sessions.get(to);
      if (!target || !runs(target)) continue;
      try {
        const { checkReach } = this.#context;
        checkReach?.(target);
        const sender = sessions.get(from);
        if (sender) checkReach?.(sender);
        await this.#tell(target, sender, text);
      } catch (error) {
        this.#warnings.push(`message to ${to}: ${toCoded(error).message}`);
      }
    }
  }

  /**
   * What a member says is mail, which finds the other when it has time for it. What the file says is typed, as by a person:
   * it is what a member is to begin with.
   */
  async #tell(to: SessionRecord, from: SessionRecord | undefined, text: string): Promise<void> {
    const { host, gone } = this.#context;
    if (!from) return host.drive.type(to, text, { enter: true, gone });
    await host.messages.publish({
      stream: inboxName(to.id),
      body: text,
      senderId: from.id,
      senderName: from.name,
      threadId: null,
      replyTo: null,
      noReply: false,
      quiet: false,
      key: '',
    });
  }

  /** Only what this start has done is undone. A worktree in which somebody has worked already is kept, restorable. */
  async #takeBack(reports: readonly MemberReport[]): Promise<void> {
    const { lifecycle } = this.#context.host;
    await Promise.all(
      reports.map(async ({ name, session, state, error }) => {
        if (!session) return;
        const isNew = state === 'started' || (state === 'failed' && error !== undefined);
        try {
          if (state === 'resumed') await lifecycle.stop(session);
          else if (isNew)
            await lifecycle.purge(session, { force: false }).catch(() => lifecycle.delete(session));
        } catch (failure) {
          this.#warnings.push(`${name}: ${toCoded(failure).message}`);
        }
      }),
    );
  }

  #pause(ms: number): Promise<void> {
    return new Promise(resolve => void this.#context.clock.after(ms, resolve));
  }
}
