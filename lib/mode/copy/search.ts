/**
 * Searching, as far as the state goes: what is asked for, and what came of it. The search itself runs in steps
 * (search-run.ts) beside the reducer.
 */
import { errorText, toCoded } from '../../base/errors.ts';
import type { Point } from '../../base/geometry.ts';
import type { Step } from '../event.ts';
import { moveTo, type CopyContext } from './context.ts';
import type { CopyIntent } from './intent.ts';
import { compilePattern } from './pattern.ts';
import type { SearchNews } from './search-run.ts';
import type { CopyState, Search } from './state.ts';

const FORWARD = 1;
const BACKWARD = -1;

type Result = Step<CopyState, CopyIntent>;

const isSame = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;

/** Asks for the `nth` match of `search`, from a place on. */
function ask(
  state: CopyState,
  search: Search,
  options: { direction: 1 | -1; from: Point; nth: number },
): Result {
  const { match, matchEnd } = search;
  // Behind the match that was found last, the next one may begin at once.
  const isBehind = options.direction > 0 && match && matchEnd && isSame(matchEnd, options.from);
  const from = isBehind ? match : options.from;
  const request = { pattern: compilePattern(search.text, search.isRegex), ...options, from };
  return { state: { ...state, search }, intents: [{ type: 'search', request }] };
}

/** A new search. An empty text repeats the last one. @throws CodedError `usage` for what is no regular expression */
export function startSearch(
  state: CopyState,
  text: string,
  how: Pick<Search, 'isRegex' | 'direction'>,
  nth: number,
): Result {
  const before = state.search;
  if (text === '' && !before) return { state, intents: [] };
  const search: Search =
    text === ''
      ? { ...before!, direction: how.direction }
      : { text, ...how, match: undefined, matchEnd: undefined, count: undefined, failure: '' };
  return ask(state, search, { direction: how.direction, from: state.cursor, nth });
}

/** The next match of the same search, or in its other direction. */
export function searchAgain(state: CopyState, isReversed: boolean, nth: number): Result {
  const { search } = state;
  if (!search)
    return { state, intents: [{ type: 'message', text: 'Nothing has been searched for yet', tone: 'info' }] };
  const direction = isReversed ? (search.direction > 0 ? BACKWARD : FORWARD) : search.direction;
  return ask(state, search, { direction, from: state.cursor, nth });
}

/**
 * A step of an incremental search. The first character of `argument` says which: `=` the text has changed, `+` and `-`
 * the next match down or up, `!` it has been entered, `~` it has been given up. The rest is the text.
 */
export function searchIncrementally(state: CopyState, argument: string, direction: 1 | -1): Result {
  const text = argument.slice(1);
  const how = argument[0];
  if (how === '~') return abandon(state);
  if (how === '!') return entered(state, text, direction);
  if (how === '+' || how === '-') {
    const search = state.search ?? {
      text,
      isRegex: true,
      direction,
      match: undefined,
      matchEnd: undefined,
      count: undefined,
      failure: '',
    };
    if (search.text === '') return { state, intents: [] };
    const way = how === '+' ? FORWARD : BACKWARD;
    return ask(state, { ...search, direction: way }, { direction: way, from: state.cursor, nth: 1 });
  }
  const origin = state.origin ?? { cursor: state.cursor, top: state.top };
  const back = { ...state, ...origin, origin };
  if (text === '') return { state: { ...back, search: undefined }, intents: [{ type: 'stop-search' }] };
  const search: Search = {
    text,
    isRegex: true,
    direction,
    match: undefined,
    matchEnd: undefined,
    count: undefined,
    failure: '',
  };
  try {
    return ask(back, search, { direction, from: origin.cursor, nth: 1 });
  } catch {
    // While it is typed, half a regular expression is no mistake yet.
    const failure = 'not a pattern yet';
    return { state: { ...back, search: { ...search, failure } }, intents: [{ type: 'stop-search' }] };
  }
}

function abandon(state: CopyState): Result {
  const { origin } = state;
  if (!origin) return { state, intents: [] };
  const next = { ...state, ...origin, origin: undefined, search: undefined };
  return { state: next, intents: [{ type: 'stop-search' }] };
}

function entered(state: CopyState, text: string, direction: 1 | -1): Result {
  const next = { ...state, origin: undefined };
  if (text === '') return startSearch(next, '', { isRegex: true, direction }, 1);
  try {
    compilePattern(text, true);
  } catch (error) {
    return {
      state: { ...next, search: undefined },
      intents: [{ type: 'message', text: errorText(toCoded(error)), tone: 'error' }],
    };
  }
  // What was typed last may have been pasted together with Enter: then it has not been looked for yet.
  if (next.search?.text === text) return { state: next, intents: [] };
  return startSearch(next, text, { isRegex: true, direction }, 1);
}

const FAILURES = { 'not-found': 'no match', 'too-slow': 'pattern too slow' } as const;

/** What a search has come to. */
export function searchNews(state: CopyState, news: SearchNews, context: CopyContext): Result {
  const { search } = state;
  if (!search) return { state, intents: [] };
  if (news.type === 'found') {
    // emacs: a search down leaves the cursor behind what it found.
    const to = !context.isVi && news.direction > 0 ? news.end : news.at;
    const found = { match: news.at, matchEnd: news.end, count: undefined, failure: '' };
    return { state: { ...moveTo(state, context, to, true), search: { ...search, ...found } }, intents: [] };
  }
  if (news.type === 'counted') {
    return {
      state: { ...state, search: { ...search, count: { index: news.index, total: news.total } } },
      intents: [],
    };
  }
  const failure = FAILURES[news.type];
  const failed = {
    ...state,
    search: { ...search, match: undefined, matchEnd: undefined, count: undefined, failure },
  };
  if (news.type === 'not-found') return { state: failed, intents: [] };
  const text = `search: '${search.text}' takes too long: repeats within repeats can take for ever`;
  return { state: failed, intents: [{ type: 'message', text, tone: 'error' }] };
}
