/**
 * What programs say of their state in control sequences and titles, as claims.
 */
import { withClaim, withoutClaims, type Evidence } from './evidence.ts';
import type { Profile } from './profiles.ts';
import { readScreen, screenParts, type ScreenText } from './screen.ts';
import type { Meaning } from './types.ts';

/** OSC 7501 `state=…` (Codex); unknown words say nothing. */
const STATES: Readonly<Record<string, Meaning>> = {
  idle: { status: 'ready', reason: '' },
  working: { status: 'working', reason: '' },
  // A turn has ended that nobody has looked at yet.
  done: { status: 'ready', reason: '' },
  approval: { status: 'needs-you', need: 'permission', reason: 'it wants permission' },
  waiting: { status: 'needs-you', need: 'question', reason: 'it waits for you' },
};

/** OSC 7501: the agent's own word for its state. */
export function afterState(evidence: Evidence, state: string, now: number): Evidence {
  const meaning = Object.hasOwn(STATES, state) ? STATES[state] : undefined;
  if (!meaning) return withoutClaims(evidence, ['state']);
  return withClaim(evidence, 'state', { ...meaning, evidence: `OSC 7501 state=${state}` }, now);
}

/** OSC 9;4 (ConEmu): while there is progress there is work. An error is a mark, not a state. */
export function afterProgress(evidence: Evidence, state: number, now: number): Evidence {
  if (state !== 1 && state !== 3) return withoutClaims(evidence, ['progress']);
  return withClaim(
    evidence,
    'progress',
    { status: 'working', reason: '', evidence: `OSC 9;4;${state}` },
    now,
  );
}

/**
 * OSC 133: a shell shows its prompt (A, B), runs a command (C), or has run it (D). At a prompt nothing that was said by
 * a program before it counts any more.
 */
export function afterPrompt(evidence: Evidence, mark: 'A' | 'B' | 'C' | 'D', now: number): Evidence {
  const rest = mark === 'C' ? evidence : withoutClaims(evidence, ['hook', 'state', 'progress', 'title']);
  const meaning: Meaning = { status: mark === 'C' ? 'working' : 'ready', reason: '' };
  return withClaim(rest, 'prompt', { ...meaning, evidence: `OSC 133;${mark}` }, now);
}

/** A title, by the agent's table; one that no row knows says nothing. */
export function afterTitle(evidence: Evidence, title: string, profile: Profile, now: number): Evidence {
  const row = profile.titles.find(({ pattern }) => pattern.test(title));
  if (!row) return withoutClaims(evidence, ['title']);
  return withClaim(evidence, 'title', { ...row.means, evidence: row.evidence }, now);
}

/** The screen as it stands, by the agent's table. */
export function afterScreen(evidence: Evidence, screen: ScreenText, profile: Profile, now: number): Evidence {
  const row = readScreen(screenParts(screen), profile.screen);
  if (!row) return withoutClaims(evidence, ['screen']);
  return withClaim(evidence, 'screen', { ...row.means, evidence: row.evidence }, now);
}

/** Shells by the names of their programs. */
const SHELLS = new Set('sh bash zsh fish dash ash ksh mksh tcsh csh nu elvish xonsh pwsh busybox'.split(' '));

/** Whether a program of that name is a shell. */
export function isShell(name: string): boolean {
  return SHELLS.has(name.replace(/^-/, ''));
}

/**
 * Who has a shell's terminal: the shell itself, or a command that it runs and waits for. A full-screen program waits for
 * keys more often than it works, so it counts by what it writes.
 */
export function afterForeground(
  evidence: Evidence,
  program: string,
  isFullScreen: boolean,
  now: number,
): Evidence {
  if (program === '' || isShell(program) || isFullScreen) return withoutClaims(evidence, ['foreground']);
  const seen = { status: 'working', reason: '', evidence: `${program} runs in the foreground` } as const;
  return withClaim(evidence, 'foreground', seen, now);
}
