/** Every tool that is known, by its name. */
import type { Tool } from '../types.ts';
import { ARCHIVES } from './archives.ts';
import { BUILDS_AND_TESTS } from './builds.ts';
import { CLOUD } from './cloud.ts';
import { CONTAINERS } from './containers.ts';
import { DATABASES } from './databases.ts';
import { FILES } from './files.ts';
import { FORGES } from './forges.ts';
import { GIT } from './git.ts';
import { INTERPRETERS } from './interpreters.ts';
import { NETWORK } from './network.ts';
import { DISKS } from './disks.ts';
import { INFRASTRUCTURE } from './infrastructure.ts';
import { LANGUAGE_PACKAGES } from './packages-languages.ts';
import { SYSTEM_PACKAGES } from './packages-system.ts';
import { PACKAGES } from './packages.ts';
import { SHELLS } from './shells.ts';
import { SYSTEM } from './system.ts';
import { TEXT } from './text.ts';
import { WRAPPERS } from './wrappers.ts';

/** By name; where two families have one, the later says what it does. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  ...BUILDS_AND_TESTS,
  ...CLOUD,
  ...CONTAINERS,
  ...INFRASTRUCTURE,
  ...PACKAGES,
  ...LANGUAGE_PACKAGES,
  ...SYSTEM_PACKAGES,
  ...DATABASES,
  ...NETWORK,
  ...SYSTEM,
  ...DISKS,
  ...FILES,
  ...ARCHIVES,
  ...TEXT,
  ...INTERPRETERS,
  ...FORGES,
  ...GIT,
  ...WRAPPERS,
  ...SHELLS,
};
