/**
 * `search_lores`, `propose_lore` and `remember`: what the people of a project want agents to know, and what agents propose to
 * add to it. Nothing is kept that nobody was asked about.
 */
import { noteOf } from '../../agent/notes.ts';
import type { Preview, Tool } from '../../agent/tool.ts';
import { CodedError } from '../../base/errors.ts';
import { visible } from '../../base/visible.ts';
import type { ToolMethods } from '../contract.ts';
import { code } from '../markdown.ts';
import { told } from '../outcome.ts';
import { protoTool } from '../proto-tool.ts';

/** A lore that was found. */
export interface LoreFound {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Where the whole of it is, for `read_files`. */
  readonly path: string;
  readonly snippets: readonly string[];
  readonly matchCount: number;
}

/** A lore that is proposed. */
export interface ProposedLore {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly content: string;
}

/** The lores of the graph here. */
export interface Lores {
  /** All that match, the best first. Throws CodedError. */
  search(query: string): Promise<readonly LoreFound[]>;
  /** The file that it would be, as text; nothing is written. Throws CodedError where it cannot be one. */
  draft(lore: ProposedLore): Promise<{ readonly path: string; readonly text: string }>;
  /** Writes it, and only where no such file is. Throws CodedError. */
  keep(lore: ProposedLore): Promise<string>;
}

/** Facts about a project for later conversations. */
export interface Memory {
  /** Throws CodedError. */
  keep(key: string, value: string): Promise<void>;
}

/** Lores of an answer where the model does not say, and at most. */
const HITS = 10;
const HITS_MAX = 50;
/** UTF-16 units of a lore: more is a document. */
const LORE_MAX = 64 * 1024;

/** `search_lores` and `propose_lore`. */
export function loreTools(methods: ToolMethods, lores: Lores): Tool[] {
  return [searchTool(methods, lores), proposeTool(methods, lores)];
}

function searchTool(methods: ToolMethods, lores: Lores): Tool {
  // What the model has seen in this conversation is not told again in full.
  const seen = new Set<string>();
  return protoTool<{ readonly query: string; readonly top_n?: number }>(methods, 'SearchLores', {
    preview: async ({ query }) => ({
      subject: { kind: 'words', words: [query], tier: 'read' },
      header: `searched lores for ${code(query)}`,
    }),
    async run({ query, top_n: top }) {
      const found = await lores.search(query);
      const fresh = found.filter(({ name }) => !seen.has(name));
      const shown = fresh.slice(0, Math.max(1, Math.min(top || HITS, HITS_MAX)));
      for (const { name } of shown) seen.add(name);
      const known = found.length - fresh.length;
      const rest = [
        ...(found.length === 0 ? [`no lore matches ${query}`] : []),
        ...(fresh.length > shown.length ? [`[… ${fresh.length - shown.length} more match]`] : []),
        ...(known > 0 ? [`[${known} that you have seen match, too]`] : []),
      ];
      return told([...shown.map(loreText), ...rest].join('\n\n'), {
        shown: shown.map(loreMarkdown).join('\n\n---\n\n'),
      });
    },
  });
}

function loreText({ name, title, description, labels, path, snippets }: LoreFound): string {
  const marks = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return [
    `${name}: ${title}`,
    ...(description ? [description] : []),
    ...(marks.length > 0 ? [`labels: ${marks.join(' ')}`] : []),
    `file: ${path}`,
    ...snippets.map(line => `> ${line}`),
  ].join('\n');
}

/** For people. What stands in a lore is shown as code, so that it cannot pass for something else. */
function loreMarkdown({ name, matchCount, description, snippets }: LoreFound): string {
  const count = `${matchCount} ${matchCount === 1 ? 'match' : 'matches'}`;
  return [
    `**${code(name)}** · ${count}`,
    ...(description ? [code(description)] : []),
    ...snippets.map(line => `> ${code(line)}`),
  ].join('\n\n');
}

function proposeTool(methods: ToolMethods, lores: Lores): Tool {
  return protoTool<ProposedLore>(methods, 'ProposeLore', {
    async preview(lore) {
      if (lore.content.trim() === '')
        throw new CodedError('usage', 'propose_lore: argument content: it is empty');
      if (lore.content.length > LORE_MAX)
        throw new CodedError(
          'usage',
          `propose_lore: argument content: it is longer than ${LORE_MAX} characters`,
        );
      const { path, text } = await lores.draft(lore);
      return {
        ...proposal(lore.name, `proposed lore ${code(lore.name)}`),
        diff: addedDiff(path, text),
        basis: path,
      };
    },
    run: async lore => told(`kept as ${await lores.keep(lore)}`),
  });
}

/** Elevated, so that it is asked about in every mode: what is kept is read by all who come later. */
function proposal(what: string, header: string): Preview {
  return { subject: { kind: 'words', words: [what], tier: 'elevated' }, header };
}

function addedDiff(path: string, text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  return `--- /dev/null\n+++ b/${visible(path)}\n@@ -0,0 +1,${lines.length} @@\n${lines.map(line => `+${line}\n`).join('')}`;
}

/** `remember`. */
export function memoryTool(methods: ToolMethods, memory: Memory): Tool {
  return protoTool<{ readonly key: string; readonly value: string }>(methods, 'Remember', {
    async preview({ key, value }) {
      const note = noteOf(key, value);
      return {
        ...proposal(note.key, `wants to remember ${code(note.key)}`),
        body: code(note.value),
      };
    },
    async run({ key, value }) {
      await memory.keep(key.trim(), value.trim());
      return told(`kept: ${key.trim()}`);
    },
  });
}
