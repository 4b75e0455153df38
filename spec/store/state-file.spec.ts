/**
 * What becomes of a state file: of an older form, of a newer one, cut, damaged, hostile or gone.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError } from '../../lib/base/errors.ts';
import type { SavedSession, SavedState } from '../../lib/model/saved.ts';
import { backups, keptAside, restoreText } from '../../lib/store/backups.ts';
import { readState } from '../../lib/store/document.ts';
import { STATE_VERSION } from '../../lib/store/migrations.ts';
import { StateFile } from '../../lib/store/state-file.ts';
import { tempDir } from '../support/temp.ts';

const test = suite('state file');
const FIXTURES = join(import.meta.dirname, '../../../spec/fixtures/state');
const fixture = (version: number): string => readFileSync(join(FIXTURES, `v${version}.json`), 'utf8');
const NOW = Date.UTC(2026, 10, 30, 17, 50, 43);

function stateOf(version: number): SavedState {
  return readState(JSON.parse(fixture(version))).state;
}

interface Place {
  readonly folder: string;
  readonly path: string;
  readonly file: StateFile;
  readonly names: () => string[];
}

/** A state folder that holds `text` as the state, and `more` beside it. */
function place(
  text?: string,
  options: { rebuild?: SavedSession[]; more?: Record<string, string> } = {},
): Place {
  const folder = tempDir({ ...(text === undefined ? {} : { 'state.json': text }), ...options.more });
  const rebuild = (): SavedSession[] => options.rebuild ?? [];
  const file = new StateFile({ folder, version: '9.9.9', now: () => NOW, rebuild });
  return { folder, path: file.path, file, names: () => readdirSync(folder).sort() };
}

test('every version has a fixture, and each becomes the present one', () => {
  for (let version = 1; version <= STATE_VERSION; version++) {
    const { state, reports } = place(fixture(version)).file.load();
    assert.equal([state, reports], [stateOf(STATE_VERSION), []], `version ${version}`);
  }
  assert.equal(readState(JSON.parse(fixture(STATE_VERSION))).problems, []);
});

test('an older form is backed up byte for byte before the new one takes its place', () => {
  const { file, path, folder, names } = place(fixture(1));
  file.load();
  assert.is(readFileSync(`${path}.v1.bak`, 'utf8'), fixture(1));
  assert.is(JSON.parse(readFileSync(path, 'utf8')).version, STATE_VERSION);
  assert.equal(names(), ['state.json', 'state.json.v1.bak']);
  assert.equal(backups(folder), [{ path: `${path}.v1.bak`, version: 1 }]);
  assert.match(restoreText(backups(folder)[0]!), `cp ${path}.v1.bak ${path}`);
  assert.is(statSync(`${path}.v1.bak`).mode & 0o777, 0o600);
});

test('only the newest backup is kept, and the present form makes none', () => {
  const old = place(fixture(1), { more: { 'state.json.v0.bak': 'older' } });
  old.file.load();
  assert.equal(old.names(), ['state.json', 'state.json.v1.bak']);
  const present = place(fixture(STATE_VERSION), { more: { 'state.json.v1.bak': fixture(1) } });
  present.file.load();
  assert.equal(present.names(), ['state.json', 'state.json.v1.bak'], 'and the one that is there stays');
});

test('where no backup can be made the start fails and the state is untouched', () => {
  const { file, path, folder, names } = place(fixture(1));
  // A folder of that name is in the way, whoever asks.
  mkdirSync(join(folder, 'state.json.v1.bak'));
  const error = thrown(() => file.load());
  assert.match(error.message, /older form and its backup state\.json\.v1\.bak cannot be made/);
  assert.is(readFileSync(path, 'utf8'), fixture(1));
  assert.equal(names(), ['state.json', 'state.json.v1.bak']);
});

