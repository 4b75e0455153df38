/**
 * Screens of agents as they draw them, for specs.
 */
import type { ScreenText } from '../../lib/status/screen.ts';

const RULE = '─'.repeat(80);

/** Claude Code 2.1. */
export const CLAUDE = {
  idle: `❯ make a file

● Bash(touch made-by-agent && ls)
  ⎿  made-by-agent

● Done: the file is there.

✻ Baked for 2s

${RULE}
❯ 
${RULE}
  ? for shortcuts · ← for agents`,
  working: `❯ tell me a long story

✽ Doodling…

${RULE}
❯ 
${RULE}
  esc to interrupt · ← for agents`,
  permission: `● Bash(touch made-by-agent && ls)
  ⎿  Waiting…

${RULE}
 Bash command

   touch made-by-agent && ls
   Create a file

 Do you want to proceed?
 ❯ 1. Yes
   2. Yes, and always allow access to w/ from this project
   3. No

 Esc to cancel · Tab to amend · ctrl+e to explain`,
  trust: ` Is this a project you created or one you trust?

 ❯ 1. Yes, I trust this folder
   2. No, exit

 Enter to confirm · Esc to cancel`,
} as const;

/** Codex 0.1. */
export const CODEX = {
  idle: `• Done.

› Ask Codex to do anything

  ? for shortcuts                                     100% context left`,
  working: `• Working (12s • esc to interrupt)

› Ask Codex to do anything

  100% context left`,
  permission: `  Would you like to run the following command?

  $ git push origin main

› 1. Yes, proceed (y)
  2. Yes, and don't ask again for this command (a)
  3. No, and tell Codex what to do differently (esc)

  Press enter to confirm or esc to cancel`,
} as const;

/** Gemini CLI. */
export const GEMINI = {
  permission: `│ Allow execution of: 'git push'?                  │
│                                                  │
│ ● 1. Allow once                                  │
│   2. Allow for this session                      │
│   3. No, suggest changes (esc)                   │
╰──────────────────────────────────────────────────╯`,
} as const;

/** A screen with its cursor at the end of the text. */
export function screenOf(text: string): ScreenText {
  const rows = text.split('\n');
  const y = rows.length - 1;
  return { rows, cursor: { x: rows[y]!.length, y } };
}
