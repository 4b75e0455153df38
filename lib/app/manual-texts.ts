/**
 * Words of the manual that no other table has: what an error code means, which variables are read.
 */
import type { ErrorCode } from '../base/errors.ts';
import { AGENT_VARIABLES } from '../config/agents.ts';

/** Exit status → what it says. */
export const EXIT_TEXTS: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'it failed',
  2: 'wrong usage',
  3: 'no such server, session, pane, key or option',
  4: 'refused',
  70: 'internal error: a defect of mux, told with its stack',
  124: 'it took too long',
  130: 'cancelled',
};

/** Error code → when it comes. */
export const ERROR_TEXTS: Readonly<Record<ErrorCode, string>> = {
  failed: 'the command was right but could not be carried out',
  usage: 'an argument that is missing, too many, or not what was expected',
  unknown_command: 'no command has that name or begins so, or several do',
  unknown_flag: 'the command has no such flag',
  invalid_config: 'a settings or theme file is wrong; the message has file, line and column',
  invalid_key: 'not the name of a key',
  not_a_terminal: 'attaching needs a terminal on both ends, and a TERM that can be drawn on',
  no_server: 'no server of that name runs',
  not_found: 'no such session, window, pane, buffer, option or file',
  ambiguous: 'the target matches several',
  refused:
    'not allowed: to an agent what only a person may do, or from a terminal that is attached read-only',
  nested: 'attaching from a pane of the same server',
  protocol_mismatch: 'the running server is of another version',
  no_space: 'the pane is too small to be split',
  timeout: 'it took longer than allowed',
  cancelled: 'asked, and the answer was no',
};

interface Variable {
  readonly name: string;
  readonly text: string;
}

/** Variables that mux reads. */
export const VARIABLES_READ: readonly Variable[] = [
  { name: 'MUX_SERVER', text: 'name of the server, where -L does not say' },
  { name: 'MUX_HOME', text: "folder for all of mux's files, in place of the XDG folders" },
  { name: 'MUX_AGENT_MODE', text: '1: answer in JSON as for an agent; 0: never because of an agent' },
  { name: 'MUX_TOKEN', text: 'in a pane: proves to the server which session speaks' },
  { name: 'MUX_CHAT', text: 'names the terminal whose last chat --continue means, in the place of its tty' },
  { name: 'MUX_DEBUG', text: 'set: errors that are no mistake of yours are told with their stack' },
  ...AGENT_VARIABLES.map(name => ({ name, text: 'set: the caller is an AI agent, so answers are JSON' })),
  { name: 'SHELL', text: 'the shell of new panes' },
  { name: 'VISUAL', text: 'the editor for roles and lores; then EDITOR, then vi' },
  { name: 'EDITOR', text: 'as VISUAL' },
  { name: 'PAGER', text: 'the pager for tool sets, roles, lores and this manual; less if not set' },
  { name: 'TERM', text: 'what the terminal can do' },
  { name: 'COLORTERM', text: 'truecolor or 24bit: the terminal shows 24-bit colours' },
  { name: 'TERM_PROGRAM', text: 'name of the terminal, for what TERM does not say' },
  { name: 'LC_ALL', text: 'locale; then LC_CTYPE, then LANG: without UTF-8 mux draws plain ASCII' },
  { name: 'LC_CTYPE', text: 'as LC_ALL' },
  { name: 'LANG', text: 'as LC_ALL' },
  { name: 'XDG_CONFIG_HOME', text: 'where settings lie; ~/.config if not set' },
  { name: 'XDG_STATE_HOME', text: 'where logs lie; ~/.local/state if not set' },
  { name: 'XDG_DATA_HOME', text: 'where data lies; ~/.local/share if not set' },
  { name: 'XDG_RUNTIME_DIR', text: 'where sockets lie; below the state folder if not set' },
  { name: 'TMPDIR', text: 'where the socket lies if its path would be too long' },
];

/** Variables that programs in panes find. */
export const VARIABLES_SET: readonly Variable[] = [
  { name: 'MUX_SERVER', text: 'name of the server' },
  { name: 'MUX_SESSION', text: 'id of the session' },
  { name: 'MUX_SOCKET', text: "where the server listens, for agents' hooks" },
  { name: 'MUX_HOOK_EVENT', text: 'for commands of `hooks` alone: what they are run at' },
  { name: 'MUX_HOOK_TOOL', text: 'the same: the tool that is about to run, or has' },
  { name: 'MUX_NOTIFY_TITLE', text: 'for `notifications.command` alone: who needs you' },
  { name: 'MUX_NOTIFY_BODY', text: 'the same: why' },
  { name: 'MUX_NOTIFY_NEED', text: 'the same: permission, question or error' },
  { name: 'MUX_NOTIFY_NAME', text: "the same: the session's name" },
  { name: 'MUX_NOTIFY_SESSION', text: "the same: the session's id" },
  {
    name: 'MUX_PANE',
    text: 'the pane it was started in, like %3; not set in a session started in the background',
  },
  { name: 'MUX_AGENT', text: 'name of the agents: entry, only where that is an AI agent' },
  {
    name: 'MUX_INCLUDE_',
    text: 'MUX_INCLUDE_NAME_PATH: the worktree of a repository included with mux new --include',
  },
  { name: 'MUX_ROLE', text: 'role given to mux new' },
  {
    name: 'MUX_ROLE_FILE',
    text: "a file with that role's text: its prompt, and where its files and lores are",
  },
  { name: 'MUX_MODEL', text: 'model given to mux new' },
  { name: 'TERM', text: 'value of the option default-terminal' },
  { name: 'COLORTERM', text: 'truecolor' },
  { name: 'TERM_PROGRAM', text: 'mux' },
  { name: 'TERM_PROGRAM_VERSION', text: 'version of mux' },
];

/**
 * Keys of config.yaml that are checked but change nothing in this version; a section stands for all its keys.
 */
export const WITHOUT_EFFECT: readonly string[] = ['agent.default_lores'];
