/**
 * The command line as a program in a session's pane runs it: with its token, and what it says of itself.
 */
import { execFile } from 'node:child_process';
import { LAUNCHER, type CliResult, type MuxHome } from './mux.ts';

export class Voice {
  readonly #home: MuxHome;
  readonly id: string;
  readonly env: Readonly<Record<string, string>>;

  private constructor(home: MuxHome, id: string, token: string) {
    this.#home = home;
    this.id = id;
    this.env = { ...home.env, MUX_SERVER: 'default', MUX_SESSION: id, MUX_TOKEN: token };
  }

  /** Of a session that runs. */
  static async of(home: MuxHome, name: string): Promise<Voice> {
    const { id } = (await home.cli('show', name, '--json')).json() as { id: string };
    return new Voice(home, id, await home.tokenOf(name));
  }

  /** Runs `mux ARGS…`; `input` is what comes through a pipe. */
  cli(args: readonly string[], input = ''): Promise<CliResult> {
    return new Promise(resolve => {
      const options = { cwd: this.#home.work, env: this.env, maxBuffer: 64 * 1024 * 1024 };
      const child = execFile(process.execPath, [LAUNCHER, ...args], options, (error, stdout, stderr) => {
        const status = error ? (typeof error.code === 'number' ? error.code : 128) : 0;
        resolve({ status, stdout, stderr, json: () => JSON.parse(stdout) as unknown });
      });
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    });
  }

  /** Like `cli`, for what must work. */
  async ok(...args: readonly string[]): Promise<string> {
    const { status, stdout, stderr } = await this.cli(args);
    if (status !== 0) throw new Error(`mux ${args.join(' ')}: exit ${status}\n${stdout}${stderr}`);
    return stdout;
  }
}
