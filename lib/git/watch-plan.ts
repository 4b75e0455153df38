/**
 * Which names in which folders tell that a working tree's state has changed, as values (gitrepository-layout(5)).
 * Git writes beside a file and renames, so names in folders are watched, never files.
 */

/** Names to watch in one folder. */
export interface WatchedFolder {
  readonly dir: string;
  readonly names: ReadonlySet<string>;
  /** Those of them after which another plan may be right: another branch, upstream, or folder of references. */
  readonly planning: ReadonlySet<string>;
}

/** What the plan is made from. Paths absolute. */
export interface WatchFacts {
  /** Git's own folder of the working tree, and the one that all share. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** References whose move is a change: the branch, its upstream or base. Full names. */
  readonly refs: readonly string[];
  /** The folders that exist, among those that a reference's file would lie in. */
  readonly exists: (dir: string) => boolean;
}

/** Changes of these are changes of what is staged, committed or unfinished. */
const OWN = ['index', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];
const OWN_PLANNING = ['HEAD', 'config.worktree', 'mux-base'];
const SHARED = ['packed-refs'];
const SHARED_PLANNING = ['config'];

/** The folders to watch, each once. */
export function watchPlan(facts: WatchFacts): readonly WatchedFolder[] {
  const folders = new Map<string, { readonly names: Set<string>; readonly planning: Set<string> }>();
  const add = (dir: string, plain: readonly string[], planning: readonly string[]): void => {
    const known = folders.get(dir) ?? { names: new Set(), planning: new Set() };
    folders.set(dir, known);
    for (const name of [...plain, ...planning]) known.names.add(name);
    for (const name of planning) known.planning.add(name);
  };
  add(facts.gitDir, OWN, OWN_PLANNING);
  add(facts.commonDir, SHARED, SHARED_PLANNING);
  for (const ref of facts.refs) {
    const { dir, name, isLeaf } = placeOf(facts, ref);
    add(dir, isLeaf ? [name] : [], isLeaf ? [] : [name]);
  }
  return Array.from(folders, ([dir, { names, planning }]) => ({ dir, names, planning }));
}

/**
 * Folder and name of a reference's file. Of a packed reference the folder may not exist: then the name that has to
 * appear first, in the nearest folder that does.
 */
function placeOf(
  { commonDir, exists }: WatchFacts,
  ref: string,
): { readonly dir: string; readonly name: string; readonly isLeaf: boolean } {
  const parts = ref.split('/');
  const leaf = parts.length - 1;
  for (let n = leaf; n > 0; n--) {
    const dir = `${commonDir}/${parts.slice(0, n).join('/')}`;
    if (exists(dir)) return { dir, name: parts[n]!, isLeaf: n === leaf };
  }
  return { dir: commonDir, name: parts[0]!, isLeaf: false };
}
