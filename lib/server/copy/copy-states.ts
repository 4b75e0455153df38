/**
 * Which panes are in copy mode, and what is looked at, selected and searched for there. The state belongs to the pane:
 * every client sees it.
 */
import type { Disposable } from '../../base/event.ts';
import { errorText, toCoded } from '../../base/errors.ts';
import type { CopyContext } from '../../mode/copy/context.ts';
import type { CopyEvent, CopyIntent, CopyTarget } from '../../mode/copy/intent.ts';
import { compilePattern, type LineMatcher } from '../../mode/copy/pattern.ts';
import { TextReader } from '../../mode/copy/reader.ts';
import { reduceCopy } from '../../mode/copy/reduce.ts';
import { SearchRun, type SearchNews } from '../../mode/copy/search-run.ts';
import { enterCopy, isInSync, syncCopy, type CopyState } from '../../mode/copy/state.ts';
import { copyPosition, matchStretches, selectionStretches, type LitStretch } from '../../mode/copy/view.ts';
import type { PaneId } from '../../layout/types.ts';
import type { Model } from '../../model/model.ts';
import type { OptionStore } from '../../options/store.ts';
import { FrozenScreen } from '../../term/frozen.ts';
import type { TextView } from '../../term/screen-view.ts';

/** Whoever is told about what they asked for. */
export interface Asker {
  message(text: string, tone: 'info' | 'error'): void;
}

/** What copy mode does to the world. */
export interface CopyPorts {
  readonly model: Model;
  readonly options: OptionStore;
  readonly matcher: LineMatcher;
  /** Called after every change of a pane's state. */
  changed(pane: PaneId): void;
  copy(text: string, target: CopyTarget, asker: Asker): void;
  /** Milliseconds, for the length of a slice. */
  now(): number;
  /** Runs `step` soon, after what else is waiting. */
  soon(step: () => void): Disposable;
}

/** A search works this long at a time: a frame is not held up by it. */
const SLICE_MS = 4;
/** Keys that wait for a search to come back: more than anybody types in that time. */
const MAX_WAITING = 1000;
/** The action that looks at what is there now. */
const REFRESH = 'refresh-from-pane';

interface Waiting {
  readonly event: CopyEvent;
  readonly asker: Asker;
}

interface Entry {
  state: CopyState;
  /** What a full-screen program had on its screen when it was begun, and that in the size of the pane. */
  frozen: { readonly whole: FrozenScreen; shown: FrozenScreen } | undefined;
  search: { readonly run: SearchRun; readonly asker: Asker; step: Disposable | undefined } | undefined;
  /** The next match is being looked for: what is done now would be done at the old place. */
  isSearching: boolean;
  readonly waiting: Waiting[];
  lit: { readonly key: string; readonly stretches: readonly LitStretch[] } | undefined;
}

export class CopyStates {
  readonly #entries = new Map<PaneId, Entry>();
  readonly #ports: CopyPorts;

  constructor(ports: CopyPorts) {
    this.#ports = ports;
  }

  /** The state over the pane's text as it is now; undefined where a pane is not in copy mode. */
  get(pane: PaneId): CopyState | undefined {
    const entry = this.#entries.get(pane);
    const view = entry && this.#view(pane);
    if (entry && view && !isInSync(entry.state, view)) entry.state = syncCopy(entry.state, view);
    return entry?.state;
  }

  has(pane: PaneId): boolean {
    return this.#entries.has(pane);
  }

  /** Lines scrolled back; 0 is live. */
  offset(pane: PaneId): number {
    return -(this.get(pane)?.top ?? 0);
  }

  /** What a pane's header says of it; '' where it is not in copy mode. */
  position(pane: PaneId): string {
    const state = this.get(pane);
    const view = this.#view(pane);
    return state && view ? copyPosition(state, view.historySize) : '';
  }

