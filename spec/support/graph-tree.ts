/**
 * A large graph for the bench, the same at every run: what a monorepo with years of notes in it looks like.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How much of everything there is. */
export interface TreeSize {
  /** Directories besides those that hold artifacts. */
  readonly dirs: number;
  readonly lores: number;
  readonly roles: number;
}

/** Directories in one: as wide as a folder of services is. */
const FAN = 20;
/** Lores in one folder. */
const SHELF = 50;
/** Every so many lores a link to another one. */
const LINK_EVERY = 3;
const AREAS = ['db', 'api', 'web', 'infra', 'mail', 'search', 'auth'];
const SENTENCE =
  'The queue drains slower than it fills when the pool of workers waits for locks of the ledger.\n';

/** Writes the tree into `dir`, which is there and empty. */
export function makeGraphTree(dir: string, { dirs, lores, roles }: TreeSize): void {
  const paths = ['']; // breadth first, FAN children each
  for (let i = 0; paths.length <= dirs; i++)
    for (let child = 0; child < FAN && paths.length <= dirs; child++)
      paths.push(join(paths[i]!, `part-${child}`));
  for (const path of paths) mkdirSync(join(dir, path), { recursive: true });
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  write('.sgpt.json', '{title: "A large repository"}');
  write('.gitignore', 'node_modules/\n*.log\n');
  for (let i = 0; i < lores; i++) write(`.sgpt/${loreAt(i)}.md`, loreText(i, lores));
  for (let i = 0; i < roles; i++) {
    const path = paths[Math.floor((i * paths.length) / roles)]!;
    const include = i > 0 ? `@role("//${roleAt(i - 1, paths, roles)}")\n` : '';
    write(
      join(path, `.sgpt/role-${i}.role.md`),
      `@alias("r${i}")\n${i % 10 === 0 ? '' : include}\nDo what part ${i} needs.\n`,
    );
  }
}

function roleAt(i: number, paths: readonly string[], roles: number): string {
  const path = paths[Math.floor((i * paths.length) / roles)]!;
  return `${path}:role-${i}`;
}

/** The name of the i-th lore. */
export function loreAt(i: number): string {
  return `lores/shelf-${Math.floor(i / SHELF)}/lore-${i}`;
}

/** Its text; `note` makes another of it. */
export function loreText(i: number, lores: number, note = ''): string {
  const area = AREAS[i % AREAS.length]!;
  const link = i % LINK_EVERY === 0 ? `See [[${loreAt((i * 7) % lores).slice('lores/'.length)}]].\n` : '';
  return `---\ntitle: About ${area} ${i}\ndescription: What to know of ${area}, part ${i}\nlabels:\n  area: ${area}\n  kind: ${i % 2 === 0 ? 'runbook' : 'design'}\n---\n\n# ${area} ${i}\n\n${SENTENCE.repeat(10 + (i % 20))}${link}${note}\n`;
}
