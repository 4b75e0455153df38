/**
 * What each agent's title and screen look like, in tables: these change with the agents' versions and with nothing else.
 */
import type { ScreenRow } from './screen.ts';
import type { Meaning } from './types.ts';

const WORKING: Meaning = { status: 'working', reason: '' };
const READY: Meaning = { status: 'ready', reason: '' };
const PERMISSION: Meaning = { status: 'needs-you', need: 'permission', reason: 'it wants permission' };
const QUESTION: Meaning = { status: 'needs-you', need: 'question', reason: 'it has a question' };
const FAILED: Meaning = { status: 'needs-you', need: 'error', reason: 'it shows an error' };

/** What a title means. */
export interface TitleRow {
  readonly pattern: RegExp;
  readonly means: Meaning;
  readonly evidence: string;
}

/** How an agent shows its state. */
export interface Profile {
  readonly titles: readonly TitleRow[];
  readonly screen: readonly ScreenRow[];
}

/** Frames of the spinners that terminal programs use: Braille patterns. */
const BRAILLE = /^\s*[\u2801-\u28ff]\s*\S/;
const SPINNER_TITLE: TitleRow = { pattern: BRAILLE, means: WORKING, evidence: 'title with a spinner' };

/** Questions that any program may end its screen with, the cursor behind them. */
const QUESTIONS: readonly ScreenRow[] = [
  {
    part: 'cursor',
    all: [/[[(](?:y\/n|yes\/no)(?:\/[\w/?]+)?[\])]\s*[:?]?\s*$/i],
    means: QUESTION,
    evidence: 'a question on the last row',
  },
  {
    part: 'cursor',
    all: [/\b(?:password|passphrase)\b[^:]*:\s*$/i],
    means: { ...QUESTION, reason: 'it wants a password' },
    evidence: 'a question on the last row',
  },
];

const MENU_FOOTER = /\b(?:esc|enter)\b.*\b(?:cancel|confirm|select|exit|reject)\b/i;

/** A numbered menu with one entry chosen, which is the last thing on the screen. */
function menu(pointer: string, extra: readonly RegExp[], means: Meaning, last = MENU_FOOTER): ScreenRow {
  return {
    part: 'tail',
    all: [new RegExp(`^[\\s│┃]*[${pointer}]\\s*(?:\\d+\\.\\s|(?:Yes|No|Allow|Run)\\b)`), ...extra],
    last,
    means,
    evidence: 'a dialog at the end of the screen',
  };
}

const CLAUDE: Profile = {
  titles: [
    { pattern: /^[\u2801-\u28ff] /, means: WORKING, evidence: 'title with a spinner' },
    { pattern: /^✳ /, means: READY, evidence: 'title ✳' },
  ],
  screen: [
    menu('❯', [/^\s*(?:Do you want|Would you like)\b/], PERMISSION),
    menu('❯', [], QUESTION),
    {
      part: 'footer',
      all: [/\besc to interrupt\b/i],
      means: WORKING,
      evidence: '"esc to interrupt" below its prompt',
    },
    {
      part: 'tail',
      within: 8,
      all: [/^\s*[·✢✳✶✻✽∗*] \S.*…(?: \(.*\))?$/],
      means: WORKING,
      evidence: 'its spinner',
    },
    {
      part: 'tail',
      within: 7,
      all: [/^\s*[⎿●]\s*(?:API Error\b|Invalid API key|Please run \/login|OAuth token)/, /^\s*❯/],
      means: FAILED,
      evidence: 'an error above its prompt',
    },
    { part: 'tail', within: 6, all: [/^\s*❯/, /^\s*─{8,}/], means: READY, evidence: 'its prompt' },
  ],
};

const CODEX: Profile = {
  titles: [SPINNER_TITLE],
  screen: [
    menu('›', [/\b(?:Would you like|Do you want|Allow)\b/], PERMISSION),
    menu('›', [], QUESTION),
    {
      part: 'tail',
      within: 10,
      all: [/^\s*[•◦]?\s*\S.*\(\d[\dhms ]*\s*•\s*esc to interrupt\)/i],
      means: WORKING,
      evidence: '"esc to interrupt"',
    },
    {
      part: 'tail',
      within: 8,
      all: [/^\s*■.*\b(?:error|unauthorized|401|403|429|5\d\d)\b/i],
      means: FAILED,
      evidence: 'an error above its prompt',
    },
    { part: 'tail', within: 5, all: [/^\s*›(?: |$)/], means: READY, evidence: 'its prompt' },
  ],
};

