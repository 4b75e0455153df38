/**
 * States from evidence: scenarios by agent, in ms since the program's start, and what may never be.
 */
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decide, type Facts } from '../../lib/status/decide.ts';
import { NO_EVIDENCE, type Evidence } from '../../lib/status/evidence.ts';
import { afterHook, conversationOf, parsePayload } from '../../lib/status/hooks.ts';
import { profileOf } from '../../lib/status/profiles.ts';
import {
  afterForeground,
  afterProgress,
  afterPrompt,
  afterScreen,
  afterState,
  afterTitle,
} from '../../lib/status/signals.ts';
import { explainJson, explainLines } from '../../lib/status/explain.ts';
import { CLAUDE, CODEX, GEMINI, screenOf } from './screens.ts';

const test = suite('status');

/** One run of a program, played. */
class Run {
  evidence: Evidence = NO_EVIDENCE;
  now = 0;
  facts: { -readonly [K in keyof Facts]: Facts[K] };
  readonly agent: string;

  constructor(agent: string, isAi = true) {
    this.agent = agent;
    this.facts = {
      exit: undefined,
      hasProgram: true,
      isFullScreen: false,
      tells: isAi,
      startedAt: 0,
      firstOutputAt: undefined,
      lastWorkAt: -Infinity,
      lastInputAt: -Infinity,
      mark: undefined,
    };
  }

  at(ms: number): this {
    this.now = ms;
    return this;
  }
  output(): this {
    this.facts.firstOutputAt ??= this.now;
    this.facts.lastWorkAt = this.now;
    return this;
  }
  hook(event: string, payload: Record<string, unknown> = {}): this {
    this.evidence = afterHook(this.evidence, event, payload, this.now);
    return this;
  }
  title(text: string): this {
    this.evidence = afterTitle(this.evidence, text, profileOf(this.agent, true), this.now);
    return this.output();
  }
  screen(text: string): this {
    this.evidence = afterScreen(this.evidence, screenOf(text), profileOf(this.agent, true), this.now);
    return this.output();
  }
  osc(after: (evidence: Evidence, now: number) => Evidence): this {
    this.evidence = after(this.evidence, this.now);
    return this.output();
  }
  key(): this {
    this.facts.lastInputAt = this.now;
    return this;
  }
  get decision() {
    return decide(this.evidence, this.facts, this.now);
  }
  /** `working`, `needs-you permission`. */
  get state(): string {
    const { status, need } = this.decision;
    return need ? `${status} ${need}` : status;
  }
}

const idle = (ms: number): Run =>
  new Run('claude').at(0).output().at(ms).title('✳ Claude Code').screen(CLAUDE.idle);

test('a program that never shows anything is ready in the end, and is asked again by then', () => {
  const cat = new Run('cat', false).at(9999);
  assert.is(cat.state, 'starting');
  assert.is(cat.decision.until, 10_000);
  assert.is(cat.at(10_000).state, 'ready');
  assert.match(cat.decision.by.evidence, /no output yet/);
});

test('a program is starting until it shows something, an agent until it shows something known', () => {
  assert.is(new Run('bash', false).state, 'starting');
  assert.is(new Run('bash', false).output().state, 'working');
  const agent = new Run('claude').output();
  assert.is(agent.at(3000).state, 'starting');
  assert.is(agent.at(11_000).state, 'ready', 'but not for ever');
  assert.is(agent.at(3000).title('✳ Claude Code').state, 'ready');
});

test('output alone tells where nothing else does', () => {
  const run = new Run('make', false).output();
  assert.is(run.at(1499).state, 'working');
  assert.is(run.at(1500).state, 'ready');
});

