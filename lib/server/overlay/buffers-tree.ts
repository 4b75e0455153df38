/**
 * The paste buffers as a whole screen, each previewed.
 */
import type { Size } from '../../base/geometry.ts';
import { visible } from '../../base/visible.ts';
import type { Buffers, PasteBuffer } from '../../cmd/buffers.ts';
import { bufferSample } from '../../cmd/variables.ts';
import type { TreeItem, TreeKind } from '../../mode/tree.ts';
import type { TreePreview } from './tree.ts';

export const BUFFERS_TREE: TreeKind = {
  title: 'Paste buffers',
  empty: 'nothing has been copied yet: q closes',
  acts: ['paste', 'delete', 'command'],
  orders: ['time', 'name', 'size'],
};

const SORTS: Readonly<Record<string, (a: PasteBuffer, b: PasteBuffer) => number>> = {
  name: (a, b) => a.name.localeCompare(b.name, 'en'),
  size: (a, b) => b.data.length - a.data.length,
};

/** Bytes that are searched by the filter: it looks at no more of a text. */
const SEARCHED = 300;
/** Bytes a preview can hold at most: a character a cell on the largest screen, four bytes each. */
const PREVIEWED = 64 * 1024;

/** Items in an order of BUFFERS_TREE. */
export function bufferItems(buffers: Buffers, order: string): readonly TreeItem[] {
  return buffers
    .all()
    .toSorted(SORTS[order] ?? (() => 0))
    .map(buffer => ({
      id: buffer.name,
      parent: '',
      mark: [],
      text: `${buffer.name}  ${bufferSample(buffer)}`,
      note: size(buffer.data.length),
      keywords: Buffer.from(buffer.data.subarray(0, SEARCHED)).toString().replace(/\s+/g, ' '),
    }));
}

/** `312`, `4.1 k`, `1.0 M` */
function size(bytes: number): string {
  if (bytes < 1000) return `${bytes}`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} k` : `${(bytes / 1_000_000).toFixed(1)} M`;
}

/** The beginning of a buffer, line by line. */
export function bufferPreview(buffers: Buffers, item: TreeItem, { rows }: Size): TreePreview {
  const buffer = buffers.get(item.id);
  if (!buffer) return { title: '', lines: [] };
  const text = Buffer.from(buffer.data.subarray(0, PREVIEWED)).toString();
  const lines = text.split(/\r\n?|\n/).slice(0, Math.max(1, rows));
  return {
    title: buffer.name,
    lines: lines.map(line => [{ text: visible(line.replaceAll('\t', '    ')) }]),
  };
}

/** Names what would be lost. */
export function deleteText(names: readonly string[]): string {
  return names.length === 1 ? `Delete the buffer ${visible(names[0]!)}?` : `Delete ${names.length} buffers?`;
}
