/**
 * A built-in tool: a method of the contract, and what it does.
 */
import type { Arguments, CallContext, Outcome, Preview, Tool } from '../agent/tool.ts';
import { CodedError } from '../base/errors.ts';
import type { ToolMethods } from './contract.ts';
import { decodeArguments } from './describe/decode.ts';
import { describeMethod, HANDLER, toolName } from './describe/describe.ts';
import { failedBy } from './outcome.ts';

/** What a call of a tool would change. */
export interface Touched {
  /** Files, absolute and resolved; or anything below the workspace. */
  readonly what: readonly string[] | 'workspace';
}

/** Keeps what a call is about to change, so that it can be taken back. */
export interface Keeper {
  /** Runs `call` between looking at what is there before and after it. Never fails by itself. */
  around(call: KeptCall, run: () => Promise<Outcome>): Promise<Outcome>;
}

/** A call as a checkpoint names it. */
export interface KeptCall {
  readonly id: string;
  readonly tool: string;
  readonly header: string;
  readonly touched: Touched;
}

/** What a tool does. `A` are its decoded arguments: the message of its method. */
export interface Handler<A> {
  preview(args: A, context: CallContext): Promise<Preview>;
  run(args: A, preview: Preview, context: CallContext): Promise<Outcome>;
  /** Absent: nothing that could be taken back. */
  touched?(args: A): Promise<Touched>;
}

/** The tool of the method, done by `handler`. Arguments that it does not have are left out: models invent some. */
export function protoTool<A extends object>(
  methods: ToolMethods,
  method: string,
  handler: Handler<A>,
  keeper?: Keeper,
): Tool {
  const info = methods.get(method);
  if (!info) throw new Error(`tools.proto has no method ${method}`);
  const name = toolName(method);
  const read = (args: Arguments): A =>
    decodeArguments(info.request, args, { tool: name, isLenient: true }) as A;
  return {
    wire: describeMethod(info, { annotations: { [HANDLER]: name } }),
    isReadOnly: info.isReadOnly,
    preview: async (args, context) => handler.preview(read(args), context),
    run: async (args, preview, context) => {
      try {
        const decoded = read(args);
        const run = (): Promise<Outcome> => handler.run(decoded, preview, context);
        const touched = keeper && (await handler.touched?.(decoded));
        if (!touched) return await run();
        return await keeper.around({ id: context.id, tool: name, header: preview.header, touched }, run);
      } catch (error) {
        if (error instanceof CodedError || isSystemError(error)) return failedBy(error);
        throw error;
      }
    },
  };
}

/** Errors of the system that nobody foresaw are the call's failure, not a defect. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
