/** Pictures of messages as files: a terminal shows their names. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseMessage } from '../../ai/names.ts';
import type { Message } from '../../ai/wire.ts';
import { toCoded } from '../../base/errors.ts';
import { writeAtomicSync } from '../../store/atomic.ts';
import type { AppContext } from '../context.ts';
import type { PictureFile } from './chat-text.ts';

const FOLDER = 'pictures';
/** Endings by media type, of what models make. */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** Writes pictures below the data folder when they are first asked for. One that cannot be written is told, and has no name. */
export function pictureFiles({ paths }: AppContext): PictureFile {
  return (message, index) => {
    const { data, media_type = '' } = message.blocks?.[index]?.image ?? {};
    const path = data && join(paths.data, FOLDER, fileName(message, index, media_type));
    if (!path) return '';
    try {
      if (statSync(path, { throwIfNoEntry: false })?.size === data.length) return path;
      mkdirSync(join(paths.data, FOLDER), { recursive: true, mode: 0o700 });
      writeAtomicSync(path, data);
      return path;
    } catch (error) {
      console.error(`mux: a picture could not be written: ${toCoded(error).message}`);
      return '';
    }
  };
}

/** Of nothing but letters, digits and hyphens, whoever made the ids. */
function fileName({ name = '' }: Message, index: number, type: string): string {
  const { chat = '', id = '' } = parseMessage(name) ?? {};
  const ending = Object.hasOwn(ENDINGS, type) ? ENDINGS[type] : 'picture';
  const parts = [chat.replace(/^.*\//, ''), id, String(index)].map(part => part.replace(/[^\w-]/g, '_'));
  return `${parts.join('-')}.${ending}`;
}
