/** `mux chat`: the chat program on this terminal. */
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { CodedError, errorText, toCoded } from '../../base/errors.ts';
import { ChatKeys } from '../../chat/keyboard.ts';
import { MODES, newTab, type Attachment, type ChatApp, type Tab } from '../../chat/state.ts';
import { parseArgs } from '../../cmd/args.ts';
import { command, flag } from '../../cmd/define.ts';
import type { ParsedArgs } from '../../cmd/spec.ts';
import { makeDirectories } from '../../config/directories.ts';
import { readConfig } from '../../config/file.ts';
import type { Config } from '../../config/load.ts';
import { formatProblem } from '../../config/problems.ts';
import type { Theme } from '../../config/theme.ts';
import { loadTheme, themeNames } from '../../config/theme-file.ts';
import { deriveCaps } from '../../render/caps.ts';
import { isUtf8, PACKAGE_ROOT, type AppContext } from '../context.ts';
import { fileMessage } from '../ai/ask-input.ts';
import { chatNamed, chatUser, newChat } from '../ai/chat-names.ts';
import { lastChat, rememberChat, terminalOf } from '../ai/last-chats.ts';
import { Drafts } from './drafts.ts';
import { LateEffects } from './late-effects.ts';
import { NO_MODEL } from './model-facts.ts';
import { restoredTab, unknownModel, type TabDefaults } from './opening.ts';
import { ChatProgram } from './program.ts';

const CHAT = command({
  name: 'chat',
  group: 'Screen',
  text: '',
  args: '[FILE…]',
  maxArgs: Infinity,
  flags: [
    { name: 'r', alias: 'role', value: 'ROLE', text: 'the role of a new chat' },
    { name: 'm', alias: 'model', value: 'MODEL', text: 'the model of a new chat' },
    { name: 'mode', value: MODES.join('|'), text: 'what may run without being asked about' },
    flag('resume', 'the chats that this terminal had open'),
    { name: 'chat', value: 'NAME', text: 'go on in this chat' },
    { name: 'theme', value: 'NAME', text: 'other colours than the settings name' },
    flag('plain', 'line by line, for screen readers and dumb terminals'),
  ],
  exec: () => undefined,
});

/** Throws CodedError. Resolves when the person leaves. */
export async function chatCommand(context: AppContext, words: readonly string[]): Promise<number> {
  const args = parseArgs(CHAT, words);
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true)
    throw new CodedError('usage', 'chat: this is no terminal', "'mux ask' answers without one");
  const { config, problems } = readConfig(context.configFile);
  if (args.has('plain') || config.chat.plain || context.env.TERM === 'dumb') return lineByLine(context, args);
  makeDirectories(context.paths);
  const drafts = new Drafts(join(context.paths.state, 'chats'));
  const terminal = terminalOf(context);
  const defaults = defaultsOf(config, args);
  const themesDir = join(PACKAGE_ROOT, 'themes');
  const theme = themeOf(context, config, args, themesDir);
  const history = drafts.readHistory();
  const user = chatUser(config);
  const { tabs, active } = openTabs({ context, user, args, drafts, terminal, defaults, history });
  const keys = new ChatKeys(config.chat.send_key, ownKeys(config));
  const app: ChatApp = {
    size: { cols: process.stdout.columns || 80, rows: process.stdout.rows || 24 },
    tabs,
    active,
    overlay: undefined,
    told: [...problems.map(formatProblem), ...keys.problems].map(text => ({ text, tone: 'error' })),
    nextKey: tabs.length,
    themes: themeNames(themesDir),
    theme: theme.name,
    now: systemClock.now(),
  };
  const { env } = context;
  const isInTmux = /^(tmux|screen)/.test(env.TERM ?? '') || Boolean(env.TMUX);
  const program = new ChatProgram({
    app,
    theme,
    caps: capsOf(context),
    keys,
    mouse: config.screen.mouse,
    drafts,
    terminal,
    reports: Boolean(env.MUX_SESSION),
    isStill: config.chat.motion === 'reduced',
    isInTmux,
  });
  // The screen is there, and takes what is typed, while the service is still being opened.
  const effects = new LateEffects(program, async () => {
    const { openEffects } = await import('./open-effects.ts');
    return openEffects({ context, config, program, drafts, keys, defaults, themesDir, isInTmux });
  });
  return program.run(effects);
}

