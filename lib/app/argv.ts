/**
 * mux's own flags, which stand before the command: `mux [-L SERVER] [--config FILE] [--json] COMMAND …`.
 */
import { CodedError, nearest } from '../base/errors.ts';
import { AGENT_VARIABLES } from '../config/agents.ts';

export interface Invocation {
  /** From -L, '' if not given. */
  readonly server: string;
  readonly config: string;
  readonly json: boolean;
  readonly help: boolean;
  readonly version: boolean;
  readonly detach: boolean;
  /** The command and its words. */
  readonly words: readonly string[];
}

/** Flag → field; flags with a value name it. */
const FLAGS: Readonly<
  Record<string, { field: keyof Omit<Invocation, 'words'>; value?: string; text: string }>
> = {
  '-L': {
    field: 'server',
    value: 'SERVER',
    text: 'the server to talk to (default: $MUX_SERVER, else default)',
  },
  '--server': { field: 'server', value: 'SERVER', text: 'as -L' },
  '--config': { field: 'config', value: 'FILE', text: 'settings to read instead of the usual file' },
  '--json': { field: 'json', text: 'answer in JSON' },
  '--detach': {
    field: 'detach',
    text: 'let every terminal go, or start a server with none; the sessions live on',
  },
  '--help': { field: 'help', text: 'say how to use mux, or the command that follows' },
  '-h': { field: 'help', text: 'as --help' },
  '--version': { field: 'version', text: 'say which mux this is' },
  '-V': { field: 'version', text: 'as --version' },
};

/** Rows for help and man page. */
export const GLOBAL_FLAGS = Object.entries(FLAGS).map(([flag, row]) => ({
  flag,
  value: row.value,
  text: row.text,
}));

/** Parts mux's own flags from the command. Throws CodedError `unknown_flag` or `usage`. */
export function parseInvocation(argv: readonly string[]): Invocation {
  const found: Record<string, string | boolean> = {};
  let at = 0;
  for (; at < argv.length; at++) {
    const word = argv[at]!;
    if (word === '--') {
      at++;
      break;
    }
    if (!word.startsWith('-') || word === '-') break;
    const [name = '', ...rest] = word.startsWith('--')
      ? word.split('=')
      : [word.slice(0, 2), word.slice(2)].filter(Boolean);
    const row = FLAGS[name];
    if (!row || (row.value === undefined && rest.length > 0)) throw unknownFlag(word);
    if (row.value === undefined) {
      found[row.field] = true;
      continue;
    }
    const value = rest.length > 0 ? rest.join('=') : argv[++at];
    if (value === undefined || value === '') throw new CodedError('usage', `${name}: needs ${row.value}`);
    found[row.field] = value;
  }
  return {
    server: String(found.server ?? ''),
    config: String(found.config ?? ''),
    json: found.json === true,
    help: found.help === true,
    version: found.version === true,
    detach: found.detach === true,
    words: argv.slice(at),
  };
}

function unknownFlag(word: string): CodedError {
  const near = nearest(
    word,
    Object.keys(FLAGS).filter(flag => flag.startsWith('--')),
  );
  return new CodedError(
    'unknown_flag',
    `unknown flag ${word}`,
    near ? `did you mean ${near}?` : "'mux --help' lists the flags",
  );
}

/** JSON mode: asked for, on by itself because an agent calls, or off. */
export function jsonMode(
  explicit: boolean,
  env: Readonly<Record<string, string | undefined>>,
): 'on' | 'auto' | 'off' {
  if (explicit) return 'on';
  if (env.MUX_AGENT_MODE === '0') return 'off';
  return env.MUX_AGENT_MODE === '1' || AGENT_VARIABLES.some(name => env[name]) ? 'auto' : 'off';
}
