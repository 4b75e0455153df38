/**
 * Shared lists of tasks in their database. Every call runs inside the caller's transaction, so of two who want the same
 * task one gets it.
 */
import { CodedError } from '../base/errors.ts';
import type { Connection } from '../sqlite/open.ts';
import { Statements } from '../sqlite/statements.ts';
import type { NewTask, Task, TaskAction, TaskActor, TaskChange, TaskStatus } from './task-types.ts';

/** A task whose owner shows no sign of life goes back to the list: longer than a build, shorter than a lunch. */
const LEASE_MS = 30 * 60_000;
/** Tasks of one list that are not done: whoever adds more is a loop. */
const OPEN_MAX = 10_000;
/** Done tasks of one list that are kept, the newest: a list is no archive. */
const DONE_KEPT = 1000;

interface TaskRow {
  readonly id: number;
  readonly scope: string;
  readonly title: string;
  readonly status: TaskStatus;
  readonly note: string;
  readonly owner_id: string | null;
  readonly owner_name: string | null;
  readonly lease_until: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly revision: number;
}

/** A task that somebody may take. */
const FREE = `t.status = 'todo' AND NOT EXISTS
  (SELECT 1 FROM needs n JOIN tasks o ON o.id = n.needs WHERE n.task = t.id AND o.status <> 'done')`;

/** What is asked of one task. */
export interface TaskCall {
  readonly scope: string;
  readonly id: string;
  readonly actor: TaskActor;
  readonly action: TaskAction;
  /** What the actor says about it; undefined leaves what was said. */
  readonly note: string | undefined;
}

export class TaskStore {
  readonly #sql: Statements;
  readonly #now: () => number;

  /** @param now milliseconds since 1970 */
  constructor(db: Connection, now: () => number) {
    this.#sql = new Statements(db);
    this.#now = now;
  }

