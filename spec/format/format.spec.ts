import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expandFormat } from '../../lib/format/format.ts';
import type { FormatOptions } from '../../lib/format/format.ts';
import { cpuMs } from '../support/cpu.ts';

const test = suite('format');

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const graphemes = (text: string): string[] =>
  /^[ -~]*$/.test(text) ? text.split('') : [...segmenter.segment(text)].map(part => part.segment);
/** Enough of a width rule for these specs: CJK and emoji are two cells wide. */
const cellWidth = (text: string): number =>
  /^[ -~]*$/.test(text)
    ? text.length
    : graphemes(text).reduce(
        (sum, c) => sum + (/[\u3000-\u9fff]|\p{Emoji_Presentation}/u.test(c) ? 2 : 1),
        0,
      );
const options: FormatOptions = { cellWidth, graphemes };

const VALUES: Readonly<Record<string, string>> = {
  session_name: 'main',
  window_index: '2',
  pane_id: '%7',
  pane_title: 'Das Ende, 日本語',
  pane_current_path: '/home/kim/harbor/',
  pane_active: '1',
  pane_dead: '0',
  empty: '',
  hash: 'a#{pane_id}',
  shell: "it's $HOME; `x`\n~",
};
const f = (text: string): string =>
  expandFormat(text, name => (Object.hasOwn(VALUES, name) ? VALUES[name] : undefined), options);

function check(cases: Readonly<Record<string, string>>): void {
  for (const [text, expected] of Object.entries(cases)) assert.is(f(text), expected, text);
}

test('names become values, unknown names nothing', () => {
  check({
    '#{session_name}:#{window_index}': 'main:2',
    '[#{nobody}]': '[]',
    '#{constructor}': '',
    'plain text': 'plain text',
    '': '',
  });
});

test('single letters stand for the usual names', () => {
  check({ '#S:#I #D': 'main:2 %7', '#Z 100# #': '#Z 100# #', '#W': '' });
});

test('a hash makes the next character plain', () => {
  check({
    '##S': '#S',
    'a#,b': 'a,b',
    '#{?pane_active,a#,b,c}': 'a,b',
    '##{session_name}': '#{session_name}',
  });
});

test('a condition chooses, and conditions can follow each other', () => {
  check({
    '#{?pane_active,yes,no}': 'yes',
    '#{?pane_dead,yes,no}': 'no',
    '#{?empty,yes,no}': 'no',
    '#{?nobody,yes,no}': 'no',
    '#{?pane_dead,yes}': '',
    '#{?pane_dead,a,pane_active,b,c}': 'b',
    '#{?#{==:#{window_index},2},#{?pane_dead,x,#{session_name}},z}': 'main',
  });
});

test('comparisons and logic give 1 or 0', () => {
  check({
    '#{==:#{window_index},2}': '1',
    '#{!=:#{window_index},2}': '0',
    '#{<:a,b}#{>:a,b}#{<=:b,b}#{>=:a,b}': '1010',
    '#{&&:#{pane_active},#{pane_dead}}': '0',
    '#{||:#{pane_active},#{pane_dead}}': '1',
    '#{!:#{pane_dead}}': '1',
  });
});

test('truncation counts cells and never cuts a character in two', () => {
  check({
    '#{=3:session_name}': 'mai',
    '#{=-3:session_name}': 'ain',
    '#{=/2/…:session_name}': 'ma…',
    '#{=|-2|…:session_name}': '…in',
    '#{=9:session_name}': 'main',
    '#{=11:pane_title}': 'Das Ende, ',
    '#{=12:pane_title}': 'Das Ende, 日',
    '#{=-5:pane_title}': '本語',
    '#{=0:session_name}': '',
    '#{=#{window_index}:session_name}': 'ma',
  });
});

test('padding fills to cells', () => {
  check({
    '[#{p6:session_name}]': '[main  ]',
    '[#{p-6:session_name}]': '[  main]',
    '[#{p2:session_name}]': '[main]',
    '[#{=2;p4:session_name}]': '[ma  ]',
    '#{w:pane_title} #{n:session_name}': '16 4',
  });
});

test('paths can be taken apart', () => {
  check({ '#{b:pane_current_path}': 'harbor', '#{d:pane_current_path}': '/home/kim' });
  const path = (text: string, value: string): string => expandFormat(text, () => value, options);
  assert.equal(
    ['/', 'a', '', '/a', 'a/b'].map(p => [path('#{b:x}', p), path('#{d:x}', p)]),
    [
      ['/', '/'],
      ['a', '.'],
      ['', ''],
      ['a', '/'],
      ['b', 'a'],
    ],
  );
});

test('a quoted value is one word to a shell, and the same word', () => {
  fc.assert(
    fc.property(fc.oneof(fc.constant(VALUES['shell']!), fc.string({ unit: 'binary' })), value => {
      fc.pre(!value.includes('\0'));
      const word = expandFormat('#{q:x}', () => value, options);
      // Lone surrogates are not text: no process argument can carry them.
      fc.pre(!/[\ud800-\udfff]/u.test(value));
      const out = execFileSync('/bin/sh', ['-c', `printf '%s' ${word}`], { encoding: 'utf8' });
      assert.is(out, value);
    }),
    { numRuns: 40 },
  );
});

test('matches are replaced', () => {
  check({
    '#{s/a/o/:session_name}': 'moin',
    '#{s|/[a-z]+/$|/X|:pane_current_path}': '/home/kim/X',
    '#{s/^(.)(.*)$/\\2\\1/:session_name}': 'ainm',
    '#{s/MAIN/x/i:session_name}': 'x',
    '#{s/(/x/:session_name}': 'main',
    '#{s/x*/-/:session_name}': '-m-a-i-n-',
    '#{b;s/h/H/;=3:pane_current_path}': 'Har',
  });
});

test('nothing is run, and values are not formats', () => {
  check({ 'a#(rm -rf (x))b': 'ab', '#(': '', '#{hash}': 'a#{pane_id}', '#{l:a#,b #{x}}': 'a,b #{x}' });
});

test('what is not closed stays as it is', () => {
  check({ 'a#{b': 'a#{b', '#{?a,b': '#{?a,b', '#[fg=red]x': '#[fg=red]x' });
});

test('no text makes it throw, hang or grow', () => {
  const started = cpuMs();
  const nasty = [
    '#{'.repeat(8000),
    '#{?a,'.repeat(3000) + '}'.repeat(3000),
    '#{p99999999:x}'.repeat(1000),
    '#{s/(a*)*b/x/:aaa}',
    '#{s/((a{100}){100}){100}/x/:x}',
    '#{==:'.repeat(2000) + '}'.repeat(2000),
    '#{s/(.*.*.*.*)*Q/\\1\\1\\1\\1/:x}',
    '#{s/' + '('.repeat(5000) + '/x/:x}',
    '#{s/(a*)*b|a*//:x}'.repeat(800),
    '#{=-10:x}'.repeat(1800),
    '#{=' + '9'.repeat(400) + ':x}',
  ];
  for (const text of nasty) assert.ok(expandFormat(text, () => 'a'.repeat(5000), options).length <= 16_384);
  assert.ok(cpuMs() - started < 5000);
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'#{}?,:;=/&|!<>psbdqnwl()aSx*+^$[]-12…'), maxLength: 60 }),
      text => {
        assert.type(
          expandFormat(text, name => name, options),
          'string',
        );
      },
    ),
    { numRuns: 2000 },
  );
});

test.run();
