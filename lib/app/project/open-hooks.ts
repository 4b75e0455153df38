/** The hooks of a conversation: the person's own, and those of a project that they trust. */
import { Hooks, type Hook } from '../../agent/hooks.ts';
import { systemClock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import { readConfig } from '../../config/file.ts';
import type { Config } from '../../config/load.ts';
import { formatProblem } from '../../config/problems.ts';
import { PROJECT_FILE } from '../../config/project.ts';
import { HookRunner } from '../ai/hook-runner.ts';
import type { AppContext } from '../context.ts';
import type { ProjectSettings } from './project-settings.ts';

export interface OpenHooks {
  /** The conversation, for hooks that keep a record: its resource name; '' for a call by itself. */
  readonly chat: string;
  /** Notices for the person, a line each. */
  readonly tell: (notice: string) => void;
}

/** Hooks of the person run where they are, those of a project at its top. */
export function openHooks(
  { cwd, env }: AppContext,
  config: Config,
  { hooks, root }: Pick<ProjectSettings, 'hooks' | 'root'>,
  { chat, tell }: OpenHooks,
): Hooks {
  const own = config.hooks;
  const made = [
    ...own.map(hook => hookOf(hook, 'config.yaml', cwd)),
    ...hooks.map(hook => hookOf(hook, PROJECT_FILE, root)),
  ];
  return new Hooks(made, new HookRunner({ env, clock: systemClock }), { facts: { cwd, chat }, tell });
}

function hookOf(
  { event, match = '', command, timeout }: Config['hooks'][number],
  origin: string,
  cwd: string,
): Hook {
  return { event, match, command, timeoutMs: timeout, origin, cwd };
}

/** Keys whose loss would let run what they forbid. */
const GUARDS = /^(?:hooks|permissions)\b|^not valid YAML/;

/**
 * Refuses settings whose hooks or rules are wrong: a list that is wrong is left out whole, and what it forbids would run.
 * Throws CodedError `invalid_config`.
 */
export function checkGuards({ configFile }: AppContext): void {
  const wrong = readConfig(configFile).problems.find(({ message }) => GUARDS.test(message));
  if (wrong)
    throw new CodedError(
      'invalid_config',
      formatProblem(wrong),
      'no tool runs without the rules that it may break',
    );
}
