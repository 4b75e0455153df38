/**
 * Inline tokens as styled runs. Text is made safe here: whatever would act on a terminal is shown instead.
 */
import type { Token, Tokens } from 'marked';
import type { Run } from '../base/styled.ts';
import { visible } from '../base/visible.ts';
import type { Style } from './wrap.ts';

/** What each kind of emphasis adds to the style around it. */
const EMPHASIS: Readonly<Record<string, Style>> = {
  strong: { bold: true },
  em: { italic: true },
  // Terminals' strikethrough is not among a run's attributes.
  del: { role: 'dim' },
};

/** The entities that people type; all others are shown as they stand. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** The runs of `tokens`; `\n` stands for a forced line break. */
export function inlineRuns(tokens: readonly Token[] | undefined, style: Style = {}): Run[] {
  return (tokens ?? []).flatMap(token => runsOf(token, style));
}

/** `text` with control characters made visible and tabs as spaces; newlines stay. */
export function safeText(text: string): string {
  return text.replace(/\t/g, '    ').split('\n').map(visible).join('\n');
}

function runsOf(token: Token, style: Style): Run[] {
  const emphasis = Object.hasOwn(EMPHASIS, token.type) ? EMPHASIS[token.type] : undefined;
  if (emphasis) return inlineRuns((token as Tokens.Strong).tokens, { ...style, ...emphasis });
  const render = Object.hasOwn(RENDERERS, token.type) ? RENDERERS[token.type] : undefined;
  return render ? render(token, style) : [run(token.raw, style)];
}

const RENDERERS: Readonly<Record<string, (token: Token, style: Style) => Run[]>> = {
  text(token, style) {
    const { tokens, text } = token as Tokens.Text;
    return tokens ? inlineRuns(tokens, style) : [run(prose(text), style)];
  },
  escape: (token, style) => [run(prose((token as Tokens.Escape).text), style)],
  br: (_token, style) => [{ text: '\n', ...style }],
  codespan: (token, style) => [
    run((token as Tokens.Codespan).text.replace(/\n/g, ' '), { ...style, role: 'accent' }),
  ],
  link: (token, style) => linkRuns(token as Tokens.Link, style),
  image: (token, style) => imageRuns(token as Tokens.Image, style),
  html: (token, style) => [run(token.raw.replace(/\n+$/, ''), { ...style, role: 'dim' })],
  // The mark of a task stands before its item.
  checkbox: () => [],
};

function linkRuns(link: Tokens.Link, style: Style): Run[] {
  const shown = inlineRuns(link.tokens, { ...style, underline: true });
  const text = shown.map(part => part.text).join('');
  const href = visible(link.href);
  if (href === '' || href === text || href === `mailto:${text}` || href === `http://${text}`) return shown;
  return [...shown, { text: ` (${href})`, ...style, role: 'dim' }];
}

function imageRuns(image: Tokens.Image, style: Style): Run[] {
  return [run(prose(image.text || image.href), { ...style, italic: true })];
}

function run(text: string, style: Style): Run {
  return { text: safeText(text), ...style };
}

/** Text of a paragraph: single newlines are spaces, entities are what they stand for. */
function prose(text: string): string {
  return text.replace(/\n/g, ' ').replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,5}));/g, decode);
}

function decode(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : entity;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  // CommonMark 6.2: zero and what is no code point become the replacement character.
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
