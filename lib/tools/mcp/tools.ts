/**
 * What a server has, as tools. Whatever a server says of them (MCP, tools: annotations), they are of the tier write: such words
 * are hints by the protocol itself, and a server that means harm would say `readOnlyHint`. Only the person's own rules allow
 * one without a question.
 */
import { createHash } from 'node:crypto';
import type { Arguments, CallContext, Outcome, Preview, Tool } from '../../agent/tool.ts';
import { CodedError } from '../../base/errors.ts';
import { revealed } from '../../base/visible.ts';
import type { Schema } from '../../ai/wire.ts';
import { promptText, resourceOutcome, toolOutcome } from './content.ts';
import type { ListedTool, Listing } from './listing.ts';
import { toolName } from './names.ts';
import type { McpServer } from './server.ts';
import { failed, failedBy } from '../outcome.ts';
import { argumentsBlock, checkSize, wordsOf } from '../shown-arguments.ts';
import { cutText } from '../text.ts';

/** Characters of a server's name for a tool in a line. */
const HEADER_MAX = 200;
/** The same where it stands beside ours, which it is to be told apart from. */
const TOLD_NAME_MAX = 60;
/** Resources and prompts that the description of a tool tells of; the rest are found by listing. */
const TOLD_MAX = 20;

/** Annotations of tools from MCP servers. */
const KEYS = { handler: 'sgpt.com/tool-handler-id', server: 'mux/mcp-server', tool: 'mux/mcp-tool' } as const;

/** The tools of one server, and which of them had to be called otherwise than the server does. */
export interface ServerTools {
  readonly tools: readonly Tool[];
  readonly renamed: readonly string[];
}

/** What a tool of ours does with a server. */
interface Action {
  /** The server's own name for it. */
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  readonly tier: 'read' | 'write';
  run(args: Arguments, context: CallContext): Promise<Outcome>;
}

/** Tools of what a server listed, in its order, then those by which its resources and prompts are reached. */
export function serverTools(server: McpServer, prefix: string): ServerTools {
  const { listing } = server;
  const actions = [
    ...listing.tools.map(tool => callAction(server, tool)),
    ...resourceActions(server, listing),
    ...promptActions(server, listing),
  ];
  const taken = new Set<string>();
  const renamed: string[] = [];
  const tools = actions.map(action => {
    const name = toolName(prefix, action.name, taken);
    taken.add(name);
    if (name !== prefix + action.name)
      renamed.push(`tool ${cutText(revealed(action.name), TOLD_NAME_MAX)} is called ${name}`);
    return asTool(server, action, name);
  });
  return { tools, renamed };
}

function callAction(server: McpServer, { name, description, schema }: ListedTool): Action {
  return {
    name,
    description,
    schema,
    tier: 'write',
    run: async (args, context) =>
      toolOutcome(await server.ask({ method: 'tools/call', params: { name, arguments: args }, ...context })),
  };
}

function resourceActions(server: McpServer, { resources }: Listing): Action[] {
  if (resources.length === 0) return [];
  const lines = resources.map(({ uri, isTemplate, name, description }) =>
    [isTemplate ? `${uri} (template)` : uri, name, description].filter(Boolean).join(' · '),
  );
  return [
    listAction('list_resources', `Lists the resources of ${server.name}.`, lines),
    {
      name: 'read_resource',
      description: `Reads a resource of ${server.name}. Some of them:\n${lines.slice(0, TOLD_MAX).join('\n')}`,
      schema: objectSchema({ uri: { type: 'string', description: 'Address of the resource' } }, ['uri']),
      tier: 'write',
      run: async (args, context) =>
        resourceOutcome(
          await server.ask({ method: 'resources/read', params: { uri: args.uri }, ...context }),
        ),
    },
  ];
}

function promptActions(server: McpServer, { prompts }: Listing): Action[] {
  if (prompts.length === 0) return [];
  const lines = prompts.map(({ name, description, arguments: given }) => {
    const words = given.map(one => (one.isRequired ? one.name : `[${one.name}]`));
    return [[name, ...words].join(' '), description].filter(Boolean).join(' · ');
  });
  return [
    listAction('list_prompts', `Lists the prompts of ${server.name}.`, lines),
    {
      name: 'get_prompt',
      description: `Fills in a prompt of ${server.name}. Some of them:\n${lines.slice(0, TOLD_MAX).join('\n')}`,
      schema: objectSchema(
        {
          name: { type: 'string', description: 'Name of the prompt' },
          arguments: {
            type: 'object',
            description: 'Its arguments by name',
            additional_properties: { type: 'string' },
          },
        },
        ['name'],
      ),
      tier: 'write',
      run: async (args, context) => {
        const params = {
          name: args.name,
          ...(args.arguments === undefined ? {} : { arguments: args.arguments }),
        };
        const content = promptText(await server.ask({ method: 'prompts/get', params, ...context }));
        return { content, isError: false };
      },
    },
  ];
}

/** What was listed already: no word goes to the server. */
function listAction(name: string, description: string, lines: readonly string[]): Action {
  return {
    name,
    description,
    schema: objectSchema({}, []),
    tier: 'read',
    run: async () => toolOutcome({ content: [{ type: 'text', text: lines.join('\n') }] }),
  };
}

function objectSchema(properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema {
  return { type: 'object', properties, required };
}

function asTool(server: McpServer, action: Action, name: string): Tool {
  const annotations = { [KEYS.handler]: 'mcp', [KEYS.server]: server.name, [KEYS.tool]: action.name };
  const wire = { name, description: action.description, json_schema: action.schema, annotations };
  // What a server says a tool is may change after it was allowed.
  const basis = createHash('sha256').update(JSON.stringify(wire)).digest('hex');
  return {
    wire,
    isReadOnly: action.tier === 'read',
    preview: async args => previewOf(server, action, name, basis, args),
    run: async (args, preview, context) => {
      if (preview.basis !== basis) return failed(`${name}: the server changed what it is; look again`);
      try {
        return await action.run(args, context);
      } catch (error) {
        return failedBy(error);
      }
    },
  };
}

function previewOf(server: McpServer, action: Action, name: string, basis: string, args: Arguments): Preview {
  checkSize(name, args);
  const missing = (action.schema.required ?? []).filter(key => args[key] === undefined);
  if (missing.length > 0) throw new CodedError('usage', `${name}: ${missing.join(', ')}: missing`);
  const header = `${server.name}: ${cutText(revealed(action.name), HEADER_MAX)}`;
  const body = argumentsBlock(args);
  const subject = { kind: 'words', words: wordsOf(args), tier: action.tier } as const;
  return { subject, header, basis, ...(body === undefined ? {} : { body }) };
}
