/**
 * Layout commands against tmux's own: the same scripts run in both, and after every step each pane must lie where it
 * lies there and the same one must be active.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { has, Mux } from './mux.ts';
import { Tmux } from './tmux.ts';

const test = suite('layout commands lie as in tmux');

/** What a script does → its steps. `%0` is the window's first pane, `%1` the next one that is made, and so on. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  'a split in two is above each other': ['split-window cat'],
  'a split with -h is side by side': ['split-window -h cat'],
  'splits go on in the new pane': ['split-window -h cat', 'split-window -v cat', 'split-window -h cat'],
  'a split with -b comes before': ['split-window -b cat', 'split-window -hb cat'],
  'a split with -f spans the window': ['split-window -h cat', 'split-window -f cat', 'split-window -fh cat'],
  'a split with -f and -b spans it before': [
    'split-window -h cat',
    'split-window -fb cat',
    'split-window -fbh cat',
  ],
  'a split of a size in cells': ['split-window -l 5 cat', 'split-window -h -l 20 cat'],
  'a split of a size in percent': [
    'split-window -l 25% cat',
    'split-window -h -l 30% cat',
    'split-window -l 50% cat',
  ],
  'a size counts for the pane before too': ['split-window -b -l 5 cat', 'split-window -hb -l 30% cat'],
  'a size of a full split': [
    'split-window -h cat',
    'split-window -f -l 4 cat',
    'split-window -fh -l 20% cat',
  ],
  'a target is split': ['split-window -h cat', 'split-window -t %0 cat', 'split-window -d -t %1 cat'],
  'a split with -d keeps the focus': ['split-window -d cat', 'split-window -hd cat'],
  'a row of three gets even halves': [
    'split-window -h cat',
    'split-window -h cat',
    'split-window -h -t %0 cat',
  ],
  'a closed pane gives its place to its neighbour': [
    'split-window -h cat',
    'split-window cat',
    'split-window cat',
    'kill-pane -t %2',
    'kill-pane -t %1',
  ],
  'a closed first pane gives its place to the next': [
    'split-window cat',
    'split-window -h -t %0 cat',
    'kill-pane -t %0',
    'kill-pane -t %2',
  ],
  'kill-pane -a leaves one': ['split-window -h cat', 'split-window cat', 'kill-pane -a -t %1'],
  'a border moves by cells': [
    'split-window -h cat',
    'resize-pane -L -t %0 5',
    'resize-pane -R -t %0 10',
    'resize-pane -L 3',
    'resize-pane -R',
  ],
  'a border moves up and down': [
    'split-window cat',
    'split-window cat',
    'resize-pane -U 2',
    'resize-pane -D -t %0 3',
    'resize-pane -U -t %1 4',
    'resize-pane -D -t %1 1',
  ],
  'a border of a nested pane moves': [
    'split-window -h cat',
    'split-window cat',
    'resize-pane -L -t %2 7',
    'resize-pane -U -t %2 3',
    'resize-pane -D -t %1 5',
    'resize-pane -R -t %1 2',
  ],
  'a border moves no further than there is room': [
    'split-window -h cat',
    'split-window -h cat',
    'resize-pane -L -t %1 100',
    'resize-pane -R -t %0 200',
  ],
  'a pane is given a size': [
    'split-window -h cat',
    'split-window cat',
    'resize-pane -x 20 -t %0',
    'resize-pane -y 5 -t %1',
    'resize-pane -x 30 -y 15 -t %2',
    'resize-pane -x 25% -t %0',
    'resize-pane -y 50% -t %2',
  ],
  'a middle pane is given a size': [
    'split-window -h cat',
    'split-window -h cat',
    'resize-pane -x 30 -t %1',
    'resize-pane -x 5 -t %1',
    'resize-pane -x 10 -t %0',
  ],
  'two panes are swapped': [
    'split-window -h cat',
    'split-window cat',
    'swap-pane -s %0 -t %2',
    'swap-pane -s %1 -t %2',
  ],
  'a pane is swapped with its neighbours': [
    'split-window -h cat',
    'split-window cat',
    'swap-pane -U -t %2',
    'swap-pane -U -t %2',
    'swap-pane -D -t %2',
    'swap-pane -D -t %0',
    'swap-pane -U -t %1',
  ],
  'swapping with -d keeps the focus with the pane': [
    'split-window -h cat',
    'split-window cat',
    'swap-pane -d -s %0 -t %2',
    'swap-pane -d -U -t %2',
    'swap-pane -d -D -t %1',
    'swap-pane -d -s %1 -t %0',
  ],
  'a pane breaks out': ['split-window -h cat', 'split-window cat', 'break-pane -d -s %1', 'break-pane -s %0'],
  'a pane joins another window': [
    'split-window -h cat',
    'break-pane -d -s %1',
    'split-window cat',
    'join-pane -h -s %1 -t %0',
    'break-pane -d -s %2',
    'join-pane -b -l 5 -s %2 -t %1',
  ],
  'a pane joins within its window': [
    'split-window -h cat',
    'split-window cat',
    'join-pane -s %2 -t %0',
    'join-pane -h -b -s %1 -t %2',
  ],
  'a pane joins without taking the focus': [
    'split-window -h cat',
    'break-pane -d -s %1',
    'join-pane -d -s %1 -t %0',
  ],
  'the focus moves by direction': [
    'split-window -h cat',
    'split-window cat',
    'select-pane -L',
    'select-pane -R',
    'select-pane -U',
    'select-pane -D',
    'select-pane -L',
    'select-pane -L',
    'select-pane -t %1',
    'last-pane',
    'select-pane -l',
  ],
  'panes rotate': [
    'split-window -h cat',
    'split-window cat',
    'rotate-window',
    'rotate-window -D',
    'rotate-window -U',
  ],
  // In windows that divide without a rest: who gets that changes with tmux's versions.
  'the five arrangements of two': [
    'resize-window -x 79 -y 23',
    'split-window cat',
    'select-layout even-horizontal',
    'select-layout even-vertical',
    'select-layout main-horizontal',
    'select-layout main-vertical',
    'select-layout tiled',
  ],
  'the five arrangements of three': [
    'resize-window -x 77 -y 23',
    'split-window cat',
    'split-window cat',
    'select-layout even-horizontal',
    'select-layout even-vertical',
    'select-layout main-horizontal',
    'select-layout main-vertical',
    'select-layout tiled',
  ],
  'the five arrangements of five': [
    'resize-window -x 79 -y 19',
    'split-window cat',
    'split-window cat',
    'select-layout tiled',
    'split-window cat',
    'select-layout tiled',
    'split-window cat',
    'select-layout even-horizontal',
    'select-layout even-vertical',
    'select-layout main-horizontal',
    'select-layout main-vertical',
    'select-layout tiled',
  ],
  'panes are spread evenly': ['split-window -h cat', 'split-window -h cat', 'select-layout -E'],
  'a window changes its size': [
    'split-window -h cat',
    'split-window cat',
    'resize-window -x 100 -y 30',
    'resize-window -x 61 -y 17',
    'resize-window -x 80 -y 24',
  ],
  'a zoomed pane has the whole window': [
    'split-window -h cat',
    'resize-pane -Z',
    'resize-pane -Z',
    'resize-pane -Z -t %0',
  ],
  'a split ends the zoom': ['split-window -h cat', 'resize-pane -Z', 'split-window cat'],
};

const FORMAT =
  '#{pane_id} #{pane_width}x#{pane_height} #{pane_left},#{pane_top} #{window_index} #{pane_active} #{window_zoomed_flag}';
const SEPARATOR = '====';

interface Plan {
  readonly script: string;
  readonly firstPane: number;
  /** The script's commands, each step followed by a list of all panes. */
  readonly commands: readonly (readonly string[])[];
}

