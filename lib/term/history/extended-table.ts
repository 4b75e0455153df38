/**
 * The extended attributes of a chunk's cells, each once where equal ones stand close to each other.
 */
import { UNDERLINE } from '../cell.ts';
import type { Extended, UnderlineStyle } from '../cell.ts';
import type { ByteReader, ByteWriter } from '../checkpoint/bytes.ts';

/** Entries looked through for an equal one: a line that changes between a few styles still has each of them once. */
const LOOKED_AT = 4;

export class ExtendedTable {
  readonly #entries: Extended[] = [];

  /** A number for extended attributes; the last few are looked through, so a run of equal ones has one. */
  readonly number = (extended: Extended): number => {
    const entries = this.#entries;
    for (let i = entries.length - 1; i >= 0 && i >= entries.length - LOOKED_AT; i--)
      if (isSame(entries[i]!, extended)) return i;
    return entries.push(extended) - 1;
  };

  /** The attributes of a number that `number` gave. */
  at(number: number): Extended {
    return this.#entries[number]!;
  }

  save(to: ByteWriter): void {
    to.count(this.#entries.length);
    for (const { underlineStyle, underlineColor, link, linkId } of this.#entries) {
      to.byte(underlineStyle);
      to.word(underlineColor);
      to.shared(link);
      to.shared(linkId);
    }
  }

  /** The table that `save` has written. Throws a CheckpointError for what it has not. */
  static load(from: ByteReader): ExtendedTable {
    const table = new ExtendedTable();
    for (let left = from.count(from.left); left > 0; left--) {
      table.#entries.push({
        underlineStyle: from.count(UNDERLINE.dashed) as UnderlineStyle,
        underlineColor: from.word(),
        link: from.shared(),
        linkId: from.shared(),
      });
    }
    return table;
  }
}

function isSame(a: Extended, b: Extended): boolean {
  return (
    a.underlineStyle === b.underlineStyle &&
    a.underlineColor === b.underlineColor &&
    a.link === b.link &&
    a.linkId === b.linkId
  );
}
