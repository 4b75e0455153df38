/**
 * Whether an agent's prompt is empty, as far as its screen tells. Where it cannot be told it counts as a draft: nothing
 * may be typed into what a person has begun.
 */

/** What is drawn left of a prompt's mark, and around it. */
const FRAME = '[\\s│┃|▌▏╎]*';
/** A prompt's mark and what stands behind it. */
const PROMPT = new RegExp(`^${FRAME}(?:\\w[\\w-]{0,12} ?)?[>❯›»→](?:\\s(.*))?$`);
/** Nothing but the edge of a box, or the rule below a prompt. */
const EMPTY = /^[\s\u2500-\u259f|]*$/;
/** Rows from the end of a screen in which prompts stand: below them are hints and a status line. */
const WITHIN = 12;

/**
 * Whether the prompt that stands last on a screen has nothing in it.
 * @param rows of the screen from top to bottom, without what is shown faintly: programs suggest in it what could be typed
 * @param cursor row of the cursor; undefined where it is hidden, as it is by programs that draw their own
 */
export function isPromptEmpty(rows: readonly string[], cursor: number | undefined): boolean {
  const last = rows.findLastIndex(row => row.trim() !== '');
  const from = Math.max(0, last - WITHIN + 1);
  const at = rows.findLastIndex((row, y) => y >= from && PROMPT.test(row.trimEnd()));
  if (at < 0) return false;
  // A cursor elsewhere is in something else: a menu, a search, a further row of the draft.
  if (cursor !== undefined && cursor !== at) return false;
  const text = PROMPT.exec(rows[at]!.trimEnd())?.[1] ?? '';
  return EMPTY.test(text) && EMPTY.test(rows[at + 1] ?? '');
}
