/**
 * The navigator over a client's screen: every session, with a live preview of the selected one.
 */
import type { Size } from '../../base/geometry.ts';
import { browserAreas, type BrowserAreas } from '../../chrome/browser.ts';
import { STATES } from '../../chrome/glyphs.ts';
import type { BrowserView, DialogView, Hint, PreviewPane } from '../../chrome/view.ts';
import type { ModeEvent } from '../../mode/event.ts';
import type { NavigatorSession, NavigatorViewName } from '../../mode/navigator-items.ts';
import { navigatorView, questionLines } from '../../mode/navigator-view.ts';
import { navigator, reduceNavigator, selectedSession } from '../../mode/navigator.ts';
import type { Navigator, NavigatorEvent, NavigatorIntent } from '../../mode/navigator.ts';
import type { Overlay, OverlayHost } from './overlay.ts';

/** Rows of facts above a preview; one alone where the preview is as low as this. */
const HEAD_ROWS = 4;
const LOW_ROWS = 10;

export interface NavigatorOptions {
  readonly view: NavigatorViewName;
  /** Id of the session to begin with. */
  readonly selected: string;
  readonly size: () => Size;
  readonly sessions: () => readonly NavigatorSession[];
  readonly hints: (state: Navigator) => readonly Hint[];
  readonly preview: (id: string) => PreviewPane | undefined;
  /** Carries out what was chosen, but closing and telling. */
  readonly act: (intent: Exclude<NavigatorIntent, { type: 'cancel' | 'tell' }>) => void;
  /** Told of the view whenever it may be another one. */
  readonly viewed: (view: NavigatorViewName) => void;
}

export class NavigatorOverlay implements Overlay {
  readonly #host: OverlayHost;
  readonly #options: NavigatorOptions;
  #state: Navigator;

  constructor(host: OverlayHost, options: NavigatorOptions) {
    this.#host = host;
    this.#options = options;
    this.#state = navigator(options.sessions(), options);
  }

  get table(): string {
    if (this.#state.question) return 'picker';
    return this.#state.tree.focus === 'list' ? 'navigator' : 'browser-line';
  }

  view(): BrowserView {
    const { list, preview } = this.#areas;
    const session = selectedSession(this.#state);
    const pane = session && this.#options.preview(session.id);
    const view = navigatorView(this.#state, {
      width: list.width,
      head: preview.height < LOW_ROWS ? 1 : HEAD_ROWS,
      hints: this.#options.hints(this.#state),
      marks: STATES,
    });
    const dialog = this.#dialog;
    const idle = [[], [{ text: 'it does not run: r starts it again', role: 'dim' as const }]];
    return {
      ...view,
      hasPreview: this.#state.tree.hasPreview,
      ...(pane ? { previewPanes: [pane] } : { preview: session ? [...view.preview, ...idle] : [] }),
      ...(dialog ? { dialog } : {}),
    };
  }

  event(event: ModeEvent): void {
    this.#apply({ type: 'rows', rows: this.#areas.list.height });
    this.#apply(event);
  }

  /** A second click goes there. */
  select(index: number): void {
    const before = this.#state.tree.selected;
    this.#apply({ type: 'select', index });
    if (this.#state.tree.selected === before) this.#apply('accept');
  }

  facet(index: number): void {
    this.#apply({ type: 'view', index });
  }

  refresh(): void {
    this.#apply({ type: 'sessions', sessions: this.#options.sessions() }, false);
  }

  dispose(): void {}

  get #areas(): BrowserAreas {
    return browserAreas(this.#options.size(), true, this.#state.tree.hasPreview);
  }

  get #dialog(): DialogView | undefined {
    const { question } = this.#state;
    if (!question) return undefined;
    return {
      type: 'dialog',
      title: 'Sure?',
      lines: questionLines(question).map(text => [{ text }]),
      hint: 'y yes · n, Enter or Esc no',
    };
  }

  #apply(event: NavigatorEvent, redraws = true): void {
    const { state, intents } = reduceNavigator(this.#state, event);
    this.#state = state;
    this.#options.viewed(state.view);
    for (const intent of intents) this.#carryOut(intent);
    if (redraws) this.#host.redraw();
  }

  #carryOut(intent: NavigatorIntent): void {
    if (intent.type === 'tell') return this.#host.message(intent.text, 'info');
    if (intent.type === 'cancel') return this.#host.close();
    if (intent.type === 'go') this.#host.close();
    this.#options.act(intent);
  }
}