/** Panes are numbered on and on, so the numbers of each script's are known beforehand. */
function plans(): Plan[] {
  let firstPane = 1;
  return Object.entries(SCRIPTS).map(([script, steps]) => {
    const numbered = (word: string): string =>
      word.replace(/^%(\d+)$/, (_, n: string) => `%${firstPane + Number(n)}`);
    const commands = [
      ['new-window', 'cat'],
      ['resize-window', '-x', '80', '-y', '24'],
      ...steps.flatMap(step => [
        step.split(' ').map(numbered),
        ['list-panes', '-a', '-F', FORMAT],
        ['display-message', '-p', SEPARATOR],
      ]),
      // What is left of the script is closed, in whatever windows it lies.
      ['select-window', '-t', ':1'],
      ['kill-window', '-a', '-t', ':1'],
    ];
    const made = { script, firstPane, commands };
    firstPane += 1 + steps.filter(step => step.startsWith('split-window')).length;
    return made;
  });
}

const chain = (commands: readonly (readonly string[])[]): string[] =>
  commands.flatMap((words, i) => (i === 0 ? words : [';', ...words]));

/** What was listed after each step, without the pane that keeps the session alive, numbered from the script's first. */
function listings(output: string, firstPane: number): string[][] {
  return output
    .split(`${SEPARATOR}\n`)
    .slice(0, -1)
    .map(listing =>
      listing
        .split('\n')
        .filter(line => line !== '' && !line.startsWith('%0 '))
        .map(line => line.replace(/^%(\d+)/, (_, n: string) => `%${Number(n) - firstPane}`)),
    );
}

if (has('tmux')) {
  const ours = new Map<string, string[][]>();
  const theirs = new Map<string, string[][]>();
  // Not in a hook: what fails there is not told.
  test('both run all scripts', async () => {
    const mux = new Mux();
    await mux.ok('--detach', '--', 'cat');
    // In one call: a program's start takes longer than all of this.
    const all = listings(await mux.ok(...chain(plans().flatMap(plan => plan.commands))), 0);
    await mux.stop();
    for (const { script, firstPane } of plans()) {
      const own = all.splice(0, SCRIPTS[script]!.length);
      ours.set(
        script,
        own.map(lines => listings(`${lines.join('\n')}\n${SEPARATOR}\n`, firstPane)[0]!),
      );
    }
    const tmux = new Tmux();
    for (const { script, firstPane, commands } of plans())
      theirs.set(script, listings(tmux.run(chain(commands)), firstPane));
    tmux.stop();
  });
  for (const [script, steps] of Object.entries(SCRIPTS)) {
    test(script, () => {
      const told = (lists: string[][] | undefined): object[] =>
        steps.map((step, i) => ({ after: step, panes: lists?.[i] }));
      assert.equal(told(ours.get(script)), told(theirs.get(script)));
    });
  }
} else {
  test('there is nothing to compare with', () => undefined);
}
test.run();
