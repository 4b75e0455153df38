/**
 * `exec_shell`, `read_job` and `stop_job`.
 */
import type { CallContext, Outcome, Preview, Tool } from '../../agent/tool.ts';
import { OUTCOME_MAX } from '../../agent/tool.ts';
import type { Clock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import { visible } from '../../base/visible.ts';
import { classify } from '../../permissions/classify.ts';
import { higher } from '../../permissions/tier.ts';
import type { Classification } from '../../permissions/types.ts';
import type { ToolMethods } from '../contract.ts';
import type { Place, Workspace } from '../files/workspace.ts';
import { code, fenced } from '../markdown.ts';
import { told } from '../outcome.ts';
import { protoTool, type Keeper } from '../proto-tool.ts';
import type { Jobs, JobState } from './jobs.ts';
import { KeptOutput, LiveText } from './kept-output.ts';
import { ShellProcess, type Ended } from './process.ts';

interface ExecArgs {
  readonly command: string;
  readonly working_directory?: string;
  readonly timeout_seconds?: number;
  readonly background?: boolean;
  readonly purpose?: string;
}

/** What the shell tools need. */
export interface ShellSurroundings {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly keeper?: Keeper | undefined;
}

/** Seconds that a command may take where the model does not say. */
const TIMEOUT = 120;
/** Seconds that it may ask for. */
const TIMEOUT_MAX = 3600;
/** Seconds that reading a job may wait. */
const WAIT_MAX = 600;
/** Bytes of output that an answer has; the rest of it is for what else is said. */
const OUTPUT_MAX = OUTCOME_MAX - 2048;
/** UTF-16 units of a command in the header, which is one line. */
const HEADER_MAX = 80;
/** UTF-16 units of a command: a program's arguments have a limit of 128 KiB (execve(2), MAX_ARG_STRLEN). */
const COMMAND_MAX = 100_000;

/** The three of them. */
export function shellTools(methods: ToolMethods, surroundings: ShellSurroundings): Tool[] {
  return [
    execTool(methods, surroundings),
    readJobTool(methods, surroundings),
    stopJobTool(methods, surroundings),
  ];
}

function execTool(methods: ToolMethods, surroundings: ShellSurroundings): Tool {
  const { workspace, keeper } = surroundings;
  return protoTool<ExecArgs>(
    methods,
    'ExecShell',
    {
      preview: async args => execPreview(args, await placeOf(workspace, args)),
      run: async (args, preview, context) => {
        const place = await placeOf(workspace, args);
        if (place.real !== preview.basis)
          throw new CodedError('failed', `exec_shell: ${visible(place.shown)} leads elsewhere now`);
        return args.background
          ? inBackground(args, place, surroundings)
          : inForeground(args, place, surroundings, context);
      },
      // What runs on is not over when the call is: nothing can be compared then.
      touched: async ({ command, background }) =>
        background || !mayWrite(classify(command)) ? { what: [] } : { what: 'workspace' },
    },
    keeper,
  );
}

function mayWrite({ tier, isUnderstood }: Classification): boolean {
  return !isUnderstood || higher(tier, 'read') !== 'read';
}

function placeOf(workspace: Workspace, { working_directory }: ExecArgs): Promise<Place> {
  return workspace.place(working_directory || '.');
}

function execPreview(
  { command, timeout_seconds: seconds = 0, purpose, background }: ExecArgs,
  place: Place,
): Preview {
  if (command.trim() === '') throw new CodedError('usage', 'exec_shell: argument command: it is empty');
  if (command.length > COMMAND_MAX || command.includes('\0'))
    throw new CodedError(
      'usage',
      'exec_shell: argument command: it is too long, or has a NUL',
      'write a script',
    );
  if (seconds < 0 || seconds > TIMEOUT_MAX)
    throw new CodedError('usage', `exec_shell: argument timeout_seconds: from 1 to ${TIMEOUT_MAX}`);
  const line = place.isInside ? classify(command) : outside(classify(command), place);
  const shown = place.shown === '.' ? command : `cd ${shellWord(place.shown)} && ${command}`;
  const [first = ''] = command.trim().split('\n');
  const why = purpose ? `: ${visible(purpose).slice(0, 200)}` : ` ${code(first.slice(0, HEADER_MAX))}`;
  return {
    subject: { kind: 'shell', line },
    header: `shell${background ? ' in the background' : ''}${why}`,
    body: fenced(shown, 'sh'),
    basis: place.real,
  };
}

/** Elsewhere, harmless words may mean something else: `make`, `git checkout .`. */
function outside(line: Classification, { real }: Place): Classification {
  const reason = { tier: 'elevated' as const, why: 'it runs outside of the workspace', part: real };
  return { ...line, tier: higher(line.tier, 'elevated'), reasons: [reason, ...line.reasons] };
}

async function inBackground(
  { command }: ExecArgs,
  place: Place,
  { env, jobs }: ShellSurroundings,
): Promise<Outcome> {
  const id = await jobs.start({ command, cwd: place.real, env });
  return told(`started as ${id}: read it with read_job, end it with stop_job`);
}

async function inForeground(
  { command, timeout_seconds }: ExecArgs,
  place: Place,
  { env, clock }: ShellSurroundings,
  { signal, progress }: CallContext,
): Promise<Outcome> {
  if (signal.aborted) return told('cancelled before it was started', { isError: true });
  const kept = new KeptOutput(OUTPUT_MAX);
  const live = new LiveText(progress, () => clock.now());
  const output = (bytes: Buffer): void => {
    kept.push(bytes);
    live.push(bytes);
  };
  const process = await ShellProcess.start({ command, cwd: place.real, env, clock, output });
  const seconds = timeout_seconds || TIMEOUT;
  const late = clock.after(seconds * 1000, () => process.stop('timeout'));
  const cancel = (): void => process.stop('cancelled');
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  try {
    const ended = await process.ended;
    live.flush();
    return told(withEnd(kept.text(), ended, seconds), { isError: ended.status !== 0 });
  } finally {
    late.dispose();
    signal.removeEventListener('abort', cancel);
  }
}

/** What was printed, and what else is to be known. */
function withEnd(output: string, ended: Ended, seconds: number): string {
  const text = output.replace(/\n$/, '');
  const notes = [
    ...(text === '' ? ['no output'] : []),
    ...(ended.cause === 'timeout' ? [`ended after ${seconds} s: it took too long`] : []),
    ...(ended.cause === 'cancelled' ? ['cancelled'] : []),
    ...(ended.cause === 'stopped' ? ['stopped'] : []),
    ...(ended.signal && !ended.cause ? [`ended by ${ended.signal}`] : []),
    ...(ended.leftSome ? ['programs that it left running were ended: use background for those'] : []),
    `exit status ${ended.status}`,
  ];
  return `${text}${text === '' ? '' : '\n'}[${notes.join('; ')}]`;
}

function readJobTool(methods: ToolMethods, { jobs }: ShellSurroundings): Tool {
  return protoTool<{ readonly job_id?: string; readonly wait_seconds?: number }>(methods, 'ReadJob', {
    preview: async ({ job_id: id, wait_seconds: wait = 0 }) => {
      if (wait < 0 || wait > WAIT_MAX)
        throw new CodedError('usage', `read_job: argument wait_seconds: from 0 to ${WAIT_MAX}`);
      return {
        subject: { kind: 'words', words: id ? [id] : [], tier: 'read' },
        header: id ? `read ${code(id)}` : 'listed jobs',
      };
    },
    run: async ({ job_id: id, wait_seconds: wait = 0 }, _, { signal }) => {
      if (!id) return told(jobs.list().map(jobLine).join('\n') || 'there are no jobs');
      return told(stateText(await jobs.read(id, wait * 1000, signal)));
    },
  });
}

function stopJobTool(methods: ToolMethods, { jobs }: ShellSurroundings): Tool {
  return protoTool<{ readonly job_id: string }>(methods, 'StopJob', {
    preview: async ({ job_id: id }) => ({
      // It ends nothing but what this conversation has started itself.
      subject: { kind: 'words', words: [id], tier: 'read' },
      header: `stopped ${code(id)}`,
    }),
    run: async ({ job_id: id }) => told(stateText(await jobs.stop(id))),
  });
}

function jobLine({ id, command, ended }: Omit<JobState, 'output'>): string {
  const first = visible(command.split('\n')[0]!).slice(0, 120);
  return `${id}  ${ended ? `ended with ${ended.status}` : 'running'}  ${first}`;
}

function stateText({ output, ended }: JobState): string {
  if (ended) return withEnd(output, ended, 0);
  const text = output.replace(/\n$/, '');
  return `${text}${text === '' ? '[nothing new; ' : '\n['}it is running]`;
}
