/**
 * Commands that the program itself carries out: no records of the server's table, but looked up and described like
 * those.
 */
import { CodedError } from '../base/errors.ts';
import { command } from '../cmd/define.ts';
import { COMMANDS, findCommand, resolveLine } from '../cmd/registry.ts';
import type { CommandSpec } from '../cmd/spec.ts';

/** The record of `attach`. */
export const ATTACH = command({
  name: 'attach',
  aliases: ['attach-session'],
  group: 'Screen',
  text: 'Show the server on this terminal; with a session, go to it',
  flags: [
    { name: 'r', alias: 'read-only', text: 'look only: keys go nowhere' },
    { name: 'x', alias: 'exclusive', text: 'send every other terminal away' },
    { name: 't', value: 'SESSION', text: 'the session (as an argument)' },
  ],
  args: '[SESSION]',
  maxArgs: 1,
  exec: () => undefined,
});

/** All of them, in the order in which help shows them. */
export const OWN_COMMANDS: readonly CommandSpec[] = [
  ATTACH,
  own(
    'server',
    'status|restart [--force]',
    'Tell about the running server, or exchange it while sessions go on',
  ),
  own('config', 'show|path|check', 'Show the settings in force, where they are, or what is wrong with them'),
  own(
    'init',
    '[--provider NAME] [--base-url URL] [--key-env VAR] [--model MODEL] [--agent NAME] [--completion SHELL] [--no-check] [--yes]',
    'Set up who answers and what new sessions run: asks, tries it, shows the change, and writes it after a yes',
  ),
  own(
    'graph',
    '[check [--strict] [--sarif] | init]',
    'Show the graph here, check it (exit 1 on errors, with --strict on warnings too), or begin one',
  ),
  own(
    'role',
    'list | show SEL [--explain] [--prompt] [--pager] | show [SEL] --system | new SEL [--edit]',
    'List the roles of the graph, show what one comes to and where each part is from, or make one',
  ),
  own(
    'tools',
    'list | call NAME JSON | undo [--force] | redo [--force]',
    'List the tools that models are told of, run one under the rules, or take back what it changed',
  ),
  own('toolset', 'list | show SEL', 'List the tool sets of the graph, or show one'),
  own(
    'lore',
    'list [--label K=V]… | search RE [-n N] | show NAME | new NAME [--title T] [--label K=V]… [--edit] | edit NAME | rename NAME NEW',
    'List the lores of the graph, search in their text, print, make or edit one, or rename it with the links to it',
  ),
  own(
    'store',
    'put|get|append|list|rm|log|path|repair [--shared|--repo DIR] [KEY]',
    'Keep documents of a project, or of all, in git',
  ),
  own(
    'ask',
    '[TEXT…] [-r ROLE] [-m MODEL] [--local] [-f FILE]… [--continue|--chat NAME] [--output text|json|stream-json]',
    'Ask a model; what comes through a pipe belongs to the question',
  ),
  own(
    'chat',
    '[FILE…] [-r ROLE] [-m MODEL] [--mode manual|auto|plan] [--resume] [--chat NAME] [--theme NAME] [--plain]',
    'Talk to a model on a screen of its own: tabs, files, all that was said before',
  ),
  own(
    'chats',
    'list [FILTER] | show|export|delete|restore|clear|compact|rebuild [NAME] | pin [NAME] [--message ID] | rename NAME TITLE',
    'List the chats, read one, or change it',
  ),
  own(
    'models',
    '[list] | pull NAME | rm NAME',
    'List the models that are known, or fetch and remove local ones',
  ),
  own(
    'ai',
    'serve --listen unix:PATH|HOST:PORT [--tls-cert F --tls-key F] [--token-env VAR]',
    'Serve the chats and models to clients here or elsewhere',
  ),
  own(
    'classify',
    "'CMD' | --jsonl",
    'Tell what a line of shell may do: exit 0 reads, 10 writes, 11 elevated, 12 destructive (0 with --jsonl)',
  ),
  own(
    'sandbox',
    'explain [--agent A] [--role SEL] [--path P --op read|write] [--host H] | run [--agent A] -- CMD…',
    'Tell what a program here could reach in a sandbox (exit 4 for what it could not), or run one in it',
  ),
  own('mcp', 'list', 'List the MCP servers of the settings, with their tools and what is wrong'),
  own(
    'trust',
    '[-y|--no|--forget|--show]',
    'Say whether the settings of the repository here (.mux.yaml) may run commands and switch on tools',
  ),
  own(
    'doctor',
    '[--fix]',
    'Tell whether all is well, and what to do where it is not; put right what is safe',
  ),
  own(
    'completion',
    'bash|zsh|fish',
    'Print a script by which a shell completes commands, flags and sessions',
  ),
  own('hook', 'AGENT EVENT', 'Report what an agent does: its hooks call it, with JSON on stdin'),
  own('help', '[COMMAND]', 'Open the manual, or tell about one command'),
  own('version', '', 'Say which mux this is'),
];

function own(name: string, args: string, text: string): CommandSpec {
  return command({ name, group: 'Screen', args, maxArgs: Infinity, text, exec: () => undefined });
}

/** The record of any command, wherever it runs. Throws CodedError `unknown_command`. */
export function anyCommand(name: string): CommandSpec {
  return findCommand(name, [...OWN_COMMANDS, ...COMMANDS]);
}

/** The record of a command whose name may be of two words. Throws CodedError as resolveLine does. */
export function namedCommand(words: readonly string[]): CommandSpec {
  return resolveLine(words, [...OWN_COMMANDS, ...COMMANDS]).spec;
}

/** For commands that are known but take no such word. */
export function unknownWord(name: string, word: string | undefined, usage: string): CodedError {
  return new CodedError(
    'usage',
    `${name}: ${word ? `unknown '${word}'` : 'say what'}`,
    `usage: mux ${usage}`,
  );
}
