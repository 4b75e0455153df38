/**
 * Front matter as nearly everybody writes it: plain words after a key, and labels one step further in. Reading YAML for
 * that would be most of the time that a graph of thousands of lores takes to load.
 */

/** What front matter says, where it says it plainly. */
export interface PlainFrontMatter {
  readonly title: string;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * A key and a plain scalar (YAML 1.2.2, §7.3.3) that stands on one line: it begins with a letter or a digit, and holds no
 * `: `, no ` #`, and nothing but visible characters and blanks. Linear: no two parts can take the same character.
 */
const ENTRY =
  /^( *)([A-Za-z_][\w-]*):(?: +([\p{L}\p{N}](?:[^\p{C}\p{Z}:#]|:(?=[^\p{C}\p{Z}])|(?<=[^ ])#| )*))?$/u;

/**
 * Reads front matter that has a title and is plain throughout; undefined for any other, which is for the YAML reader,
 * as are all mistakes. What it reads, the YAML reader reads as the same.
 */
export function readPlainFrontMatter(yaml: string): PlainFrontMatter | undefined {
  const top = new Map<string, string>();
  const labels = new Map<string, string>();
  let inLabels = false;
  let indent = 0;
  for (const line of yaml.split('\n')) {
    const [, space = '', key = '', value] = ENTRY.exec(line) ?? [];
    const isLabel = space !== '';
    const map = isLabel ? labels : top;
    if (key === '' || map.has(key)) return undefined;
    if (isLabel) {
      if (!inLabels || value === undefined || (labels.size > 0 && space.length !== indent)) return undefined;
      indent = space.length;
    } else {
      inLabels = key === 'labels' && value === undefined;
      if (value === undefined && !inLabels) return undefined;
    }
    map.set(key, value?.trimEnd() ?? '');
  }
  const title = top.get('title');
  if (title === undefined || (top.has('labels') && labels.size === 0)) return undefined;
  return { title, description: top.get('description') ?? '', labels: Object.fromEntries(labels) };
}
