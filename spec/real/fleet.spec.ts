/**
 * Fleets as a new user starts them: a file in a repository, `mux up`, `mux down`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { MuxHome } from '../support/mux.ts';
import { until } from '../support/until.ts';

const test = suite('fleets');

const TEAM = `
name: team
sessions:
  planner: { command: sh, worktree: true }
  builder: { command: sh, worktree: true, after: { session: planner, until: ready } }
  tests: { command: sh, after: planner }
  notes: { command: sh }
windows:
  - name: work
    layout: main-vertical
    panes: [planner, builder, tests]
  - name: notes
    panes: [notes, sleep 1000]
messages:
  - { to: tests, text: echo he''llo }
  - { to: planner, from: tests, text: they pass }
`;

/** A home whose work folder is a repository with a fleet's file. */
function home(file: string): MuxHome {
  const one = new MuxHome({ files: { 'team.yaml': file } });
  git(one.work, 'init', '--quiet', '--template=', '-b', 'main');
  git(one.work, 'add', '-A');
  git(one.work, 'commit', '--quiet', '-m', 'one');
  return one;
}

interface Listed {
  readonly name: string;
  readonly status: string;
  readonly worktree: string | null;
  readonly labels: readonly string[];
  readonly fleet: string | null;
  readonly window: number | null;
}

async function listed(one: MuxHome): Promise<readonly Listed[]> {
  return (await one.cli('list', '--json')).json().sessions as Listed[];
}

test('a fleet of four in a repository comes up, is told something, is saved, and goes down', async () => {
  const one = home(TEAM);
  try {
    const plan = await one.ok('up', '--dry-run', 'team.yaml');
    assert.match(plan, /^ {2}2 {2}builder {2}sh, .*worktree, after planner is ready$/m);
    assert.is((await one.cli('list')).status, 3, 'a dry run starts no server');
    const up = (await one.cli('up', 'team.yaml', '--json')).json();
    assert.equal(
      up.sessions.map((row: { name: string; state: string }) => `${row.name} ${row.state}`),
      ['planner started', 'builder started', 'tests started', 'notes started', 'notes: sleep 1000 started'],
    );
    const sessions = await listed(one);
    const named = new Map(sessions.map(session => [session.name, session]));
    assert.equal([...named.keys()].sort(), ['builder', 'notes', 'planner', 'sleep', 'tests']);
    assert.ok(sessions.every(session => session.fleet === 'team'));
    assert.ok(named.get('planner')!.worktree && named.get('builder')!.worktree);
    assert.is(git(one.work, 'worktree', 'list').split('\n').length, 3);
    const windows = (await one.cli('list-windows', '--json')).json().windows;
    assert.equal(
      windows.map((row: { name: string; panes: number; active: boolean }) => [
        row.name,
        row.panes,
        row.active,
      ]),
      [
        ['work', 3, true],
        ['notes', 2, false],
      ],
    );
    await until('the message is there', async () =>
      (await one.ask('capture-pane', '-p', '-t', 'tests')).includes('\nhello'),
    );
    const said = (await one.ok('msg', 'conversation', 'planner', '--json')).trimEnd().split('\n');
    assert.equal(
      said.map(line => JSON.parse(line)).map(({ sender_name, body }) => [sender_name, body]),
      [['tests', 'they pass']],
    );
    const shape = async (): Promise<string> =>
      (await one.ok('list-windows', '-F', '#{window_name} #{window_layout}')).replace(
        /^(\w+) \w+,|,\d+(?=[,\]}\n])/gm,
        '$1',
      );
    const before = await shape();
    const file = (await one.ok('fleet', 'save', 'team')).trim();
    assert.is((await one.cli('fleet', 'save', 'team')).status, 1);
    await one.ok('down', 'team.yaml');
    assert.equal(await listed(one), []);
    assert.is((await one.cli('down', 'team')).status, 3);
    await one.ok('up', file);
    assert.is(await shape(), before);
    await one.ok('down', '--stop', 'team');
    assert.ok((await listed(one)).every(session => session.status === 'stopped'));
    const again = (await one.cli('up', 'team', '--json')).json();
    assert.is(again.sessions[0].state, 'resumed');
    assert.is(await shape(), before);
    await one.ok('down', 'team');
  } finally {
    await one.end();
  }
});

test('a role that the graph does not have is told before anything starts', async () => {
  const one = home('sessions:\n  a: { command: sh }\n  b: { command: sh, role: "//:biulder" }\n');
  try {
    mkdirSync(join(one.work, '.sgpt'));
    writeFileSync(join(one.work, '.sgpt.json'), '{}');
    writeFileSync(join(one.work, '.sgpt/builder.role.md'), 'You build.\n');
    const { status, stderr } = await one.cli('up', 'team.yaml');
    assert.is(status, 3, stderr);
    assert.match(stderr, /fleet .*: b: .*biulder.*builder/);
    assert.equal(await listed(one), []);
  } finally {
    await one.end();
  }
});

test('where one does not start, nothing remains; or the others go on, as the file says', async () => {
  const one = home('sessions:\n  a: { command: sh, worktree: true }\n  b: { command: exit 3, after: a }\n');
  try {
    const failed = await one.cli('up', 'team.yaml');
    assert.is(failed.status, 1);
    assert.match(
      failed.stderr,
      /^mux: fleet team: 1 of 2 did not start: b: .*status 3 \(nothing of it remains\)/,
    );
    assert.is(git(one.work, 'worktree', 'list').split('\n').length, 1);
    writeFileSync(
      join(one.work, 'team.yaml'),
      'on_failure: report\nsessions:\n  a: { command: sh }\n  b: { command: exit 3 }\n',
    );
    const told = await one.cli('up', 'team.yaml');
    assert.is(told.status, 1);
    assert.match(told.stderr, /1 of 2 did not start: b: .*\(the others run\)/);
    assert.is((await listed(one)).find(session => session.name === 'a')?.status !== 'stopped', true);
  } finally {
    await one.end();
  }
});

test('a file with a mistake starts nothing, not even a server', async () => {
  const one = home('sessions:\n  a: { comand: sh }\n');
  try {
    const result = await one.cli('up', 'team.yaml');
    assert.is(result.status, 2);
    assert.match(
      result.stderr,
      /^mux: team.yaml:2:8: sessions.a.comand: unknown key \(did you mean command\?\)/,
    );
    assert.equal(one.pids(), []);
  } finally {
    await one.end();
  }
});

test.run();