test('a newer form is refused in one line that says who wrote it, and nothing is touched', () => {
  const newer = JSON.stringify({ version: STATE_VERSION + 1, writtenBy: '12.3.0', sessions: 'unheard of' });
  const { file, path, names } = place(newer, {
    more: { 'state.json.new': 'x', 'state.json.copy': fixture(1) },
  });
  const error = thrown(() => file.load());
  assert.is(error.code, 'refused');
  assert.match(error.message, /mux 12\.3\.0 wrote it in form 3, and mux 9\.9\.9 reads no newer one than 2/);
  assert.match(error.hint!, /start that mux instead/);
  assert.not.match(error.message + error.hint!, /\n/);
  assert.is(readFileSync(path, 'utf8'), newer);
  assert.equal(names(), ['state.json', 'state.json.copy', 'state.json.new']);
  const hostile = place(JSON.stringify({ version: 99, writtenBy: '\x1b]0;x\x07\n' }));
  assert.match(thrown(() => hostile.file.load()).message, /: a newer mux wrote it/);
  const undone = place(newer, { more: { 'state.json.v1.bak': fixture(1) } });
  assert.match(thrown(() => undone.file.load()).hint!, /cp .*state\.json\.v1\.bak .*state\.json$/);
});

test('a file cut anywhere is kept aside and told, and its copy is used', () => {
  const whole = place().file.text(stateOf(2));
  const cuts = new Set<number>();
  for (let at = 0; at < whole.length; at += 512) cuts.add(at);
  for (let at = whole.length - 64; at < whole.length; at++) cuts.add(at);
  for (const at of cuts) {
    const cut = Buffer.from(whole).subarray(0, at).toString('latin1');
    const { file, folder } = place(undefined, { more: { 'state.json.copy': whole } });
    writeFileSync(file.path, cut, 'latin1');
    const { state, reports } = file.load();
    assert.equal(state, stateOf(2), `cut at ${at}`);
    // Without its last newline it is whole.
    if (Buffer.byteLength(whole) - at <= 1) continue;
    assert.is(reports.length, 1, `cut at ${at}`);
    assert.match(reports[0]!, /cut off or no JSON; it is kept as .*state\.json\.corrupt-20261130T175043Z;/);
    assert.match(reports[0]!, /5 sessions and 2 windows from its copy, 0 sessions from elsewhere/);
    assert.is(readFileSync(keptAside(folder)[0]!, 'latin1'), cut);
  }
});

test('without a copy the sessions are found by their logs, never an empty fleet without a word', () => {
  const { sessions } = stateOf(2);
  for (const text of [
    '',
    'null',
    '[]',
    '{}',
    '{"version":2}',
    '{"version":-1}',
    '\0\0\0\0',
    '{"version":1,"windows":3}',
  ]) {
    const { file } = place(text, { rebuild: [...sessions] });
    const { state, reports } = file.load();
    assert.equal(state!.sessions, sessions, text);
    assert.ok(state!.nextPane >= 8, 'no pane number is used again');
    assert.match(reports.join(), /5 sessions from elsewhere/);
    const { state: none, reports: told } = place(text).file.load();
    assert.equal([none!.sessions, told.length], [[], 1], text);
  }
});

test('sessions made after the copy was taken are added to it', () => {
  const state = stateOf(2);
  const before = { ...state, sessions: state.sessions.slice(0, 3) };
  const { file } = place('{', { rebuild: [...state.sessions] });
  writeFileSync(`${file.path}.copy`, file.text(before));
  assert.equal(file.load().state!.sessions, state.sessions);
});

test('a file that is gone is missed where anything else is left, and the first start is silent', () => {
  assert.equal(place().file.load(), { state: undefined, reports: [] });
  const { file } = place(undefined, { rebuild: [...stateOf(2).sessions] });
  assert.match(file.load().reports.join(), /it is missing; 0 sessions and 0 windows left of it, 5 sessions/);
});

test('one session that makes no sense costs no other, is kept, and comes back from the copy', () => {
  const document = JSON.parse(fixture(2)) as { sessions: Record<string, unknown>[] };
  document.sessions[1]!['launch'] = { argv: [], cwd: '/', env: {} };
  const text = JSON.stringify(document);
  const { file, folder, path } = place(text);
  const { state, reports } = file.load();
  assert.equal(
    state!.sessions.map(s => s.name),
    ['mill', 'bash', 'store', 'bash-2'],
  );
  assert.match(reports.join(), /sessions\[1\]\.launch\.argv: it names no program; a copy is kept as/);
  assert.is(readFileSync(keptAside(folder)[0]!, 'utf8'), text);
  assert.is(readFileSync(path, 'utf8'), text, 'until it is written anew');
  const again = place(text, { more: { 'state.json.copy': fixture(2) } }).file.load();
  assert.equal(again.state!.sessions.map(s => s.name).sort(), [
    'bash',
    'bash-2',
    'card-reader',
    'mill',
    'store',
  ]);
});

