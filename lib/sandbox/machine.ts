/**
 * What backends ask of this machine.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readlinkSync, statSync } from 'node:fs';
import { release } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Machine } from './backends/backend.ts';

/** A program that only says its version, or starts `true`, takes milliseconds. */
const RUN_MS = 3000;
/** What such a program says is a line. */
const MAX_OUTPUT = 64 * 1024;

/** This machine, with the programs on `path`. */
export function thisMachine(path: string): Machine {
  return {
    platform: process.platform,
    kernel: release(),
    find: program =>
      path
        .split(':')
        .filter(isAbsolute)
        .map(dir => join(dir, program))
        .find(isProgram),
    run([program = '', ...args]) {
      const { status, stdout } = spawnSync(program, args, {
        encoding: 'utf8',
        timeout: RUN_MS,
        maxBuffer: MAX_OUTPUT,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return status === 0 ? stdout : undefined;
    },
    link(file) {
      try {
        return readlinkSync(file);
      } catch {
        // EINVAL: it is no link; ENOENT: it is not there.
        return undefined;
      }
    },
    isFolder: file => statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false,
  };
}

/** What programs said is kept for as long as they are the same files: their answers cost ten milliseconds each. */
export function remembering(machine: Machine): Machine {
  const answers = new Map<string, string>();
  return {
    ...machine,
    run(argv) {
      const stat = statSync(argv[0] ?? '', { throwIfNoEntry: false });
      const key = JSON.stringify([argv, stat?.ino, stat?.mtimeMs, stat?.size]);
      // A failure is asked for again: somebody may have put it right.
      const answer = answers.get(key) ?? machine.run(argv);
      if (answer !== undefined && answers.size < MAX_ANSWERS) answers.set(key, answer);
      return answer;
    },
  };
}

/** More answers than backends have questions: beyond this files change all the time, and are asked anew. */
const MAX_ANSWERS = 50;

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // ENOENT, EACCES: it cannot be run.
    return false;
  }
}
