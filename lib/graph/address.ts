/**
 * Where artifacts live and how they are called: a file's place alone decides its kind and its selector.
 */
import { basename, dirname } from 'node:path/posix';

/** The marker of a graph root, and its settings. */
export const CONFIG_FILE = '.sgpt.json';
/** A person's own settings beside the shared ones, which they beat: not for the repository. */
export const LOCAL_CONFIG_FILE = '.sgpt.local.json';
/** The folder that holds artifacts. */
export const HOLDER = '.sgpt';
/** Folder of the lores; only the root's counts. */
export const LORE_DIR = `${HOLDER}/lores`;

/** Kinds of artifact. */
export type ArtifactKind = 'role' | 'toolset' | 'lore';

/** What a file's path says about it. */
export interface Address {
  readonly kind: ArtifactKind;
  /** `//dir:title`, at the root `//title`; lores `lores/path`. */
  readonly selector: string;
  readonly title: string;
}

const ROLE_SUFFIX = '.role.md';
const TOOL_SET_SUFFIX = '.toolset';
const LORE_SUFFIX = '.md';

/** The address of a file by its path relative to the root, or undefined where the file is no artifact. */
export function addressOf(file: string): Address | undefined {
  if (file.startsWith(`${LORE_DIR}/`)) return loreAddress(file);
  const holder = dirname(file);
  if (basename(holder) !== HOLDER) return undefined;
  const dir = dirname(holder);
  const name = basename(file);
  if (name.endsWith(ROLE_SUFFIX)) return artifactAddress('role', dir, name.slice(0, -ROLE_SUFFIX.length));
  if (name.endsWith(TOOL_SET_SUFFIX))
    return artifactAddress('toolset', dir, name.slice(0, -TOOL_SET_SUFFIX.length));
  return undefined;
}

function artifactAddress(kind: ArtifactKind, dir: string, title: string): Address | undefined {
  if (title === '') return undefined;
  return { kind, title, selector: dir === '.' ? `//${title}` : `//${dir}:${title}` };
}

function loreAddress(file: string): Address | undefined {
  if (!file.endsWith(LORE_SUFFIX)) return undefined;
  const selector = file.slice(HOLDER.length + 1, -LORE_SUFFIX.length);
  const title = basename(selector);
  return title === '' || selector.endsWith('/') ? undefined : { kind: 'lore', selector, title };
}

/** The directory part of a canonical selector, '' at the root. */
export function directoryOf(selector: string): string {
  const colon = selector.lastIndexOf(':');
  return colon < 0 ? '' : selector.slice(2, colon);
}
