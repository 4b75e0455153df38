/**
 * `write_todos`: what the model says it will do, for people to see how far it is.
 */
import type { Tool } from '../../agent/tool.ts';
import { CodedError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { visible } from '../../base/visible.ts';
import type { ToolMethods } from '../contract.ts';
import { fenced } from '../markdown.ts';
import { told } from '../outcome.ts';
import { protoTool } from '../proto-tool.ts';

/** A thing to do. */
export interface Todo {
  readonly description: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

/** Things in a list, and UTF-16 units of one: more is no list that anyone follows. */
const TODOS_MAX = 100;
const DESCRIPTION_MAX = 300;

/** The list of one conversation. */
export class TodoList {
  #todos: readonly Todo[] = [];
  readonly #changed = new Emitter<readonly Todo[]>();
  /** Fires with the whole list after each change. */
  readonly onChange = this.#changed.event;

  get todos(): readonly Todo[] {
    return this.#todos;
  }

  set(todos: readonly Todo[]): void {
    this.#todos = todos;
    this.#changed.fire(todos);
  }
}

const STATUSES: Readonly<Record<string, Todo['status']>> = {
  TODO_STATUS_IN_PROGRESS: 'in_progress',
  TODO_STATUS_COMPLETED: 'completed',
};
const MARKS: Readonly<Record<Todo['status'], string>> = {
  pending: '[ ]',
  in_progress: '[~]',
  completed: '[x]',
};

/** A list as lines: `[x] done`. */
export function todoLines(todos: readonly Todo[]): string {
  return todos.map(({ description, status }) => `${MARKS[status]} ${visible(description)}`).join('\n');
}

interface TodoArgs {
  readonly todos: readonly { readonly description: string; readonly status: string }[];
}

function read({ todos }: TodoArgs): Todo[] {
  if (todos.length > TODOS_MAX)
    throw new CodedError('usage', `write_todos: more than ${TODOS_MAX} things to do`);
  return todos.map(({ description, status }) => ({
    description: description.slice(0, DESCRIPTION_MAX),
    status: STATUSES[status] ?? 'pending',
  }));
}

/** `write_todos`. */
export function todoTool(methods: ToolMethods, list: TodoList): Tool {
  return protoTool<TodoArgs>(methods, 'WriteTodos', {
    async preview(args) {
      const todos = read(args);
      const done = todos.filter(({ status }) => status === 'completed').length;
      return {
        subject: { kind: 'words', words: [], tier: 'passthrough' },
        header:
          todos.length === 0 ? 'cleared the things to do' : `things to do: ${done} of ${todos.length} done`,
        ...(todos.length === 0 ? {} : { body: fenced(todoLines(todos)) }),
      };
    },
    async run(args) {
      const todos = read(args);
      list.set(todos);
      const left = todos.filter(({ status }) => status !== 'completed').length;
      return told(`${left} left`);
    },
  });
}