/** The same conversation without a screen: what a reader of screens can follow, and a terminal that cannot move its cursor. */
async function lineByLine(context: AppContext, args: ParsedArgs): Promise<number> {
  const { askCommand } = await import('../ai/ask-command.ts');
  const handed = ['r', 'm', 'mode', 'chat'].flatMap(name => {
    const value = args.value(name);
    return value === undefined ? [] : [name.length === 1 ? `-${name}` : `--${name}`, value];
  });
  const files = args.rest.flatMap(file => ['-f', file]);
  const words = [
    '-i',
    '--output',
    'text',
    ...(args.has('resume') ? ['--continue'] : []),
    ...handed,
    ...files,
  ];
  return askCommand(context, words);
}

/** NO_COLOR (no-color.org): none, whatever the terminal can. */
function capsOf({ env }: AppContext): ReturnType<typeof deriveCaps> {
  const { TERM: term = '', COLORTERM: colorterm, TERM_PROGRAM: termProgram } = env;
  const caps = deriveCaps({
    term,
    ...(colorterm === undefined ? {} : { colorterm }),
    ...(termProgram === undefined ? {} : { termProgram }),
    utf8: isUtf8(env),
  });
  return env.NO_COLOR ? { ...caps, colors: 0 } : caps;
}

function themeOf({ env }: AppContext, config: Config, args: ParsedArgs, dir: string): Theme {
  const given = args.value('theme');
  if (given !== undefined) return loadTheme(given, dir);
  if (env.NO_COLOR) return loadTheme('mono', dir);
  try {
    return loadTheme(config.screen.theme, dir);
  } catch (error) {
    console.error(`mux: ${errorText(toCoded(error))}`);
    return loadTheme('dark', dir);
  }
}

function ownKeys({ keys }: Config): { table: string; key: string; command: string; note: string }[] {
  return Object.entries(keys).flatMap(([table, rows]) =>
    Object.entries(rows).map(([key, text]) => ({ table, key, command: text, note: '' })),
  );
}

function defaultsOf(config: Config, args: ParsedArgs): TabDefaults {
  const given = args.value('m') ?? config.ai.default_model;
  const mode = args.value('mode') ?? config.agent.mode;
  const known = MODES.find(one => one === mode);
  if (!known) throw new CodedError('usage', `chat: '${mode}' is no mode`, `one of ${MODES.join(', ')}`);
  return {
    model: given ? unknownModel(given) : NO_MODEL,
    role: args.value('r') ?? config.agent.default_role,
    effort: '',
    mode: known,
  };
}

function openTabs(given: {
  readonly context: AppContext;
  readonly user: string;
  readonly args: ParsedArgs;
  readonly drafts: Drafts;
  readonly terminal: string;
  readonly defaults: TabDefaults;
  readonly history: readonly string[];
}): { readonly tabs: readonly Tab[]; readonly active: number } {
  const { context, user, args, drafts, terminal, defaults, history } = given;
  const restored = (chat: string): Tab => restoredTab({ chat, title: '', drafts, defaults, history });
  const attachments = args.rest.map((path): Attachment => {
    // Told now, while it can be mended.
    fileMessage(path, context.cwd);
    return { name: path, text: '', path };
  });
  const withFiles = (tab: Tab): Tab => ({ ...tab, attachments: [...tab.attachments, ...attachments] });
  const chat = args.value('chat');
  if (chat !== undefined) {
    const name = chatNamed(user, chat);
    rememberChat(context, name);
    return { tabs: [withFiles({ ...restored(name), key: 0 })], active: 0 };
  }
  if (!args.has('resume'))
    return { tabs: [withFiles(newTab(0, newChat(user), defaults, history))], active: 0 };
  const last = lastChat(context);
  const kept = drafts.readTabs(terminal) ?? (last === undefined ? undefined : { chats: [last], active: 0 });
  if (!kept)
    throw new CodedError('not_found', 'chat: this terminal has no chat yet', "'mux chat' begins one");
  const tabs = kept.chats.map((name, key) => ({ ...restored(name), key }));
  return { tabs: tabs.with(kept.active, withFiles(tabs[kept.active]!)), active: kept.active };
}