test('ids that would leave the folder of logs, and paths that are none, are not taken', () => {
  const { sessions } = JSON.parse(fixture(2)) as { sessions: Record<string, unknown>[] };
  const changes: Record<string, unknown>[] = [
    { id: '../../etc' },
    { id: '' },
    { id: '__proto__/x' },
    { name: '' },
    { name: '\x1b\x07' },
    { name: 3 },
    { launch: { argv: ['a\0b'], cwd: '/', env: {} } },
    { launch: { argv: ['a'], cwd: 'here', env: {} } },
    { launch: { argv: ['a'], cwd: '/', env: { 'A=B': 'c' } } },
    { launch: { argv: Array(100_001).fill('a'), cwd: '/', env: {} } },
    { parentId: '../x' },
    { place: { kind: 'worktree' } },
    { place: { kind: 'toString' } },
    { size: { cols: 1e9, rows: 1 } },
    { createdAt: 'yesterday' },
    { exit: { code: 0.5, signal: 0 } },
    { pane: '%x' },
    { starred: 1 },
  ];
  for (const change of changes) {
    const { state, problems } = readState({
      sessions: [{ ...sessions[0], ...change }, sessions[1]],
      windows: [],
      recentWindows: [],
      nextPane: 0,
    });
    assert.equal([state.sessions.length, problems.length], [1, 1], JSON.stringify(change).slice(0, 80));
    assert.not.match(problems[0]!, /\p{Cc}/u);
  }
});

test('texts that are shown lose what would act on a terminal', () => {
  const document = JSON.parse(fixture(2)) as { sessions: Record<string, unknown>[] };
  const { state } = readState({
    ...document,
    sessions: [{ ...document.sessions[0], name: 'a\x1b[2Jb\u202e', summary: 'x\r\ny' }],
  });
  assert.equal([state.sessions[0]!.name, state.sessions[0]!.summary], ['a[2Jb', 'xy']);
});

test('keys that nobody knows are passed over, __proto__ among them', () => {
  const text = fixture(2).replace('"sessions": [', '"__proto__": {"version": 9}, "future": 1, "sessions": [');
  const { state, reports } = place(text).file.load();
  assert.equal([state, reports], [stateOf(2), []]);
});

test('what is written is read again as it was, is ours alone, and has a copy', async () => {
  const { file, path, names } = place();
  const state = stateOf(2);
  await file.save({ ...state, nextPane: 10 });
  await file.save(state);
  assert.equal(file.load(), { state, reports: [] });
  assert.equal(names(), ['state.json', 'state.json.copy']);
  assert.is(readFileSync(`${path}.copy`, 'utf8'), readFileSync(path, 'utf8'));
  assert.is(statSync(path).mode & 0o777, 0o600);
  file.saveNow({ ...state, nextPane: 11 });
  assert.is(file.load().state!.nextPane, 11);
});

test('what a write that was cut off has left is removed, and is no obstacle', async () => {
  const { file, path, names } = place(fixture(2), {
    more: { 'state.json.new': '{"ver', 'state.json.new-last': '' },
  });
  chmodSync(`${path}.new`, 0o400);
  assert.equal(file.load().reports, []);
  assert.equal(names(), ['state.json']);
  writeFileSync(`${path}.new`, 'from a write under way');
  await file.save(stateOf(2));
  assert.equal(file.load().reports, []);
});

test('a path that is no file is an error in words', () => {
  const { file, folder } = place();
  mkdirSync(join(folder, 'state.json'));
  assert.match(
    thrown(() => file.load()).message,
    /state .*state\.json: it cannot be read: it is a directory/,
  );
});

test('of many damaged files the newest twenty are kept', () => {
  const more = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [
      `state.json.corrupt-20200101T0000${String(i).padStart(2, '0')}Z`,
      String(i),
    ]),
  );
  const { file, folder } = place('{', { more });
  file.load();
  const kept = keptAside(folder);
  assert.is(kept.length, 20);
  assert.is(readFileSync(kept.at(-1)!, 'utf8'), '{');
});

function thrown(work: () => unknown): CodedError {
  try {
    work();
  } catch (error) {
    assert.instance(error, CodedError);
    return error as CodedError;
  }
  return assert.unreachable('it must throw') as never;
}

test.run();