  /** Throws CodedError `not_found` where it needs what is not there. */
  add({ scope, title, needs, key }: NewTask, by: string): TaskChange | { readonly task: Task } {
    const known = this.#sql.get<{ id: number }>('SELECT id FROM tasks WHERE created_by = ? AND key = ?', [
      by,
      key,
    ]);
    if (known) return { task: this.#task(this.#row(known.id)!) };
    const numbers = needs.map(id => this.#find(scope, id).id);
    const { open } = this.#sql.get<{ open: number }>(
      "SELECT count(*) AS open FROM tasks WHERE scope = ? AND status <> 'done'",
      [scope],
    )!;
    if (open >= OPEN_MAX)
      throw new CodedError('failed', `task: ${OPEN_MAX} of ${scope} are not done`, 'do some of them first');
    const now = this.#now();
    this.#sql.run(
      `INSERT INTO tasks (scope, title, status, note, created_by, created_at, updated_at, key)
       VALUES (?, ?, 'todo', '', ?, ?, ?, ?)`,
      [scope, title, by, now, now, key || null],
    );
    const id = this.#sql.lastId();
    for (const other of numbers)
      this.#sql.run('INSERT OR IGNORE INTO needs (task, needs) VALUES (?, ?)', [id, other]);
    return { action: 'add', task: this.#task(this.#row(id)!), before: null };
  }

  /** Of a list in the order they were added; those of one status, or all that are not done. */
  list(scope: string, wanted: TaskStatus | 'open' | 'all'): Task[] {
    const which = { open: "status <> 'done'", all: '1' }[wanted as 'open' | 'all'] ?? 'status = :status';
    const values = which === 'status = :status' ? { scope, status: wanted } : { scope };
    return this.#sql
      .all<TaskRow>(`SELECT * FROM tasks WHERE scope = :scope AND ${which} ORDER BY id`, [values])
      .map(row => this.#task(row));
  }

  /** Gives the first task that waits for nothing. Throws CodedError `not_found` where there is none. */
  next(scope: string, actor: TaskActor, key: string): TaskChange | { readonly task: Task } {
    const sql = 'SELECT * FROM tasks WHERE scope = ? AND owner_id = ? AND claim_key = ?';
    const known = this.#sql.get<TaskRow>(sql, [scope, actor.id, key]);
    if (known) return { task: this.#task(known) };
    const free = `SELECT * FROM tasks t WHERE t.scope = ? AND ${FREE} ORDER BY t.id LIMIT 1`;
    const row = this.#sql.get<TaskRow>(free, [scope]);
    if (!row) throw this.#nothingLeft(scope);
    this.#sql.run('UPDATE tasks SET claim_key = ? WHERE id = ?', [key || null, row.id]);
    return this.#set(row, 'claim', 'claimed', actor, undefined);
  }

  /** Throws CodedError: `not_found`, or `failed` where another has it or it waits for others. */
  act({ scope, id, actor, action, note }: TaskCall): TaskChange {
    const row = this.#find(scope, id);
    const isOthers = row.owner_id !== null && row.owner_id !== actor.id;
    const isTaking = action === 'claim' || action === 'start';
    if (isOthers && (isTaking || !actor.isChief))
      throw new CodedError(
        'failed',
        `task ${id}: ${row.owner_name} has it`,
        "'mux task list' shows what is free",
      );
    if (isTaking && row.owner_id === null) this.#checkFree(row);
    const status = {
      claim: row.owner_id === null ? 'claimed' : row.status,
      start: 'in-progress',
      done: 'done',
      block: 'blocked',
      reopen: 'todo',
    }[action] as TaskStatus;
    return this.#set(row, action, status, action === 'reopen' ? undefined : actor, note);
  }

  /** Gives back what the gone had taken. */
  release(isThere: (owner: string) => boolean): TaskChange[] {
    return this.#owned()
      .filter(row => !isThere(row.owner_id!))
      .map(row => this.#giveBack(row));
  }

  /** Whoever shows signs of life keeps its tasks; whose time is over loses them. */
  renew(alive: readonly string[]): TaskChange[] {
    const now = this.#now();
    for (const owner of alive)
      this.#sql.run(
        'UPDATE tasks SET lease_until = ? WHERE owner_id = ? AND lease_until IS NOT NULL AND status <> ?',
        [now + LEASE_MS, owner, 'done'],
      );
    return this.#owned()
      .filter(row => row.lease_until! < now)
      .map(row => this.#giveBack(row));
  }

  /** Open tasks of those that have a lease. */
  #owned(): TaskRow[] {
    const sql =
      "SELECT * FROM tasks WHERE owner_id IS NOT NULL AND lease_until IS NOT NULL AND status <> 'done' ORDER BY id";
    return this.#sql.all<TaskRow>(sql);
  }

  /** What is blocked stays so, whoever found it. */
  #giveBack(row: TaskRow): TaskChange {
    return this.#set(row, 'lease', row.status === 'blocked' ? 'blocked' : 'todo', undefined, undefined);
  }

  /** @param owner undefined for nobody */
  #set(
    row: TaskRow,
    action: TaskChange['action'],
    status: TaskStatus,
    owner: TaskActor | undefined,
    note: string | undefined,
  ): TaskChange {
    const now = this.#now();
    const isKept = owner !== undefined && row.owner_id !== null;
    this.#sql.run(
      `UPDATE tasks SET status = ?, owner_id = ?, owner_name = ?, lease_until = ?, note = ?, updated_at = ?,
       revision = revision + 1 WHERE id = ?`,
      [
        status,
        owner ? (isKept ? row.owner_id : owner.id) : null,
        owner ? (isKept ? row.owner_name : owner.name) : null,
        leaseOf(row, status, owner, now),
        note ?? row.note,
        now,
        row.id,
      ],
    );
    if (status === 'done') this.#dropOldest(row.scope);
    return { action, task: this.#task(this.#row(row.id)!), before: row.owner_id };
  }

  #dropOldest(scope: string): void {
    this.#sql.run(
      `DELETE FROM tasks WHERE id IN (SELECT id FROM tasks WHERE scope = ? AND status = 'done'
       ORDER BY updated_at DESC, id DESC LIMIT -1 OFFSET ${DONE_KEPT})`,
      [scope],
    );
  }

  #checkFree(row: TaskRow): void {
    const id = `td-${row.id}`;
    const { waitsFor, status } = this.#task(row);
    if (waitsFor.length > 0)
      throw new CodedError(
        'failed',
        `task ${id}: it waits for ${waitsFor.join(', ')}`,
        "'mux task next' gives one that waits for nothing",
      );
    if (status !== 'todo')
      throw new CodedError('failed', `task ${id}: it is ${status}`, `'mux task reopen ${id}' puts it back`);
  }

  #nothingLeft(scope: string): CodedError {
    const sql = "SELECT count(*) AS open FROM tasks WHERE scope = ? AND status <> 'done'";
    const { open } = this.#sql.get<{ open: number }>(sql, [scope])!;
    const why = open === 0 ? 'everything is done' : `${open} are not done, but taken, blocked or waiting`;
    return new CodedError('not_found', `task next: nothing to take: ${why}`, "'mux task list' shows them");
  }

  #find(scope: string, id: string): TaskRow {
    const number = Number(/^(?:td-)?(\d{1,15})$/.exec(id)?.[1]);
    const row = Number.isSafeInteger(number) ? this.#row(number) : undefined;
    if (row?.scope === scope) return row;
    const hint = "'mux task list' shows them; --fleet F names another list";
    throw new CodedError('not_found', `task ${id.slice(0, 40)}: no such task in this list`, hint);
  }

  #row(id: number): TaskRow | undefined {
    return this.#sql.get<TaskRow>('SELECT * FROM tasks WHERE id = ?', [id]);
  }

  #task(row: TaskRow): Task {
    const needs = this.#sql.all<{ id: number; status: TaskStatus }>(
      'SELECT o.id, o.status FROM needs n JOIN tasks o ON o.id = n.needs WHERE n.task = ? ORDER BY o.id',
      [row.id],
    );
    return {
      id: `td-${row.id}`,
      scope: row.scope,
      title: row.title,
      status: row.status,
      note: row.note,
      ownerId: row.owner_id,
      ownerName: row.owner_name,
      leaseUntil: row.lease_until,
      needs: needs.map(({ id }) => `td-${id}`),
      waitsFor: needs.filter(({ status }) => status !== 'done').map(({ id }) => `td-${id}`),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      revision: row.revision,
    };
  }
}

/** How long it is kept for its owner: what another does to it changes nothing of that. */
function leaseOf(row: TaskRow, status: TaskStatus, owner: TaskActor | undefined, now: number): number | null {
  if (owner === undefined || status === 'done') return null;
  if (row.owner_id !== null && row.owner_id !== owner.id) return row.lease_until;
  return owner.isPerson ? null : now + LEASE_MS;
}
