/** The settings of the project here for a command: asked about on the terminal, and told where they do not count. */
import type { Hooks } from '../../agent/hooks.ts';
import type { Config } from '../../config/load.ts';
import type { Layer } from '../../permissions/policy.ts';
import type { AppContext } from '../context.ts';
import { checkGuards, openHooks, type OpenHooks } from './open-hooks.ts';
import { projectSettings, type ProjectSettings } from './project-settings.ts';
import { askTrust } from './trust-command.ts';

/** What stands between a call and its run. */
export interface CallGuards {
  /** Rules, the person's own first. */
  readonly layers: readonly Layer[];
  readonly hooks: Hooks;
}

/** Throws CodedError `invalid_config` where the settings are wrong. */
export async function projectHere(context: AppContext): Promise<ProjectSettings> {
  const project = await projectSettings(context, question => askTrust(question));
  project.notices.forEach(tell);
  return project;
}

/**
 * The rules and hooks of the person and of the project. Throws CodedError `invalid_config` where those of the person are wrong.
 */
export function callGuards(
  context: AppContext,
  config: Config,
  project: ProjectSettings,
  conversation: OpenHooks = { chat: '', tell },
): CallGuards {
  checkGuards(context);
  return {
    layers: [{ name: 'user', mayAllow: true, rules: config.permissions }, project.layer],
    hooks: openHooks(context, config, project, conversation),
  };
}

function tell(notice: string): void {
  console.error(`mux: ${notice}`);
}
