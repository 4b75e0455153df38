/**
 * The lore browser over a live graph: what is selected is previewed, a full-text search runs in the graph's own
 * thread, and answers that come late are dropped.
 */
import { toCoded } from '../../base/errors.ts';
import type { Disposable } from '../../base/event.ts';
import type { Size } from '../../base/geometry.ts';
import type { StyledLine } from '../../base/styled.ts';
import { browserAreas, previewTextWidth, type BrowserAreas } from '../../chrome/browser.ts';
import type { BrowserView, Hint } from '../../chrome/view.ts';
import {
  browser,
  reduceBrowser,
  selectedLore,
  type Browser,
  type BrowserEvent,
  type BrowserIntent,
} from '../../mode/browser.ts';
import { browserView } from '../../mode/browser-view.ts';
import type { ModeEvent } from '../../mode/event.ts';
import type { LoreHit } from '../../graph/types.ts';
import type { GraphHandle } from '../../watch/graph-service.ts';
import type { Overlay, OverlayHost } from './overlay.ts';

/** Search results asked for: more than anybody reads. */
const MAX_HITS = 200;

export interface LoreActions {
  open(path: string): void;
  edit(path: string): void;
  copy(text: string): void;
  insert(path: string): void;
  /** Asks for a name, and makes a lore of the graph at `root`. */
  make(root: string): void;
}

export class LoresOverlay implements Overlay {
  readonly #host: OverlayHost;
  readonly #graph: GraphHandle;
  readonly #actions: LoreActions;
  readonly #hints: (focus: Browser['focus']) => readonly Hint[];
  readonly #size: () => Size;
  readonly #subscription: Disposable;
  #state: Browser;
  #preview: { key: string; lines: readonly StyledLine[] } = { key: '', lines: [] };
  #closed = false;

  constructor(
    host: OverlayHost,
    options: {
      graph: GraphHandle;
      actions: LoreActions;
      hints: (focus: Browser['focus']) => readonly Hint[];
      /** The screen's size now. */
      size: () => Size;
      selected: string;
    },
  ) {
    this.#host = host;
    this.#graph = options.graph;
    this.#actions = options.actions;
    this.#hints = options.hints;
    this.#size = options.size;
    this.#state = browser(options.graph.graph.lores, options.selected);
    this.#subscription = options.graph.onChange(graph => {
      this.#preview = { ...this.#preview, key: '' };
      this.#apply({ type: 'lores', lores: graph.lores });
    });
    this.#loadPreview();
  }

  get table(): string {
    return this.#state.focus === 'list' ? 'browser' : 'browser-line';
  }

  view(): BrowserView {
    this.#loadPreview();
    return { ...browserView(this.#state, this.#hints(this.#state.focus)), preview: this.#preview.lines };
  }

  facet(index: number): void {
    this.#apply({ type: 'facet', index });
  }

  event(event: ModeEvent): void {
    this.#measure();
    this.#apply(event);
  }

  select(index: number): void {
    const before = this.#state.selected;
    this.#apply({ type: 'select', index });
    if (this.#state.selected === before) this.#apply('accept');
  }

  /** The graph tells by itself. */
  refresh(): void {}

  dispose(): void {
    this.#closed = true;
    this.#subscription.dispose();
  }

  #apply(event: BrowserEvent): void {
    const { state, intents } = reduceBrowser(this.#state, event);
    this.#state = state;
    for (const intent of intents) this.#carryOut(intent);
    if (!this.#closed) this.#host.redraw();
  }

  #carryOut(intent: BrowserIntent): void {
    if (intent.type === 'cancel') return this.#host.close();
    if (intent.type === 'search')
      return void this.#answer(intent.query, this.#graph.search(intent.query, MAX_HITS));
    if (intent.type === 'backlinks')
      return void this.#answer(intent.query, this.#graph.backlinks(intent.name));
    if (intent.type === 'new') {
      this.#host.close();
      return this.#actions.make(this.#graph.graph.root);
    }
    const path = `${this.#graph.graph.root}/${intent.file}`;
    if (intent.type === 'copy') {
      this.#actions.copy(path);
      this.#host.message(`Copied ${intent.file}`, 'info');
      return;
    }
    this.#host.close();
    if (intent.type === 'open') this.#actions.open(path);
    else if (intent.type === 'edit') this.#actions.edit(path);
    else this.#actions.insert(intent.file);
  }

  async #answer(query: string, answer: Promise<readonly LoreHit[]>): Promise<void> {
    try {
      const hits = await answer;
      if (!this.#closed) this.#apply({ type: 'hits', query, hits });
    } catch (error) {
      if (!this.#closed) this.#apply({ type: 'hits', query, hits: [], error: toCoded(error).message });
    }
  }

  /** Asks for the selected lore's text where another one, or another width, is shown. */
  #loadPreview(): void {
    const lore = selectedLore(this.#state);
    const width = previewTextWidth(this.#areas);
    const key = lore ? `${width} ${lore.name}` : '';
    if (key === this.#preview.key) return;
    // The old text stays until the new one is here, so that nothing flickers.
    this.#preview = { key, lines: lore ? this.#preview.lines : [] };
    if (lore) void this.#showPreview(lore.name, width, key);
  }

  async #showPreview(name: string, width: number, key: string): Promise<void> {
    let lines: readonly StyledLine[];
    try {
      lines = await this.#graph.preview(name, width);
    } catch (error) {
      lines = [[{ text: toCoded(error).message, role: 'alarm' }]];
    }
    if (this.#closed || this.#preview.key !== key) return;
    this.#preview = { key, lines };
    this.#measure();
    this.#host.redraw();
  }

  get #areas(): BrowserAreas {
    return browserAreas(this.#size(), this.#state.facets.length > 0);
  }

  /** Pages are as long as what is seen now. */
  #measure(): void {
    const { list, preview } = this.#areas;
    const extent = {
      type: 'extent',
      rows: list.height,
      previewRows: preview.height,
      previewHeight: this.#preview.lines.length,
    } as const;
    this.#state = reduceBrowser(this.#state, extent).state;
  }
}
