/** What servers answer, as a model gets it. Every field is the server's word and may be anything. */
import { toValue } from '../../ai/values.ts';
import type { Json } from '../../ai/provider.ts';
import { OUTCOME_MAX, type Outcome } from '../../agent/tool.ts';
import { isDeeper } from '../shown-arguments.ts';
import { isObject } from './schema.ts';
import { failed, told, withoutMiddle } from '../outcome.ts';
import { cutText } from '../text.ts';

/** Blocks of one answer that are looked at. */
const BLOCKS_MAX = 1000;
/** Levels of a structured answer: beyond, it is given as the text that came with it. */
const DEPTH_MAX = 32;
/** Characters of a name or an address that is told. */
const NAME_MAX = 500;

/** The outcome of `tools/call` (MCP, tools: results). */
export function toolOutcome(result: Readonly<Record<string, unknown>>): Outcome {
  const text = blocksText(result.content);
  const structured = structuredOf(result.structuredContent);
  const content = text === '' && structured !== undefined ? JSON.stringify(structured) : text;
  const value = structured === undefined ? {} : { structured: toValue(structured) };
  return told(content, { ...value, isError: result.isError === true });
}

/** The outcome of `resources/read`. */
export function resourceOutcome(result: Readonly<Record<string, unknown>>): Outcome {
  const contents = Array.isArray(result.contents) ? result.contents.slice(0, BLOCKS_MAX) : [];
  const text = contents.map(resourceText).join('\n\n');
  return contents.length === 0 ? failed('the resource is empty') : told(text);
}

/** The text of `prompts/get`: its messages, each under who says it. */
export function promptText(result: Readonly<Record<string, unknown>>): string {
  const messages = Array.isArray(result.messages) ? result.messages.slice(0, BLOCKS_MAX) : [];
  const texts = messages.filter(isObject).map(({ role, content }) => {
    const text = blocksText(Array.isArray(content) ? content : [content]);
    return messages.length === 1 ? text : `${role === 'assistant' ? 'assistant' : 'user'}:\n${text}`;
  });
  return withoutMiddle(texts.join('\n\n'));
}

function blocksText(content: unknown): string {
  if (!Array.isArray(content)) return '';
  const shown = content.slice(0, BLOCKS_MAX).map(blockText);
  if (content.length > BLOCKS_MAX) shown.push(`[${content.length - BLOCKS_MAX} more parts left out]`);
  return shown.join('\n');
}

/** How a block of each type is told. What is no text is named, with its size. */
const BLOCKS: Readonly<Record<string, (block: Readonly<Record<string, unknown>>) => string>> = {
  text: ({ text }) => word(text, Number.MAX_SAFE_INTEGER),
  image: data('picture'),
  audio: data('sound'),
  resource: ({ resource }) => resourceText(resource),
  resource_link: ({ uri, name, description }) =>
    ['[resource', word(uri), word(name), word(description)].filter(Boolean).join(' ') + ']',
};

function blockText(block: unknown): string {
  if (!isObject(block)) return '';
  const type = word(block.type);
  return Object.hasOwn(BLOCKS, type) ? BLOCKS[type]!(block) : `[${type || 'part'} that is not shown]`;
}

function data(what: string): (block: Readonly<Record<string, unknown>>) => string {
  return ({ mimeType, data: bytes }) => `[${what} ${word(mimeType)}, ${base64Bytes(bytes)} bytes]`;
}

function resourceText(resource: unknown): string {
  if (!isObject(resource)) return '';
  const { uri, mimeType, text, blob } = resource;
  if (typeof text === 'string') return `[resource ${word(uri)}]\n${text}`;
  return `[resource ${word(uri)} ${word(mimeType)}, ${base64Bytes(blob)} bytes]`;
}

function word(value: unknown, max = NAME_MAX): string {
  return typeof value === 'string' ? cutText(value, max) : '';
}

function base64Bytes(value: unknown): number {
  return typeof value === 'string' ? Math.floor((value.length * 3) / 4) : 0;
}

/** A structured answer that is small and flat enough to be kept as one; undefined for every other. */
function structuredOf(value: unknown): Json | undefined {
  if (!isObject(value) || isDeeper(value, DEPTH_MAX)) return undefined;
  return JSON.stringify(value).length <= OUTCOME_MAX ? (value as Json) : undefined;
}
