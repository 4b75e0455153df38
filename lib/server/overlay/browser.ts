/**
 * A browser over a source that may change at any time: what is selected is previewed, searches run elsewhere, and answers
 * that come late are dropped.
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
  type BrowserDeed,
  type BrowserEvent,
  type BrowserIntent,
} from '../../mode/browser.ts';
import type { BrowserItem } from '../../mode/browser-list.ts';
import { browserView, type BrowserTexts } from '../../mode/browser-view.ts';
import type { ModeEvent } from '../../mode/event.ts';
import type { LoreHit } from '../../graph/types.ts';
import type { Overlay, OverlayHost } from './overlay.ts';

/** Search results asked for: more than anybody reads. */
const MAX_HITS = 200;

/** Where what is browsed comes from. */
export interface BrowserSource {
  /** What there is now. */
  items(): readonly BrowserItem[];
  /** Calls when that has changed, or what is in one of them. */
  onChange(listener: () => void): Disposable;
  /** The text of an item as lines of at most `width` cells. Rejects with what is wrong. */
  preview(name: string, width: number): Promise<readonly StyledLine[]>;
  /** Looks in all texts. Rejects with what is wrong. */
  search(pattern: string, limit: number): Promise<readonly LoreHit[]>;
  /** The items with a link to one, and those that one links to; absent where there are no links. */
  backlinks?(name: string): Promise<readonly LoreHit[]>;
  links?(name: string): Promise<readonly LoreHit[]>;
}

export interface BrowserOptions {
  readonly source: BrowserSource;
  /** Of lores where there are none. */
  readonly texts?: BrowserTexts;
  /** Key table of the list. */
  readonly table: string;
  readonly hints: (focus: Browser['focus']) => readonly Hint[];
  /** The screen's size now. */
  readonly size: () => Size;
  readonly selected: string;
  /** Carries out what was chosen. True: the browser stays open. */
  readonly act: (deed: BrowserDeed, name: string, file: string) => boolean;
  /** Makes a new item; absent where that is not done here. */
  readonly create?: () => void;
  /** It was left by a person; something else may be shown in its place. */
  readonly cancelled?: () => void;
}

export class BrowserOverlay implements Overlay {
  readonly #host: OverlayHost;
  readonly #options: BrowserOptions;
  readonly #subscription: Disposable;
  #state: Browser;
  #preview: { key: string; lines: readonly StyledLine[] } = { key: '', lines: [] };
  #closed = false;

  constructor(host: OverlayHost, options: BrowserOptions) {
    const { source, selected } = options;
    this.#host = host;
    this.#options = options;
    this.#state = browser(source.items(), selected);
    this.#subscription = source.onChange(() => {
      this.#preview = { ...this.#preview, key: '' };
      this.#apply({ type: 'lores', lores: source.items() });
    });
    this.#loadPreview();
  }

  get table(): string {
    return this.#state.focus === 'list' ? this.#options.table : 'browser-line';
  }

  view(): BrowserView {
    this.#loadPreview();
    const { hints, texts } = this.#options;
    return {
      ...browserView(this.#state, hints(this.#state.focus), texts),
      preview: this.#preview.lines,
    };
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

  /** The source tells by itself. */
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
    if ('query' in intent) return void this.#look(intent);
    const { act, cancelled, create } = this.#options;
    if (intent.type === 'new') {
      if (!create) return;
      this.#host.close();
      return create();
    }
    if (intent.type !== 'cancel') {
      if (!act(intent.type, intent.name, intent.file)) this.#host.close();
      return;
    }
    this.#host.close();
    cancelled?.();
  }

  async #look(intent: Extract<BrowserIntent, { readonly query: string }>): Promise<void> {
    const { query } = intent;
    try {
      const { source } = this.#options;
      const hits =
        intent.type === 'search'
          ? await source.search(query, MAX_HITS)
          : ((await source[intent.type]?.(intent.name)) ?? []);
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
      lines = await this.#options.source.preview(name, width);
    } catch (error) {
      lines = [[{ text: toCoded(error).message, role: 'alarm' }]];
    }
    if (this.#closed || this.#preview.key !== key) return;
    this.#preview = { key, lines };
    this.#measure();
    this.#host.redraw();
  }

  get #areas(): BrowserAreas {
    return browserAreas(this.#options.size(), this.#state.facets.length > 0);
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
