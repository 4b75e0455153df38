/**
 * Agents started in a role: each is told it in its own way, and what cannot be looked up starts nothing.
 */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { MuxHome } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('agents in a role');

/** Writes down what it was started with, each time to a file of its session and of the number of that start. */
const AGENT = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const { MUX_ROLE, MUX_ROLE_FILE, MUX_SESSION, OUT } = process.env;
const file = MUX_ROLE_FILE ? readFileSync(MUX_ROLE_FILE, 'utf8') : '';
appendFileSync(OUT, JSON.stringify({ argv: process.argv.slice(2), role: MUX_ROLE, file, cwd: process.cwd() }) + '\\n');
process.stdin.on('data', () => {});
`;

const GRAPH = {
  'graph/.sgpt.json': JSON.stringify({ chat: { default_lores: ['lores/locks'] } }),
  'graph/.sgpt/base.role.md': '@file("CONTRIBUTING.md")\nBe brief.\n',
  'graph/.sgpt/lores/locks.md': '---\ntitle: Locks\ndescription: Lock first.\n---\nText.\n',
  'graph/CONTRIBUTING.md': 'x\n',
  'graph/api/.sgpt/keeper.role.md': '@alias("k")\n@role("//base")\n@file("api/...")\nYou keep "the" API.\n',
};

const TEXT = [
  'Be brief.',
  '',
  'You keep "the" API.',
  '',
  'Read these files before you begin:',
  '- CONTRIBUTING.md',
  '- api: everything in it and below',
  '',
  'Read these notes on the repository before you begin, too:',
  '- .sgpt/lores/locks.md (Locks: Lock first.)',
].join('\n');

interface Start {
  readonly argv: readonly string[];
  readonly role?: string;
  readonly file: string;
  readonly cwd: string;
}

class Home extends MuxHome {
  constructor() {
    super({
      files: GRAPH,
      config: Object.entries({ claude: '', codex: '', gemini: '', opencode: '', aider: '', amp: '' })
        .map(([name]) => `  ${name}: { command: AGENT }`)
        .join('\n')
        .replace(/^/, 'agents:\n'),
    });
    const agent = join(this.dir, 'agent');
    writeFileSync(agent, AGENT);
    chmodSync(agent, 0o755);
    const config = join(this.dir, 'config.yaml');
    writeFileSync(config, readFileSync(config, 'utf8').replaceAll('AGENT', agent));
    git(this.graph, 'init', '--quiet', '--template=', '-b', 'main');
    git(this.graph, 'add', '-A');
    git(this.graph, 'commit', '--quiet', '-m', 'one');
  }

  get graph(): string {
    return join(this.work, 'graph');
  }

  new(name: string, agent: string, role: string, ...more: string[]) {
    const out = join(this.dir, `${name}.out`);
    const where = ['--cwd', this.graph, '--env', `OUT=${out}`];
    return this.cli('new', name, '--background', '--agent', agent, '--role', role, ...where, ...more);
  }

  /** What a session was started with, each time. */
  async starts(name: string, count: number): Promise<readonly Start[]> {
    const out = join(this.dir, `${name}.out`);
    const read = (): readonly Start[] =>
      (existsSync(out) ? readFileSync(out, 'utf8') : '')
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line) as Start);
    await until(`start ${count} of ${name}`, () => read().length >= count);
    return read();
  }

  roleFiles(): readonly string[] {
    const all = readdirSync(this.dir, { recursive: true, encoding: 'utf8' });
    return all.filter(path => /(?:^|\/)roles\/[^/]+\.md$/.test(path));
  }
}

async function inHome(run: (home: Home) => Promise<void>): Promise<void> {
  const home = new Home();
  try {
    await run(home);
  } finally {
    await home.end();
  }
}

test('each agent is told the role in its own way, by whatever name it was asked for', () =>
  inHome(async home => {
    const cases: readonly [string, string, (argv: readonly string[]) => string | undefined][] = [
      ['claude', '//api:keeper', argv => argv[argv.indexOf('--append-system-prompt') + 1]],
      [
        'codex',
        'k',
        argv =>
          JSON.parse(
            argv.find(arg => arg.startsWith('developer_instructions='))!.replace(/^\w+=/, ''),
          ) as string,
      ],
      ['gemini', 'k', argv => argv[argv.indexOf('-i') + 1]?.replace(/\n\nDo it\.$/, '')],
      ['opencode', 'k', argv => argv[argv.indexOf('--prompt') + 1]?.replace(/\n\nDo it\.$/, '')],
    ];
    for (const [agent, selector, told] of cases) {
      const made = await home.new(`a-${agent}`, agent, selector, '--prompt', 'Do it.');
      assert.is(made.status, 0, made.stderr);
      const [start] = await home.starts(`a-${agent}`, 1);
      assert.is(told(start!.argv), TEXT, agent);
      assert.is(start!.argv.at(-1)!.endsWith('Do it.'), true, agent);
      assert.is(start!.role, '//api:keeper');
      assert.is(start!.file, `${TEXT}\n`);
    }
    const aider = await home.new('a-aider', 'aider', 'k');
    assert.is(aider.status, 0, aider.stderr);
    const [start] = await home.starts('a-aider', 1);
    assert.is(start!.argv[0], '--read');
    assert.is(readFileSync(start!.argv[1]!, 'utf8'), `${TEXT}\n`);
    const amp = await home.new('a-amp', 'amp', 'k');
    assert.is(amp.status, 2, 'an agent that cannot be told');
    assert.match(amp.stderr, /agent amp: it cannot be told a role.*role_args/s);
  }));

test('a role that leads nowhere starts nothing, names what may be meant, and leaves nothing behind', () =>
  inHome(async home => {
    const made = await home.new('lost', 'claude', '//api:keepr', '--worktree');
    assert.is.not(made.status, 0);
    assert.match(made.stderr, /role \/\/api:keepr: .*\/\/api:keeper/s);
    const { sessions } = (await home.cli('list', '--json')).json();
    assert.equal(sessions, []);
    assert.equal(home.roleFiles(), []);
    assert.is(git(home.graph, 'branch', '--list').trim(), '* main');
  }));

test('in a worktree of its own, and after a restart and a fork, an agent keeps its role; with it goes the file', () =>
  inHome(async home => {
    assert.is((await home.new('one', 'claude', 'k', '--worktree', '--no-fetch')).status, 0);
    const told = ({ argv }: Start): string | undefined => argv[argv.indexOf('--append-system-prompt') + 1];
    const [first] = await home.starts('one', 1);
    assert.is.not(first!.cwd, home.graph);
    assert.is(told(first!), TEXT);
    // What has changed is told anew.
    writeFileSync(join(first!.cwd, 'api/.sgpt/keeper.role.md'), 'New words.\n');
    await home.ok('restart', 'one');
    const [, second] = await home.starts('one', 2);
    assert.match(told(second!)!, /^New words\./);
    // What is gone is kept as it was.
    rmSync(join(first!.cwd, 'api/.sgpt/keeper.role.md'));
    await home.ok('restart', 'one');
    const [, , third] = await home.starts('one', 3);
    assert.is(told(third!), told(second!));
    await home.ok('fork', '--background', 'one', 'two');
    const all = await home.starts('one', 4);
    assert.is(told(all[3]!), told(second!));
    assert.is(home.roleFiles().length, 2);
    await home.ok('purge', '-y', 'one', 'two');
    await until('their roles are gone', () => home.roleFiles().length === 0);
  }));

test('a fleet starts its sessions in their roles', () =>
  inHome(async home => {
    const out = join(home.dir, 'member.out');
    writeFileSync(
      join(home.graph, 'team.yaml'),
      `name: team\nsessions:\n  member: { agent: claude, role: k, env: { OUT: ${out} } }\n`,
    );
    await home.ok('up', join(home.graph, 'team.yaml'));
    const [start] = await home.starts('member', 1);
    assert.is(start!.argv[start!.argv.indexOf('--append-system-prompt') + 1], TEXT);
  }));

test.run();