test('Claude Code works, asks and is ready by its hooks', () => {
  const run = idle(100).at(2000).hook('UserPromptSubmit');
  assert.is(run.state, 'working');
  run.at(2500).hook('PreToolUse', { tool_name: 'Bash' });
  assert.equal([run.state, run.decision.reason], ['working', 'using Bash']);
  run.at(2600).hook('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'touch x\nls' } });
  assert.equal([run.state, run.decision.reason], ['needs-you permission', 'Bash: touch x ls']);
  run.at(2700).title('✳ Claude Code').screen(CLAUDE.permission);
  assert.is(run.at(60_000).state, 'needs-you permission', 'however long nobody comes');
  run.key().at(60_200).hook('PostToolUse', { tool_name: 'Bash' });
  assert.is(run.state, 'working');
  run.at(61_000).hook('Stop');
  assert.is(run.state, 'ready');
});

test('a tool’s name is one harmless line, however long and whatever is in it', () => {
  const run = new Run('claude')
    .at(0)
    .output()
    .hook('PreToolUse', { tool_name: `\x1b]0;x\x07\n${'a'.repeat(1e6)}` });
  const { reason } = run.decision;
  assert.not.match(reason, /\p{Cc}/u);
  assert.ok(reason.length <= 220, `${reason.length} characters`);
});

test('a late notice of a question that is known is no other question', () => {
  const run = idle(100).at(1000).hook('PermissionRequest', { tool_name: 'Bash' });
  const { reason } = run.decision;
  run.at(7000).hook('Notification', { notification_type: 'permission_prompt', message: 'needs you' });
  assert.equal([run.state, run.decision.reason, run.decision.by.at], ['needs-you permission', reason, 1000]);
});

test('a question that a person gives up is over, though no hook says so', () => {
  const run = idle(100).at(1000).hook('UserPromptSubmit').at(1500).screen(CLAUDE.permission);
  run.at(1550).hook('PermissionRequest');
  run.at(5000).key().at(5050).screen(CLAUDE.idle);
  assert.is(run.at(5900).state, 'ready');
});

test('a turn that is interrupted is over, though no hook says so', () => {
  const run = idle(100)
    .at(1000)
    .hook('UserPromptSubmit')
    .at(1050)
    .title('⠂ Claude Code')
    .screen(CLAUDE.working);
  run.at(4000).title('✳ Claude Code').screen(CLAUDE.idle);
  assert.is(run.state, 'working', 'not for a moment between two steps');
  assert.is(run.at(4800).state, 'ready');
});

test('work that no hook tells of is seen', () => {
  const run = idle(100).at(1000).hook('Stop');
  run.at(9000).title('⠐ Claude Code').screen(CLAUDE.working);
  assert.is(run.state, 'working');
});

test('a hook that has become old counts no more', () => {
  const run = new Run('claude').output().hook('UserPromptSubmit');
  assert.is(run.at(29_999).state, 'working');
  assert.is(run.at(30_000).state, 'ready');
});

test('a question in a tool is one, and a plan wants permission', () => {
  assert.is(idle(0).hook('PreToolUse', { tool_name: 'AskUserQuestion' }).state, 'needs-you question');
  assert.is(idle(0).hook('PreToolUse', { tool_name: 'ExitPlanMode' }).state, 'needs-you permission');
  assert.is(idle(0).hook('StopFailure', { error: 'overloaded' }).decision.reason, 'overloaded');
});

test('without hooks a dialog on the screen beats title and state', () => {
  assert.is(idle(100).at(5000).screen(CLAUDE.permission).state, 'needs-you permission');
  assert.is(idle(100).at(5000).screen(CLAUDE.trust).state, 'needs-you question');
  const codex = new Run('codex').output().osc((e, now) => afterState(e, 'working', now));
  assert.is(codex.state, 'working');
  assert.is(codex.at(100).screen(CODEX.permission).state, 'needs-you permission');
  assert.is(codex.at(900).screen(CODEX.working).state, 'working');
  codex
    .at(2000)
    .osc((e, now) => afterState(e, 'idle', now))
    .screen(CODEX.idle);
  assert.equal([codex.at(2100).state, codex.at(2400).state], ['working', 'ready']);
});

test('Gemini tells by its title', () => {
  const run = new Run('gemini').output().title('◇  Ready (work)');
  assert.is(run.state, 'ready');
  assert.is(run.at(1000).title('✦  Working… (work)').state, 'working');
  assert.is(run.at(2000).title('✋  Action Required (work)').state, 'needs-you permission');
  assert.is(run.at(3000).title('◇  Ready (work)').screen(GEMINI.permission).state, 'needs-you permission');
});

test('an agent with a permanent footer, or old words on the screen, is idle', () => {
  for (const [name, text] of Object.entries({
    footer: CLAUDE.idle.replace('? for shortcuts', '⏵⏵ accept edits on (shift+tab to cycle)'),
    words: CLAUDE.idle.replace(
      'Done: the file is there.',
      'press esc to interrupt, or Do you want to proceed?',
    ),
    menu: CLAUDE.permission.split('\n').slice(0, -3).join('\n') + '\n' + CLAUDE.idle,
    draft: CLAUDE.idle.replace('❯ ', '❯ say esc to interrupt'),
  }))
    assert.is(idle(0).at(5000).screen(text).at(9000).state, 'ready', name);
});

test('a refused key or login is an error, not a question', () => {
  const text = CLAUDE.idle.replace('● Done: the file is there.', '  ⎿  API Error: 401 invalid x-api-key');
  const run = new Run('claude').output().at(5000).screen(text).at(9000);
  assert.is(run.state, 'needs-you error');
});

test('a title of the person’s own tells nothing: the screen does', () => {
  const run = idle(100).at(1000).title('my project').screen(CLAUDE.working);
  assert.is(run.state, 'working');
});

test('a shell is ready at its prompt and works while a command runs', () => {
  const run = new Run('bash', false).output().osc((e, now) => afterPrompt(e, 'A', now));
  assert.is(run.state, 'ready');
  run.at(1000).osc((e, now) => afterPrompt(e, 'C', now));
  assert.is(run.at(500_000).state, 'working', 'however quiet the command');
  run.osc((e, now) => afterPrompt(e, 'D', now));
  assert.is(run.state, 'ready');
});

test('a shell without marks works while something else is in front', () => {
  const run = new Run('bash', false).output();
  run.evidence = afterForeground(run.evidence, 'sleep', false, 200);
  assert.is(run.at(90_000).state, 'working');
  run.evidence = afterForeground(run.evidence, 'bash', false, 90_000);
  assert.is(run.state, 'ready');
  run.evidence = afterForeground(run.evidence, 'vim', true, 91_000);
  assert.is(run.at(95_000).state, 'ready', 'an editor waits for keys');
});

test('progress is work, and its end is none', () => {
  const run = new Run('make', false).output().osc((e, now) => afterProgress(e, 3, now));
  assert.is(run.at(90_000).state, 'working');
  run.evidence = afterProgress(run.evidence, 0, 90_000);
  assert.is(run.at(92_000).state, 'ready');
});

test('a program that asks on its last row needs somebody', () => {
  const asks = (text: string): string => new Run('apt', false).screen(text).at(5000).state;
  assert.is(asks('Do you want to continue? [Y/n] '), 'needs-you question');
  assert.is(asks("kim's password: "), 'needs-you question');
  assert.is(asks('Continue? [y/N] \n$ '), 'ready', 'not once it has been answered');
});

test('a mark asks for a look until more is known', () => {
  const run = idle(100).at(3000);
  const claim = { source: 'mark', status: 'needs-you', reason: 'bell', evidence: 'BEL' } as const;
  run.facts.mark = { ...claim, need: 'question', at: 3000, until: Infinity };
  assert.equal([run.state, run.decision.by.evidence], ['needs-you question', 'BEL']);
  assert.is(run.hook('PermissionRequest').state, 'needs-you permission');
});

test('an explanation names what decided, what lost and why', () => {
  const run = idle(100).at(2000).hook('UserPromptSubmit').at(5000);
  const [first, by, ...lost] = explainLines(run.decision, run.now);
  assert.is(first, 'working');
  assert.is(by, '  decided by hook: UserPromptSubmit, 3s ago');
  assert.match(lost.join('\n'), /title lost: title ✳ says ready, 4s ago; hook is believed first/);
  const json = explainJson(run.decision, run.now) as { decided_by: object; lost: unknown[] };
  assert.equal(json.decided_by, { source: 'hook', evidence: 'UserPromptSubmit', age: 3 });
  assert.is(json.lost.length, 3);
});

test('conversation ids are taken where they are safe in an argument', () => {
  assert.is(conversationOf({ session_id: 'a-b.1' }), 'a-b.1');
  assert.is(conversationOf({ 'thread-id': 't1' }), 't1');
  for (const bad of ['', '--help', 'a b', 'x'.repeat(200), 7])
    assert.is(conversationOf({ session_id: bad }), '', String(bad));
  for (const text of ['', '[]', 'null', '"x"', '{', '7']) assert.equal(parsePayload(text), {}, text);
});

// Properties: whatever happens, in whatever order.

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'Notification', 'Stop', 'SessionEnd', 'toString', '__proto__']; // prettier-ignore
const SCREENS = [...Object.values(CLAUDE), ...Object.values(CODEX), '', '$ '];
const steps = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: 40_000 }),
    fc.oneof(
      fc.constantFrom(...EVENTS).map(event => (run: Run) => run.hook(event)),
      fc.constantFrom(...SCREENS).map(text => (run: Run) => run.screen(text)),
      fc.constantFrom('✳ x', '⠂ x', 'x', '').map(text => (run: Run) => run.title(text)),
      fc
        .constantFrom('A', 'B', 'C', 'D')
        .map(mark => (run: Run) => run.osc((e, now) => afterPrompt(e, mark, now))),
      fc
        .constantFrom('idle', 'working', 'x')
        .map(s => (run: Run) => run.osc((e, now) => afterState(e, s, now))),
      fc.constant((run: Run) => run.key()),
      fc.constant((run: Run) => run.output()),
    ),
  ),
  { maxLength: 30 },
);

function played(list: readonly (readonly [number, (run: Run) => unknown])[]): Run {
  const run = new Run('claude');
  for (const [ms, step] of list) step(run.at(run.now + ms));
  return run;
}

test('a program that has ended neither works nor needs anybody', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (list, isFailure) => {
      const run = played(list);
      run.facts.exit = { isFailure, text: '', at: run.now };
      assert.is(run.state, isFailure ? 'failed' : 'stopped');
    }),
  );
});

test('what has scrolled away never asks: only the live end of the screen does', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...SCREENS), { maxLength: 6 }), history => {
      const text = [...history, CLAUDE.idle].join('\n');
      assert.is(new Run('claude').screen(text).at(20_000).state, 'ready');
    }),
  );
});

test('between two moments at which it may change, the state stays', () => {
  fc.assert(
    fc.property(steps, fc.double({ min: 0, max: 1, noNaN: true }), (list, part) => {
      const run = played(list);
      const { until } = run.decision;
      const before = run.state;
      const end = Math.min(until - 1, run.now + 3_600_000);
      assert.is(run.at(Math.floor(run.now + (end - run.now) * part)).state, before);
    }),
  );
});

test.run();