const GEMINI: Profile = {
  titles: [
    { pattern: /^✋/, means: PERMISSION, evidence: 'title ✋' },
    { pattern: /^[✦⏲]/, means: WORKING, evidence: 'title ✦' },
    { pattern: /^◇/, means: READY, evidence: 'title ◇' },
  ],
  screen: [
    {
      part: 'tail',
      within: 16,
      all: [/^[\s│]*●\s*1\.\s/, /\b(?:Apply this change|Allow execution|Do you want to proceed)\b/],
      means: PERMISSION,
      evidence: 'a dialog at the end of the screen',
    },
    {
      part: 'tail',
      within: 14,
      all: [/\(esc to cancel(?:, .*)?\)/i],
      means: WORKING,
      evidence: '"esc to cancel"',
    },
    {
      part: 'tail',
      within: 8,
      all: [/^\s*│?\s*>\s+Type your message/],
      means: READY,
      evidence: 'its prompt',
    },
  ],
};

const OPENCODE: Profile = {
  titles: [],
  screen: [
    {
      part: 'tail',
      within: 10,
      all: [/\bAllow once\b/, /\bReject\b/],
      means: PERMISSION,
      evidence: 'a dialog at the end of the screen',
    },
    {
      part: 'tail',
      within: 4,
      all: [/\besc\b.*\binterrupt\b/i],
      means: WORKING,
      evidence: '"esc interrupt"',
    },
    {
      part: 'tail',
      within: 4,
      all: [/\bctrl\+p commands\b|\btab\b.*\bagents?\b/i],
      means: READY,
      evidence: 'its prompt',
    },
  ],
};

const CURSOR: Profile = {
  titles: [],
  screen: [
    {
      part: 'tail',
      within: 12,
      all: [/^[\s│]*→\s*(?:Run|Yes|Approve|Allow)\b.*\((?:y|enter)/i],
      means: PERMISSION,
      evidence: 'a dialog at the end of the screen',
    },
    { part: 'tail', within: 8, all: [/\bctrl\+c to stop\b/i], means: WORKING, evidence: '"ctrl+c to stop"' },
    { part: 'tail', within: 8, all: [/^[\s│]*→\s/], means: READY, evidence: 'its prompt' },
  ],
};

const AIDER: Profile = {
  titles: [],
  screen: [
    {
      part: 'cursor',
      all: [/\(Y\)es\/\(N\)o.*:\s*$/],
      means: QUESTION,
      evidence: 'a question on the last row',
    },
    { part: 'cursor', all: [/^(?:\w[\w-]* ?)?> $/], means: READY, evidence: 'its prompt' },
    { part: 'tail', within: 2, all: [/\bWaiting for \S/], means: WORKING, evidence: 'its spinner' },
  ],
};

const PI: Profile = {
  titles: [],
  screen: [
    {
      part: 'tail',
      within: 8,
      all: [/^\s*[\u2801-\u28ff] (?:Working|Compacting|Retrying|\S.*(?:\.\.\.|…))/],
      means: WORKING,
      evidence: 'its spinner',
    },
    {
      part: 'tail',
      within: 6,
      all: [/\b\d+(?:\.\d+)?%\/\d+k\b|\?\/\d+k\b/, /^─{8,}/],
      means: READY,
      evidence: 'its prompt',
    },
  ],
};

/** For agents without a table of their own: what most of them do. */
const COMMON: Profile = {
  titles: [SPINNER_TITLE],
  screen: [
    menu('❯›>→', [], QUESTION),
    { part: 'tail', within: 8, all: [BRAILLE], means: WORKING, evidence: 'a spinner' },
    {
      part: 'tail',
      within: 8,
      all: [/\besc(?:ape)?\b.{0,12}\b(?:interrupt|cancel|stop)\b/i],
      means: WORKING,
      evidence: 'a key to interrupt it',
    },
  ],
};

/** Programs of any kind. */
const PLAIN: Profile = { titles: [], screen: [] };

/** By name of the program or of the entry of `agents:`. */
const PROFILES: Readonly<Record<string, Profile>> = {
  claude: CLAUDE,
  codex: CODEX,
  gemini: GEMINI,
  opencode: OPENCODE,
  'cursor-agent': CURSOR,
  aider: AIDER,
  amp: COMMON,
  pi: PI,
  chat: COMMON,
};

/** Whether programs of that name are agents that show their state. */
export function hasProfile(name: string): boolean {
  return Object.hasOwn(PROFILES, name);
}

/** The tables for a program; `isAi`: an agent that nobody has described. */
export function profileOf(name: string, isAi: boolean): Profile {
  const found = hasProfile(name) ? PROFILES[name]! : isAi ? COMMON : PLAIN;
  return { titles: found.titles, screen: [...found.screen, ...QUESTIONS] };
}
