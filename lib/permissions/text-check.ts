/**
 * Checks of a line's bare text, before any parser sees it. They only ever raise.
 */
import type { Tier } from './tier.ts';

/** Longest line that is parsed: what nobody can read before saying yes is elevated as it is. In UTF-16 units. */
export const LINE_MAX = 64 * 1024;

/** Controls but tab and newline, DEL and C1, halves of surrogate pairs. */
// oxlint-disable-next-line no-control-regex
const CONTROL =
  /[\0-\x08\x0b-\x1f\x7f-\x9f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
/** Blanks that are none to a shell, characters of no width, and those that turn the direction of text (UAX #9). */
const HIDDEN =
  /[\u00a0\u00ad\u061c\u115f\u1160\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff\uffa0\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}/u;

/** Emoji are made with characters that are not seen, which change nothing but how they look (UTS #51). */
const EMOJI =
  /[\p{Extended_Pictographic}#*\d]\ufe0f\u20e3?(?:\u200d(?=\p{Extended_Pictographic}))?|\p{Extended_Pictographic}\u200d(?=\p{Extended_Pictographic})/gu;

/** What of a text may hide what it does; undefined for nothing. */
export function hides(text: string): string | undefined {
  if (CONTROL.test(text)) return 'has control characters: what is seen is not what runs';
  return HIDDEN.test(text.replace(EMOJI, ''))
    ? 'has characters that are not seen, or that turn text around'
    : undefined;
}

/**
 * Substitutions that a line may hold and still be parsed: each may be within the one before, and parsers call themselves
 * for each and read what is within again. Nobody reads more before saying yes. A hundred cost a quarter of a second.
 */
const SUBSTITUTIONS_MAX = 100;

/** Whether a text holds more substitutions than are looked into. Not by depth: quotes would have to be known for that. */
export function isTooNested(text: string): boolean {
  return (text.match(/[$<>(]\(|`/g)?.length ?? 0) > SUBSTITUTIONS_MAX;
}

/** What is dangerous even in a text that cannot be parsed. Each runs in time linear in the text. */
const DANGERS: readonly RegExp[] = [
  /\brm\b\W{1,20}-{1,2}\w/,
  /\b(?:mkfs|wipefs|shred|rimraf|mke2fs)\b/,
  /\bdd\b[^\n]{0,200}\bof=/,
  /\breset\b[^\n;|&]{0,80}--hard/,
  /\bpush\b[^\n;|&]{0,80}(?:--force|\s-f\b|--delete|--mirror)/,
  /\bclean\b\s{1,8}-\w{0,8}f/,
  /-delete\b/,
  /\b(?:drop\s{1,8}(?:table|database|schema)|truncate\s{1,8}\w)/i,
  /\/dev\/(?:sd|hd|vd|nvme|mmcblk|disk)\w/,
  /\b(?:unlink|rmtree|rmdir)\b/,
];

/** The tier of a text that no parser can read: never below elevated. */
export function unreadTier(text: string): Tier {
  return DANGERS.some(pattern => pattern.test(text)) ? 'destructive' : 'elevated';
}
