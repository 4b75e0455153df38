/**
 * Mistakes on the command line: one line on stderr that says what, why and the remedy, or JSON on stdout, and the
 * status of the contract.
 */
// Some hundred programs are started, each of which takes long where many others run.
// spec-timeout: 400
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Mux } from './mux.ts';

const test = suite('mistakes');
const mux = new Mux();

interface Row {
  readonly words: readonly string[];
  readonly status: number;
  readonly code: string;
  readonly says: RegExp;
}

const row = (line: string, status: number, code: string, says: RegExp): Row => ({
  words: line.split(' ').map(word => word.replaceAll('_', ' ')),
  status,
  code,
  says,
});

/** Words parted by blanks; `_` stands for a blank in a word. */
const ROWS: readonly Row[] = [
  row(
    'frobnicate',
    2,
    'unknown_command',
    /^mux: frobnicate: unknown command \('mux --help' lists the commands\)$/,
  ),
  row('lst', 2, 'unknown_command', /did you mean list\?/),
  row('atach', 2, 'unknown_command', /did you mean attach\?/),
  row('confg path', 2, 'unknown_command', /did you mean config\?/),
  row('splt-window', 2, 'unknown_command', /did you mean split-window\?/),
  row('list-', 2, 'unknown_command', /could be list-windows, list-panes/),
  row('--jsno list', 2, 'unknown_flag', /unknown flag --jsno \(did you mean --json\?\)/),
  row('-q list', 2, 'unknown_flag', /unknown flag -q/),
  row('list --lable x', 2, 'unknown_flag', /did you mean --label\?/),
  row('split-window -Q', 2, 'unknown_flag', /unknown flag -Q \(usage: split-window/),
  row('list more', 2, 'usage', /list: unexpected 'more'/),
  row('rename-window', 2, 'usage', /rename-window: too few arguments/),
  row('split-window -t', 2, 'usage', /-t needs PANE/),
  row('split-window -l wide cat', 2, 'usage', /size 'wide' is not a whole number/),
  row('split-window -l 150% cat', 2, 'usage', /more than 100%/),
  row('resize-window -x 0', 2, 'usage', /width '0'/),
  row('resize-pane -L much', 2, 'usage', /amount 'much'/),
  row('select-layout spiral', 2, 'usage', /unknown arrangement 'spiral' \(one of even-horizontal/),
  row('bind-key NoSuchKey list', 2, 'invalid_key', /NoSuchKey/),
  row('bind-key x frobnicate', 2, 'unknown_command', /frobnicate/),
  row('bind-key x list_--frob', 2, 'unknown_flag', /--frob/),
  row('set-option prefx C-a', 3, 'not_found', /did you mean prefix\?/),
  row('set-option sidebar perhaps', 2, 'usage', /sidebar/),
  row('send-keys -H zz', 2, 'usage', /'zz' is not a byte/),
  row('new', 2, 'usage', /new: too few arguments/),
  row('new bad_name cat', 2, 'usage', /session name 'bad name'.*\(try 'bad-name'\)/),
  row('new again --env NOVALUE cat', 2, 'usage', /NAME=VALUE/),
  row('delete', 2, 'usage', /delete: say which sessions/),
  row('kill-server', 2, 'usage', /nobody to ask \(say -y\)/),
  row('kill-serv', 2, 'usage', /nobody to ask \(say -y\)/),
  row('list ; kill-server', 2, 'usage', /kill-server.*say -y/),
  row('attach', 2, 'not_a_terminal', /stdin is not a terminal \(use 'mux --detach'/),
  row('attach build', 2, 'not_a_terminal', /stdin is not a terminal/),
  row('config frob', 2, 'usage', /config: unknown 'frob'/),
  row('config', 2, 'usage', /config: say what/),
  row('server', 2, 'usage', /server: say what/),
  row('server frob', 2, 'usage', /server: unknown 'frob'/),
  row('version now', 2, 'usage', /version: unexpected 'now'/),
  row('help frobnicate', 2, 'unknown_command', /frobnicate/),
  row('-L a/b list', 2, 'usage', /server name/),
  row('-L', 2, 'usage', /-L: needs SERVER/),
  row('-L other list', 3, 'no_server', /^mux: server other: none is running \(start one with 'mux'\)$/),
  row('show nobody', 3, 'not_found', /session nobody: no such session/),
  row('show biuld', 3, 'not_found', /did you mean build\?/),
  row('stop build nobody', 3, 'not_found', /session nobody/),
  row('has-session -t nobody', 3, 'not_found', /session nobody/),
  row('select-window -t 99', 3, 'not_found', /window 99: no such window/),
  row('select-window -t mian', 3, 'not_found', /did you mean main\?/),
  row('select-window -t twin', 3, 'ambiguous', /window twin: matches \d+ \(twin\), \d+ \(twin\)/),
  row('kill-pane -t %99', 3, 'not_found', /pane %99: no such pane/),
  row('send-keys -t nobody x', 3, 'not_found', /pane nobody/),
  row('new x --agent shel', 3, 'not_found', /agent shel.*did you mean shell\?/),
  row('show-buffer -b none', 3, 'not_found', /buffer none: there is none/),
  row('source-file /nonexistent', 3, 'not_found', /no such file/),
  row('detach -t none', 3, 'not_found', /client none/),
  row('new build cat', 1, 'failed', /a session of this name exists \(choose another name\)/),
  row('new nothing no-such-program x', 1, 'failed', /no-such-program: no such program/),
  row('new elsewhere --repo /nonexistent cat', 1, 'failed', /directory \/nonexistent: it does not exist/),
  row('new-window -t 1 cat', 1, 'failed', /window 1 exists/),
  row('split-window -t small cat', 1, 'no_space', /no room for another pane/),
  row('respawn-pane -t main', 1, 'failed', /still runs \(end it first with -k\)/),
  row('send-keys -t main -X cursor-up', 1, 'failed', /not in copy mode \(enter it with 'mux copy-mode'\)/),
  row('copy-mode -t nobody', 3, 'not_found', /pane nobody/),
  row('save-history -t main /nonexistent/file', 3, 'not_found', /\/nonexistent\/file: no such file/),
  row('resume build', 1, 'failed', /runs already/),
];

/** Rows at once: more would only wait for each other on a small machine. */
const AT_ONCE = 3;

test('a server with some windows is there', async () => {
  await mux.ok('--detach', '--', 'cat');
  const setup = [
    ['rename-window', 'main'],
    ['new', 'build', '--background', 'cat'],
    ['new-window', '-d', '-n', 'twin', 'cat'],
    ['new-window', '-d', '-n', 'twin', 'cat'],
    ['new-window', '-d', '-n', 'small', 'cat'],
    ['resize-window', '-t', 'small', '-x', '80', '-y', '2'],
  ];
  await mux.ok(...setup.flatMap((words, i) => (i === 0 ? words : [';', ...words])));
});

test('each has its line and its status', async () => {
  const before = await mux.ok('list-panes', '-a');
  for (let at = 0; at < ROWS.length; at += AT_ONCE) {
    const rows = ROWS.slice(at, at + AT_ONCE);
    const answers = await Promise.all(rows.map(({ words }) => mux.run(words)));
    rows.forEach(({ words, status, says }, i) => {
      const { out, err, status: got } = answers[i]!;
      const what = `mux ${words.join(' ')}: ${err}`;
      // Of a chain what came before the mistake has been done and told.
      if (!words.includes(';')) assert.is(out, '', what);
      assert.is(got, status, what);
      assert.match(err, /^mux: [^\n]+\n$/, what);
      assert.match(err.trimEnd(), says, what);
    });
  }
  assert.is(await mux.ok('list-panes', '-a'), before, 'a mistake changed something');
});

test('in JSON mode each is a document on stdout with the same status', async () => {
  // Every sixth: what makes a code and a status is the same for all.
  const some = ROWS.filter((_, i) => i % 6 === 0);
  for (let at = 0; at < some.length; at += AT_ONCE) {
    const rows = some.slice(at, at + AT_ONCE);
    const answers = await Promise.all(rows.map(({ words }) => mux.run(['--json', ...words])));
    rows.forEach(({ words, status, code, says }, i) => {
      const { out, err, status: got } = answers[i]!;
      const what = `mux --json ${words.join(' ')}: ${out}`;
      // A chain has told of what came before the mistake.
      const { error } = JSON.parse(out.trimEnd().split('\n').at(-1)!) as {
        error: { code: string; message: string; hint: string };
      };
      assert.equal({ err, got, code: error.code }, { err: '', got: status, code }, what);
      assert.match(`mux: ${error.message}${error.hint ? ` (${error.hint})` : ''}`, says, what);
    });
  }
});

test('the server ends', () => mux.stop());

test.run();
