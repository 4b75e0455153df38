/**
 * Side tables of a frame: texts of clusters and extended attributes, each behind a small number, so that two cells
 * that look alike are equal word by word.
 *
 * Programs choose what goes in, so both tables are bounded; see `FrameTables.tidy`.
 */
import { cellWidth, codepointWidth } from '../base/text.ts';
import { COLOR, CONTENT, UNDERLINE } from '../term/cell.ts';
import type { Extended } from '../term/cell.ts';

/**
 * Entries after which the tables are emptied before the next frame. A screen of ordinary text holds some hundred
 * clusters and some dozen links, so in practice this is never reached; it keeps a table of the longest clusters at 2 MiB.
 */
const TIDY_ENTRIES = 16_384;
/**
 * Entries a table never exceeds, even within one frame: the rest is shown without. 49,152 more than TIDY_ENTRIES,
 * so that a 400x100 screen (40,000 cells) of nothing but different clusters still fits.
 */
const MAX_ENTRIES = 65_536;
/** UTF-16 units of link text after which the tables are emptied before the next frame: 1 Mi, twenty thousand links. */
const TIDY_TEXT = 1 << 20;
/** Units of link text never exceeded: further links of the frame are dropped. */
const MAX_TEXT = 4 << 20;
/** UTF-16 units of one cluster that are shown: two for each of the 31 code points that an emulator puts into a cell. */
const MAX_CLUSTER = 62;
/** Longest link and link id that terminals take (OSC 8 specification, VTE: 2083 and 250 bytes). */
const MAX_LINK = 2083;
const MAX_LINK_ID = 250;

/**
 * What must not reach a terminal from inside a cell: C0, C1, line separators, bidirectional overrides and isolates
 * (UAX #9; they would reorder the rest of the row), lone surrogates.
 */
const HARMFUL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\p{Cs}]/u;
const HARMFUL_ALL = new RegExp(HARMFUL, 'gu');

/** Whether a code point may reach a terminal from inside a cell: none of HARMFUL. */
export function isHarmless(codepoint: number): boolean {
  if (codepoint < 0x20 || codepoint > 0x10ffff) return false;
  if (codepoint < 0x7f) return true;
  if (codepoint < 0xa0) return false;
  if (codepoint < 0x2028) return true;
  if (codepoint <= 0x202e || (codepoint >= 0x2066 && codepoint <= 0x2069)) return false;
  return codepoint < 0xd800 || codepoint > 0xdfff;
}

/**
 * Whether a code point may begin what stands in a cell. One without width of its own would be joined to the cell on the
 * left by one terminal and dropped by another.
 */
export function isPrintable(codepoint: number): boolean {
  return isHarmless(codepoint) && codepointWidth(codepoint) > 0;
}

/** `text` cut to at most `units` UTF-16 units, never within a surrogate pair. */
function cut(text: string, units: number): string {
  if (text.length <= units) return text;
  const last = text.charCodeAt(units - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units);
}

/** No link, own colour, no line: what id 0 stands for. */
const NO_EXTENDED: Extended = {
  underlineStyle: UNDERLINE.none,
  underlineColor: COLOR.default,
  link: '',
  linkId: '',
};

/**
 * The tables one frame and its renderer share. Ids are only comparable within one `generation`.
 */
export class FrameTables {
  /** Grows whenever ids lose their meaning. */
  generation = 0;
  readonly #clusterIds = new Map<string, number>();
  readonly #clusters: string[] = [];
  readonly #clusterWidths: number[] = [];
  readonly #extendedIds = new Map<string, number>();
  readonly #extended: Extended[] = [NO_EXTENDED];
  #text = 0;
  /** The last record asked for: cells of one link stand side by side. */
  #lastExtended: Extended = NO_EXTENDED;
  #lastId = 0;

  /**
   * Empties the tables if they have grown large, which makes every id held anywhere meaningless. To be called
   * between frames only.
   * @returns whether they were emptied
   */
  tidy(): boolean {
    const entries = Math.max(this.#clusters.length, this.#extended.length);
    if (entries < TIDY_ENTRIES && this.#text < TIDY_TEXT) return false;
    this.#clusterIds.clear();
    this.#clusters.length = 0;
    this.#clusterWidths.length = 0;
    this.#extendedIds.clear();
    this.#extended.length = 1;
    this.#text = 0;
    this.#lastExtended = NO_EXTENDED;
    this.#lastId = 0;
    this.generation++;
    return true;
  }

  /**
   * The content bits (no width) of a cell that shows `text`: a code point, or the cluster bit and an id. 0 when
   * nothing printable is left of it. Harmful characters are dropped, overlong clusters cut.
   */
  cluster(text: string): number {
    const known = this.#clusterIds.get(text);
    if (known !== undefined) return CONTENT.isCluster | known;
    const clean = cut(HARMFUL.test(text) ? text.replace(HARMFUL_ALL, '') : text, MAX_CLUSTER);
    const first = clean.codePointAt(0) ?? 0;
    if (!isPrintable(first)) return 0;
    if (clean === '' || clean.length === (first > 0xffff ? 2 : 1)) return first;
    const same = this.#clusterIds.get(clean);
    if (same !== undefined) return CONTENT.isCluster | same;
    if (this.#clusters.length >= MAX_ENTRIES) return first;
    const id = this.#clusters.push(clean) - 1;
    this.#clusterIds.set(clean, id);
    this.#clusterWidths.push(cellWidth(clean));
    return CONTENT.isCluster | id;
  }

  /** Cells that a terminal which measures as mux does gives to these content bits: 0 for none. */
  width(content: number): number {
    if (content & CONTENT.isCluster) return this.#clusterWidths[content & CONTENT.codepointMask] ?? 0;
    return content === 0 ? 0 : codepointWidth(content & CONTENT.codepointMask);
  }

  /** Text of a cell's content word whose cluster bit is set. */
  clusterText(content: number): string {
    return this.#clusters[content & CONTENT.codepointMask] ?? '';
  }

  /**
   * Id of a record; 0 for one that says nothing. Links that a terminal would refuse (control characters, too long)
   * are dropped.
   */
  extended(style: Extended['underlineStyle'], color: number, link: string, linkId: string): number {
    const last = this.#lastExtended;
    if (
      last.underlineStyle === style &&
      last.underlineColor === color &&
      last.link === link &&
      last.linkId === linkId
    )
      return this.#lastId;
    const id = this.#internExtended(style, color, link, linkId);
    this.#lastExtended = { underlineStyle: style, underlineColor: color, link, linkId };
    this.#lastId = id;
    return id;
  }

  /** The record behind an id. */
  extendedOf(id: number): Extended {
    return this.#extended[id] ?? NO_EXTENDED;
  }

  #internExtended(style: Extended['underlineStyle'], color: number, rawLink: string, rawId: string): number {
    const link = rawLink.length > MAX_LINK || HARMFUL.test(rawLink) ? '' : rawLink;
    const usableId =
      link !== '' && rawId.length <= MAX_LINK_ID && !HARMFUL.test(rawId) && !/[:;]/.test(rawId);
    const linkId = usableId ? rawId : '';
    if (style === UNDERLINE.none && color === COLOR.default && link === '') return 0;
    const key = `${style} ${color} ${linkId} ${link}`;
    const known = this.#extendedIds.get(key);
    if (known !== undefined) return known;
    if (this.#extended.length >= MAX_ENTRIES || this.#text + key.length > MAX_TEXT) return 0;
    const id = this.#extended.push({ underlineStyle: style, underlineColor: color, link, linkId }) - 1;
    this.#extendedIds.set(key, id);
    this.#text += key.length;
    return id;
  }
}