  /** Begins copy mode, if the pane is not in it. */
  enter(pane: PaneId, how: { readonly leavesAtBottom?: boolean; readonly isByMouse?: boolean } = {}): void {
    const live = this.#live(pane);
    if (!live || this.#entries.has(pane)) return;
    const frozen = frozenOf(live);
    const view = frozen?.shown ?? live;
    const state = enterCopy(view, { leavesAtBottom: false, isByMouse: false, ...how });
    this.#entries.set(pane, {
      state,
      frozen,
      search: undefined,
      isSearching: false,
      waiting: [],
      lit: undefined,
    });
    this.#ports.changed(pane);
  }

  leave(pane: PaneId): void {
    const entry = this.#entries.get(pane);
    if (!entry) return;
    this.#stopSearch(entry);
    this.#entries.delete(pane);
    this.#ports.changed(pane);
  }

  /** An action by its name. */
  action(pane: PaneId, name: string, asker: Asker, args: readonly string[] = [], count = 0): void {
    this.event(pane, { type: 'action', name, args, count }, asker);
  }

  /** Something happens in a pane's copy mode; nothing where it is in none. */
  event(pane: PaneId, event: CopyEvent, asker: Asker): void {
    const entry = this.#entries.get(pane);
    if (!entry) return;
    const isWaited = entry.isSearching && !endsSearch(event);
    if (isWaited) {
      if (entry.waiting.length < MAX_WAITING) entry.waiting.push({ event, asker });
      return;
    }
    if (entry.isSearching) this.#stopSearch(entry);
    this.#apply(pane, entry, event, asker);
  }

  /** The pane's program printed something: what is looked at stays where it is, and the header says what has come. */
  follow(pane: PaneId): void {
    const before = this.#entries.get(pane)?.state;
    if (before && this.get(pane) !== before) this.#ports.changed(pane);
  }

  /** What a pane shows in copy mode: its screen as it is, or as it was; undefined where it has none. */
  view(pane: PaneId): TextView | undefined {
    return this.#view(pane);
  }

  /** What is lit in a pane as shown: matches, the current one, the selection over them. */
  lit(pane: PaneId): readonly LitStretch[] {
    const state = this.get(pane);
    const entry = this.#entries.get(pane);
    const view = this.#view(pane);
    if (!state || !entry || !view) return [];
    const context = this.#context(view);
    return [...this.#matches(entry, view, context), ...selectionStretches(state, context)];
  }

  /** What the text is read by, for whoever asks about the state; undefined where the pane has no screen. */
  context(pane: PaneId): CopyContext | undefined {
    const view = this.#view(pane);
    return view && this.#context(view);
  }

  /** Forgets the panes that are gone. */
  keep(isThere: (pane: PaneId) => boolean): void {
    for (const [pane, entry] of Array.from(this.#entries)) {
      if (isThere(pane)) continue;
      this.#stopSearch(entry);
      this.#entries.delete(pane);
    }
  }

  #apply(pane: PaneId, entry: Entry, event: CopyEvent, asker: Asker): void {
    if (event.type === 'action' && event.name === REFRESH) this.#refresh(pane, entry);
    const view = this.#view(pane);
    const state = this.get(pane);
    if (!view || !state) return;
    try {
      const { state: next, intents } = reduceCopy(state, event, this.#context(view));
      entry.state = next;
      for (const intent of intents) this.#carryOut(pane, entry, intent, asker);
    } catch (error) {
      asker.message(errorText(toCoded(error)), 'error');
    }
    this.#ports.changed(pane);
  }

  /** Looks at the screen as it is now. */
  #refresh(pane: PaneId, entry: Entry): void {
    const live = this.#live(pane);
    if (live && entry.frozen) entry.frozen = frozenOf(live);
  }

  #carryOut(pane: PaneId, entry: Entry, intent: CopyIntent, asker: Asker): void {
    if (intent.type === 'cancel') this.leave(pane);
    else if (intent.type === 'message') asker.message(intent.text, intent.tone);
    else if (intent.type === 'copy') this.#ports.copy(intent.text, intent.target, asker);
    else if (intent.type === 'stop-search') this.#stopSearch(entry);
    else {
      const view = this.#view(pane);
      if (!view) return;
      this.#stopSearch(entry);
      const request = { ...intent.request, wraps: this.#ports.options.get('wrap-search') };
      entry.search = { run: new SearchRun(request, view, this.#ports.matcher), asker, step: undefined };
      entry.isSearching = true;
      this.#search(pane, entry);
    }
  }

  /** Searches for a slice, and goes on later if that was not enough. */
  #search(pane: PaneId, entry: Entry): void {
    const view = this.#view(pane);
    const { search } = entry;
    if (!view || !search) return;
    const end = this.#ports.now() + SLICE_MS;
    let news: SearchNews | 'more';
    do {
      news = search.run.step(view);
      if (news === 'more') continue;
      this.#news(pane, entry, news, search.asker);
      if (entry.search !== search) return;
    } while (this.#ports.now() < end);
    search.step = this.#ports.soon(() => this.#search(pane, entry));
  }

  #news(pane: PaneId, entry: Entry, news: SearchNews, asker: Asker): void {
    if (news.type !== 'found') this.#stopSearch(entry, true);
    const wasSearching = entry.isSearching;
    entry.isSearching = false;
    this.#apply(pane, entry, news, asker);
    if (wasSearching || news.type !== 'found') this.#runWaiting(pane, entry);
  }

  #runWaiting(pane: PaneId, entry: Entry): void {
    while (!entry.isSearching && this.#entries.get(pane) === entry) {
      const next = entry.waiting.shift();
      if (!next) return;
      this.#apply(pane, entry, next.event, next.asker);
    }
  }

  #stopSearch(entry: Entry, keepsWaiting = false): void {
    entry.search?.step?.dispose();
    entry.search = undefined;
    if (keepsWaiting) return;
    entry.isSearching = false;
    entry.waiting.length = 0;
  }

  /** Matches in sight, looked for once for each picture of the pane. */
  #matches(entry: Entry, view: TextView, context: CopyContext): readonly LitStretch[] {
    const { search, top } = entry.state;
    if (!search || search.failure) return [];
    const at = search.match;
    const key = [view.seq, top, view.cols, at?.x, at?.y, search.isRegex, search.text].join(' ');
    if (entry.lit?.key === key) return entry.lit.stretches;
    const pattern = compilePattern(search.text, search.isRegex);
    const stretches = matchStretches(entry.state, context, pattern, this.#ports.matcher);
    // A pattern that takes too long here takes too long in every frame.
    if (!stretches) entry.state = { ...entry.state, search: { ...search, failure: 'pattern too slow' } };
    entry.lit = { key, stretches: stretches ?? [] };
    return entry.lit.stretches;
  }

  #context(view: TextView): CopyContext {
    const { options } = this.#ports;
    return {
      reader: new TextReader(view),
      isVi: options.get('mode-keys') === 'vi',
      separators: options.get('word-separators'),
    };
  }

  #view(pane: PaneId): TextView | undefined {
    const live = this.#live(pane);
    const frozen = live && this.#entries.get(pane)?.frozen;
    if (!frozen) return live;
    if (frozen.shown.cols !== live.cols || frozen.shown.rows !== live.rows)
      frozen.shown = frozen.whole.fitted(live);
    return frozen.shown;
  }

  #live(pane: PaneId): TextView | undefined {
    const record = this.#ports.model.windows.pane(pane);
    return record && this.#ports.model.sessionOf(record).terminal?.view;
  }
}

/** The screen of a program that has the whole of it and draws over it; what scrolls away need not be kept: undefined. */
function frozenOf(view: TextView): Entry['frozen'] {
  if (!view.modes.alternateScreen) return undefined;
  const whole = FrozenScreen.of(view);
  return { whole, shown: whole };
}

/** Whether an event does not wait for a search but ends it: leaving, and a new search. */
function endsSearch(event: CopyEvent): boolean {
  if (event.type !== 'action') return false;
  // An incremental search that is entered is the one under way.
  const isEntered = event.name.endsWith('-incremental') && event.args[0]?.startsWith('!') === true;
  return !isEntered && /^(?:cancel|clear-or-cancel|search-(?:forward|backward).*)$/.test(event.name);
}
