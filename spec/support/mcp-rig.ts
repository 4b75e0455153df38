/** MCP servers for specs: those of npm, and the one that breaks the protocol. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { CallContext, Outcome, Tool } from '../../lib/agent/tool.ts';
import { systemClock, type Clock } from '../../lib/base/clock.ts';
import { McpServers } from '../../lib/tools/mcp/servers.ts';
import type { McpEntry, McpPort } from '../../lib/tools/mcp/types.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SCOPE = join(ROOT, 'node_modules/@modelcontextprotocol');

/** Programs that node runs. */
export const PACKAGES = {
  everything: join(SCOPE, 'server-everything/dist/index.js'),
  filesystem: join(SCOPE, 'server-filesystem/dist/index.js'),
  hostile: join(import.meta.dirname, 'mcp-server.js'),
} as const;

export interface Rig {
  readonly servers: McpServers;
  readonly lines: string[];
  tools(): readonly Tool[];
  tool(name: string): Tool;
  context(given?: Partial<CallContext>): CallContext;
  /** Runs server-everything over HTTP; its port. */
  serveHttp(): Promise<number>;
}

type Entry = Omit<McpEntry, 'timeout'> & { timeout?: number };
interface Options {
  readonly port?: McpPort;
  readonly clock?: Clock;
  readonly env?: Readonly<Record<string, string>>;
  readonly onChange?: () => void;
}

const started: ChildProcess[] = [];

/** Ends what rigs have started beside their servers. */
export function endHttp(): void {
  for (const child of started.splice(0)) child.kill('SIGKILL');
}

/** An entry that runs the hostile server. */
export function hostile(mode: string, file = '', more: Partial<Entry> = {}): Entry {
  return { name: 'h', command: process.execPath, args: [PACKAGES.hostile, mode, file], ...more };
}

export function mcp(entries: readonly Entry[], { clock = systemClock, env, ...rest }: Options = {}): Rig {
  const lines: string[] = [];
  const servers = new McpServers({
    entries: entries.map(entry => ({ timeout: 60_000, ...entry })),
    env: env ?? process.env,
    cwd: ROOT,
    version: '0',
    clock,
    log: { log: (_, message) => void lines.push(message) },
    ...rest,
  });
  const tools = (): readonly Tool[] => servers.sources().flatMap(source => source.list());
  return {
    servers,
    lines,
    tools,
    tool: name => {
      const found = tools().find(({ wire }) => wire.name === name);
      if (!found)
        throw new Error(
          `no tool ${name} among ${tools()
            .map(({ wire }) => wire.name)
            .join(' ')}: ${lines.join('\n')}`,
        );
      return found;
    },
    context: contextOf,
    serveHttp,
  };
}

/** Looks at a call, and runs it. */
export async function call(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  given: Partial<CallContext> = {},
): Promise<Outcome> {
  const context = contextOf(given);
  return tool.run(args, await tool.preview(args, context), context);
}

function contextOf(given: Partial<CallContext> = {}): CallContext {
  return { id: '1', signal: new AbortController().signal, progress: () => undefined, ...given };
}

async function serveHttp(): Promise<number> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [PACKAGES.everything, 'streamableHttp'], { env, stdio: 'ignore' });
  started.push(child);
  await until('the server listens', () =>
    fetch(`http://127.0.0.1:${port}/mcp`).then(
      () => true,
      () => false,
    ),
  );
  return port;
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
