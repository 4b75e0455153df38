/**
 * How large a picture sent by OSC 1337 is: `File=key=value;…:base64`. Source: iTerm2 "Inline Images Protocol".
 */
import { CELL } from './cell-size.ts';
import type { Picture } from './image.ts';
import { pngSize } from './kitty-graphics.ts';

/** Characters of payload that matter: the keys, and as much data as a PNG needs to tell its size. */
export const ITERM_KEPT = 1024;

/** Cells or pixels that `text` asks for: `N` cells, `Npx`; undefined for the picture's own size, or a share of the pane. */
function side(
  text: string | undefined,
): { readonly cells: number } | { readonly pixels: number } | undefined {
  const match = /^(\d{1,5})(px)?$/.exec(text ?? '');
  if (!match) return undefined;
  return match[2] ? { pixels: Number(match[1]) } : { cells: Number(match[1]) };
}

/** The picture that the payload of an OSC 1337 is to show; undefined for anything else, also of unknown size. */
export function itermPicture(payload: string): Picture | undefined {
  const match = /^(?:File|MultipartFile)=([^:]*):?(.*)$/s.exec(payload);
  if (!match) return undefined;
  const keys = new Map(match[1]!.split(';').map(pair => pair.split('=', 2) as [string, string]));
  if (keys.get('inline') !== '1') return undefined;
  const own = pngSize(match[2]!) ?? { width: 0, height: 0 };
  const sides = { width: side(keys.get('width')), height: side(keys.get('height')) };
  const cells = (name: 'width' | 'height'): number => {
    const wanted = sides[name];
    if (!wanted) return 0;
    return 'cells' in wanted ? wanted.cells : Math.ceil(wanted.pixels / CELL[name]);
  };
  const picture: Picture = { ...own, cols: cells('width'), rows: cells('height'), cursor: 'behind' };
  // Of a picture whose size is not told a single cell is shown: it is there, however large.
  return {
    ...picture,
    cols: picture.cols || (own.width > 0 ? 0 : 1),
    rows: picture.rows || (own.height > 0 ? 0 : 1),
  };
}
