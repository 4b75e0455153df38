/**
 * The program's entry. Attaching must be fast, so everything else is loaded only when it is asked for.
 */
import { CodedError, toCoded } from '../base/errors.ts';
import { parseInvocation, type Invocation } from './argv.ts';
import { attach, detachAll } from './attach.ts';
import { appContext, type AppContext } from './context.ts';
import { reportError } from './report.ts';

/** Commands that run here and not in the server; each is loaded when called. */
const LOCAL: Readonly<Record<string, (context: AppContext, words: readonly string[]) => Promise<number>>> = {
  attach: async (context, words) => attach(context, (await import('./local.ts')).parseAttach(words)),
  ai: async (context, words) => (await import('./ai/serve-command.ts')).aiCommand(context, words),
  ask: async (context, words) => (await import('./ai/ask-command.ts')).askCommand(context, words),
  chat: async (context, words) => (await import('./chat/chat-command.ts')).chatCommand(context, words),
  chats: async (context, words) => (await import('./ai/chats-command.ts')).chatsCommand(context, words),
  models: async (context, words) => (await import('./ai/models-command.ts')).modelsCommand(context, words),
  completion: async (context, words) => (await import('./completion.ts')).completionCommand(context, words),
  classify: async (context, words) => (await import('./classify-command.ts')).classifyCommand(context, words),
  config: async (context, words) => (await import('./config-command.ts')).configCommand(context, words),
  graph: async (context, words) => (await import('./graph-command.ts')).graphCommand(context, words),
  help: async (context, words) => (await import('./help.ts')).helpCommand(context, words),
  hook: async ({ env, serverName, invocation }, words) => {
    // A server that was named is meant, and not the one of this pane.
    const own = invocation.server ? { MUX_SOCKET: '' } : {};
    return (await import('./hook.ts')).hookCommand({ ...env, MUX_SERVER: serverName, ...own }, words);
  },
  doctor: async (context, words) => (await import('./doctor-command.ts')).doctorCommand(context, words),
  events: async (context, words) => (await import('./drive-commands.ts')).eventsCommand(context, words),
  mcp: async (context, words) => (await import('./tools/mcp-command.ts')).mcpCommand(context, words),
  msg: async (context, words) => (await import('./msg-command.ts')).msgCommand(context, words),
  task: async (context, words) => (await import('./msg-command.ts')).taskCommand(context, words),
  logs: async (context, words) => (await import('./logs-command.ts')).logsCommand(context, words),
  list: async (context, words) => (await import('./list-command.ts')).listCommand(context, words),
  init: async (context, words) => (await import('./ai/init-command.ts')).initCommand(context, words),
  lore: async (context, words) => (await import('./lore-command.ts')).loreCommand(context, words),
  purge: async (context, words) => (await import('./purge-command.ts')).purgeCommand(context, words),
  role: async (context, words) => (await import('./role-command.ts')).roleCommand(context, words),
  sandbox: async (context, words) => (await import('./sandbox-command.ts')).sandboxCommand(context, words),
  store: async (context, words) => (await import('./store-command.ts')).storeCommand(context, words),
  up: async (context, words) => (await import('./up-command.ts')).upCommand(context, words),
  tools: async (context, words) => (await import('./tools/tools-command.ts')).toolsCommand(context, words),
  toolset: async (context, words) => (await import('./toolset-command.ts')).toolsetCommand(context, words),
  trust: async (context, words) => (await import('./project/trust-command.ts')).trustCommand(context, words),
  version: async (context, words) => (await import('./version.ts')).versionCommand(context, words),
  wait: async (context, words) => (await import('./drive-commands.ts')).waitCommand(context, words),
  'kill-server': async (context, words) => (await import('./server-command.ts')).killServer(context, words),
  server: async (context, words) => (await import('./server-command.ts')).serverCommand(context, words),
};

async function run(invocation: Invocation): Promise<number> {
  const context = appContext(invocation);
  const [command, ...rest] = invocation.words;
  if (invocation.version) return (await import('./version.ts')).versionCommand(context);
  if (invocation.help) return (await import('./help.ts')).usageCommand(context, invocation.words);
  if (invocation.detach) return detachAll(context, invocation.words);
  if (command === undefined) return attach(context, { target: '', readOnly: false, exclusive: false });
  // A list that is not watched is the server's alone, and scripts ask for it all the time.
  const isListed = command === 'list' && !rest.includes('--watch');
  if (Object.hasOwn(LOCAL, command) && !isListed) return runLocal(context, command, rest);
  const exit = await directly(context, invocation.words);
  if (exit !== undefined) return exit;
  // An alias or the beginning of a name may mean one of those too.
  const { name } = (await import('./own-commands.ts')).anyCommand(command);
  if (Object.hasOwn(LOCAL, name)) return runLocal(context, name, rest);
  return (await import('./local.ts')).remoteCommand(context, invocation.words);
}

/**
 * Lets the server look at the words, which knows them: loading the table of commands takes longer than most of them.
 * Undefined where it runs none of this name, finds them wrong, or is not there: then nothing was done.
 */
async function directly(context: AppContext, words: readonly string[]): Promise<number | undefined> {
  // What comes through a pipe is read here, and what goes on is gone on with here.
  if (words.at(-1) === '-' || words.includes('--watch')) return undefined;
  const { runRemote, UNCHECKED } = await import('./remote.ts');
  try {
    const exit = await runRemote(context, words, { exact: true, start: false });
    return exit === UNCHECKED ? undefined : exit;
  } catch (error) {
    if (error instanceof CodedError && error.code === 'no_server') return undefined;
    throw error;
  }
}

async function runLocal(context: AppContext, name: string, words: readonly string[]): Promise<number> {
  if (words.includes('--help'))
    return (await import('./help.ts')).usageCommand(context, helpWords(name, words));
  if (words.includes('--version')) return (await import('./version.ts')).versionCommand(context);
  if (!words.includes('--json')) return LOCAL[name]!(context, words);
  return LOCAL[name]!(
    { ...context, json: 'on' },
    words.filter(word => word !== '--json'),
  );
}

/** Whose help is meant: of `msg send`, not of `msg`. */
function helpWords(name: string, [verb = '']: readonly string[]): string[] {
  return (name === 'msg' || name === 'task') && !verb.startsWith('-') ? [name, verb] : [name];
}

async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  // A reader that goes away (`mux list | head -1`) is no error of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  let invocation: Invocation | undefined;
  try {
    invocation = parseInvocation(argv);
    process.exitCode = await run(invocation);
  } catch (error) {
    if (!(error instanceof CodedError) && process.env.MUX_DEBUG) console.error(error);
    process.exitCode = reportError(toCoded(error), invocation?.json ?? argv.includes('--json'));
  }
}

await main();
