/**
 * A whole-screen tree over the client: windows with their panes, paste buffers. What cannot be taken back is asked for
 * before it is done, over the tree itself.
 */
import type { Size } from '../../base/geometry.ts';
import type { StyledLine } from '../../base/styled.ts';
import { browserAreas } from '../../chrome/browser.ts';
import type { BrowserView, Hint, PreviewPane } from '../../chrome/view.ts';
import type { ModeEvent } from '../../mode/event.ts';
import {
  reduceTree,
  selectedItem,
  tree,
  type Tree,
  type TreeEvent,
  type TreeIntent,
  type TreeItem,
  type TreeKind,
} from '../../mode/tree.ts';
import { treeView } from '../../mode/tree-view.ts';
import { ConfirmOverlay } from './confirm.ts';
import type { Overlay, OverlayHost } from './overlay.ts';

/** What is shown of the selected item. */
export interface TreePreview {
  readonly title: string;
  readonly lines: readonly StyledLine[];
  readonly panes?: readonly PreviewPane[];
}

export interface TreeOptions {
  readonly kind: TreeKind;
  /** Key table of the list. */
  readonly table: string;
  /** Items in one of the kind's orders; asked for anew when the model has changed. */
  readonly items: (order: string) => readonly TreeItem[];
  readonly selected: string;
  readonly folded: Iterable<string>;
  readonly hasPreview: boolean;
  readonly order: string;
  readonly isReversed: boolean;
  readonly hints: (focus: Tree['focus']) => readonly Hint[];
  readonly size: () => Size;
  readonly preview: (item: TreeItem, size: Size) => TreePreview;
  readonly accept: (id: string) => void;
  /** Carries out one of the kind's acts. */
  readonly act: (action: string, ids: readonly string[], tree: TreeOverlay) => void;
}

export class TreeOverlay implements Overlay {
  readonly #host: OverlayHost;
  readonly #options: TreeOptions;
  #state: Tree;
  #question: ConfirmOverlay | undefined;

  constructor(host: OverlayHost, options: TreeOptions) {
    const { kind, selected, folded, order, isReversed, hasPreview } = options;
    this.#host = host;
    this.#options = options;
    const state = tree(kind, [], { selected, folded });
    this.#state = {
      ...state,
      order: kind.orders.includes(order) ? order : state.order,
      isReversed,
      hasPreview,
    };
    this.#relist();
    this.#state = reduceTree(this.#state, 'home').state;
  }

  get table(): string {
    if (this.#question) return this.#question.table;
    return this.#state.focus === 'list' ? this.#options.table : 'browser-line';
  }

  view(): BrowserView {
    const item = selectedItem(this.#state);
    const { preview: area } = this.#areas;
    const preview = item
      ? this.#options.preview(item, { cols: area.width, rows: area.height })
      : { title: '', lines: [] };
    return {
      ...treeView(this.#state, this.#options.hints(this.#state.focus)),
      preview: preview.lines,
      previewTitle: preview.title,
      previewScroll: 0,
      ...(preview.panes ? { previewPanes: preview.panes } : {}),
      ...(this.#question ? { dialog: this.#question.view() } : {}),
    };
  }

  event(event: ModeEvent): void {
    if (this.#question) return this.#question.event(event);
    this.#state = reduceTree(this.#state, { type: 'rows', rows: this.#areas.list.height }).state;
    this.#apply(event);
  }

  select(index: number): void {
    if (this.#question) return;
    const before = this.#state.selected;
    this.#apply({ type: 'select', index });
    if (this.#state.selected === before) this.#apply('accept');
  }

  refresh(): void {
    this.#relist();
  }

  dispose(): void {}

  /** Asks over the tree, which stays as it is. */
  ask(text: string, yes: () => void): void {
    const close = (): void => {
      this.#question = undefined;
      this.#host.redraw();
    };
    this.#question = new ConfirmOverlay({ ...this.#host, close }, { text, yes });
    this.#host.redraw();
  }

  /** Nothing is tagged any more: what was to be done with it has been done. */
  clearTags(): void {
    this.#state = reduceTree(this.#state, 'tag-none').state;
    this.#relist();
    this.#host.redraw();
  }

  get #areas(): ReturnType<typeof browserAreas> {
    return browserAreas(this.#options.size(), false, this.#state.hasPreview);
  }

  #relist(): void {
    const items = this.#options.items(this.#state.order);
    const ordered = this.#state.isReversed ? reversed(items) : items;
    this.#state = reduceTree(this.#state, { type: 'items', items: ordered }).state;
  }

  #apply(event: TreeEvent): void {
    const { state, intents } = reduceTree(this.#state, event);
    this.#state = state;
    for (const intent of intents) this.#carryOut(intent);
    this.#host.redraw();
  }

  #carryOut(intent: TreeIntent): void {
    if (intent.type === 'cancel') this.#host.close();
    else if (intent.type === 'sort') this.#relist();
    else if (intent.type === 'act') this.#options.act(intent.action, intent.ids, this);
    else {
      this.#host.close();
      this.#options.accept(intent.id);
    }
  }
}

/** Siblings in reverse; what holds others stays in front of them. */
function reversed(items: readonly TreeItem[]): readonly TreeItem[] {
  const childrenOf = new Map<string, TreeItem[]>();
  for (const item of items) childrenOf.set(item.parent, [item, ...(childrenOf.get(item.parent) ?? [])]);
  const walk = (parent: string): TreeItem[] =>
    (childrenOf.get(parent) ?? []).flatMap(item => [item, ...walk(item.id)]);
  return walk('');
}
