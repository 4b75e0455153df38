/**
 * The tools of a conversation as a request to the service has them: those of sets in their sets, so that models are told of
 * them only when they ask (the service does that), and all others one by one.
 */
import type { Message, Tool as WireTool, ToolSet } from '../ai/wire.ts';

/** Annotations by which the service and its clients speak of sets. */
const PREFIX = 'ai-engine.malonaz.com/';
const SET = `${PREFIX}tool-set-name`;
const TYPE = `${PREFIX}tool-type`;
const DISCOVERED = `${PREFIX}discovered-tools`;

/** The fields of a generate request that tell of tools. */
export interface Offered {
  readonly tools: readonly WireTool[];
  readonly tool_sets: readonly ToolSet[];
}

/**
 * Puts the tools of a box into a request.
 *
 * A history with discoveries of a set that is not sent is refused by services, and with it every later turn. So a set that was
 * switched off, or whose host is gone, goes on being sent, empty: what was found of it cannot be called, and the chat lives.
 *
 * @param history what results of discoveries are looked for in
 */
export function offerOf(tools: readonly WireTool[], history: readonly Message[]): Offered {
  const sets = new Map<string, { discovery?: WireTool; tools: WireTool[] }>();
  const plain: WireTool[] = [];
  for (const tool of tools) {
    const name = tool.annotations?.[SET];
    if (name === undefined) {
      plain.push(tool);
      continue;
    }
    const set = sets.get(name) ?? { tools: [] };
    sets.set(name, set);
    if (tool.annotations?.[TYPE] === 'discovery') set.discovery = tool;
    else set.tools.push(tool);
  }
  for (const name of referencedSets(history)) if (!sets.has(name)) sets.set(name, { tools: [] });
  return {
    tools: plain,
    tool_sets: [...sets].map(([name, { discovery, tools: own }]) => ({
      name,
      ...(discovery ? { discovery_tool: discovery } : {}),
      tools: own,
    })),
  };
}

/** Names of the sets of which tools were found. */
export function referencedSets(history: readonly Message[]): string[] {
  const results = history.flatMap(({ blocks = [] }) =>
    blocks.flatMap(({ tool_result, tool_call }) =>
      [tool_result, tool_call?.result].filter(one => one !== undefined),
    ),
  );
  const names = results.flatMap(({ annotations = {} }) =>
    annotations[DISCOVERED] !== undefined && annotations[SET] !== undefined ? [annotations[SET]] : [],
  );
  return [...new Set(names)];
}
