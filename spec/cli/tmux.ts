/**
 * A tmux to compare with: names and flags are meant to mean what they mean there.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { tempDir } from '../support/temp.ts';

export class Tmux {
  readonly #socket = join(tempDir(), 'tmux');

  /** Starts a server with one window of 80×24 cells that runs `cat`, its status line off. */
  constructor() {
    const options = {
      'base-index': '1',
      status: 'off',
      'default-size': '80x24',
      'default-terminal': 'tmux-256color',
      'remain-on-exit': 'on',
    };
    this.run(
      ['start-server', ';'],
      Object.entries(options).flatMap(([name, value]) => ['set', '-g', name, value, ';']),
      ['new-session', '-d', '-x', '80', '-y', '24', 'cat'],
    );
  }

  run(...words: readonly string[][]): string {
    const env = { ...process.env, LC_ALL: 'C.UTF-8', SHELL: '/bin/sh' };
    const argv = ['-u', '-S', this.#socket, '-f', '/dev/null', ...words.flat()];
    const { stdout, stderr } = spawnSync('tmux', argv, { env, encoding: 'utf8' });
    if (stderr) throw new Error(`tmux: ${stderr}`);
    return stdout;
  }

  stop(): void {
    this.run(['kill-server']);
  }
}
