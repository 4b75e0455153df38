/**
 * New roles and lores: where their files go, and what stands in them at the beginning.
 */
import { CodedError } from '../base/errors.ts';
import { HOLDER, LORE_DIR } from './address.ts';
import { printable, quote } from './printable.ts';
import { canonical, parseSelector } from './selector.ts';

/** A file to be made, and what it is called afterwards. */
export interface NewArtifact {
  /** Relative to the graph root, with '/'. */
  readonly file: string;
  readonly selector: string;
  readonly text: string;
}

/** Bytes of a file's name on every common file system. */
const MAX_NAME = 255;

/** The settings of a new graph, as a person would begin to write them. */
export function newConfig(title: string): string {
  return [
    '{',
    '  // What this repository is, in a line.',
    `  "title": ${JSON.stringify(title)},`,
    '  // Other graphs whose roles and lores are used here: @shared//title',
    '  // "imports": [{ "name": "shared", "path": "~/shared" }],',
    '  // Folders without roles, beside what .gitignore says.',
    '  // "ignore": ["generated/"],',
    '}',
    '',
  ].join('\n');
}

/** A new role. @throws CodedError usage where `text` is no place for one in the graph's own repository */
export function newRole(text: string): NewArtifact {
  const selector = parseSelector(text);
  if ('reason' in selector)
    throw new CodedError('usage', `role ${printable(text)}: ${selector.reason}`, selector.hint);
  const { importName, form, dir, title } = selector;
  if (importName !== '')
    throw new CodedError('usage', `role ${printable(text)}: it is not this repository's`, 'make it there');
  if (form === 'short' && title.includes('/'))
    throw new CodedError(
      'usage',
      `role ${printable(text)}: it names a folder and no role`,
      `write ${printable(text)}:TITLE`,
    );
  checkParts('role', text, [...dir.split('/').filter(Boolean), title], '.role.md');
  const folder = dir === '' ? HOLDER : `${dir}/${HOLDER}`;
  return {
    file: `${folder}/${title}.role.md`,
    selector: canonical(dir, title),
    text: 'What an agent in this role is to know and to do.\n',
  };
}

/** What a new lore begins with. */
export interface LoreFields {
  /** '' for the last part of its name. */
  readonly title: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A new lore. @throws CodedError usage where `text` is no name of a lore in the graph's own repository */
export function newLore(text: string, { title, labels }: LoreFields): NewArtifact {
  const name = loreName(text);
  const written = Object.entries(labels).map(([key, value]) => `    ${yamlText(key)}: ${yamlText(value)}`);
  const front = [
    `title: ${yamlText(title || name.slice(name.lastIndexOf('/') + 1))}`,
    'description: ""',
    ...(written.length > 0 ? ['labels:', ...written] : []),
  ];
  return { file: `${HOLDER}/${name}.md`, selector: name, text: ['---', ...front, '---', '', ''].join('\n') };
}

/** The one spelling of a lore's name, `lores/path`. @throws CodedError usage for what leaves the folder of the lores */
export function loreName(text: string): string {
  if (text.startsWith('@'))
    throw new CodedError('usage', `lore ${printable(text)}: it is not this repository's`, 'make it there');
  const path = text.replace(/^lores\//, '').replace(/\.md$/, '');
  checkParts('lore', text, path.split('/'), '.md');
  if (/[#|[\]]/.test(path))
    throw new CodedError('usage', `lore ${printable(text)}: no link can name it`, 'leave out # | [ and ]');
  return `lores/${path}`;
}

function checkParts(kind: string, text: string, parts: readonly string[], suffix: string): void {
  const wrong = (reason: string): CodedError =>
    new CodedError('usage', `${kind} ${printable(text)}: ${reason}`, 'write it like db/locks');
  for (const part of parts) {
    if (part === '' || part === '.' || part === '..')
      throw wrong(`it does not lead to a place in ${kind === 'lore' ? LORE_DIR : 'the graph'}`);
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    if (/[\x00-\x1f\x7f:\\]/.test(part)) throw wrong(`${quote(part)} is no name of a file`);
    if (new TextEncoder().encode(part + suffix).length > MAX_NAME) throw wrong('a part of it is too long');
  }
  if (kind === 'lore' && parts.some(part => part.startsWith('.')))
    throw wrong('a part of it starts with a dot');
}

/** JSON's strings are YAML's double-quoted ones; what can stand without quotes does. */
function yamlText(text: string): string {
  const isPlain = /^[\p{L}_][\p{L}\p{N} _/.-]*$/u.test(text) && text.trim() === text;
  return isPlain && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text);
}
