/**
 * Commands about what sessions do and who needs a person.
 */
import { untilGone } from './gone.ts';
import { CodedError } from '../base/errors.ts';
import { parseDuration } from '../base/duration.ts';
import { attentionOf, summaryOf } from '../model/sessions.ts';
import { explainJson, explainLines } from '../status/explain.ts';
import { command, flag, printText, valued } from './define.ts';
import type { CommandContext, CommandSpec, ParsedArgs } from './spec.ts';
import { findSession } from './target.ts';

/** A summary holds for so much output where nothing else is said: what an agent does changes by the minute. */
const SUMMARY_MS = 5 * 60_000;
/** Longest text of a summary or a mark: a line in a list. */
const TEXT_MAX = 200;
/** Names of agents and events: those of every agent fit. */
const NAME = /^[\w.-]{1,64}$/;

const TARGET = valued('t', 'SESSION', 'the session; absent: the one this runs in');

export const STATUS_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'status',
    group: 'Sessions',
    text: 'Say what a session does, in a few words; or explain its state',
    flags: [
      TARGET,
      valued('ttl', 'SEC', 'how long the words hold while there is output (default 300; 0: until changed)'),
      flag('clear', 'take the words back'),
      flag('explain', 'tell which evidence decides its state, and which lost'),
    ],
    args: '[TEXT]',
    maxArgs: 1,
    target: 'session',
    exec: statusCommand,
  }),
  command({
    name: 'attention',
    group: 'Sessions',
    text: 'Say that a session needs a person, and why',
    flags: [TARGET, flag('clear', 'it needs nobody any more')],
    args: '[TEXT]',
    maxArgs: 1,
    target: 'session',
    exec: attentionCommand,
  }),
];

/** Carried out for `mux hook`, which adds what came on its stdin. */
export const HOOK_COMMAND = command({
  name: 'hook',
  group: 'Sessions',
  text: 'Take in the report of an agent’s hook',
  args: 'AGENT EVENT [JSON]',
  minArgs: 2,
  maxArgs: 3,
  async exec(context, args) {
    const [agent = '', event = '', payload = ''] = args.rest;
    if (!NAME.test(agent) || !NAME.test(event)) throw new CodedError('usage', 'hook: no such agent or event');
    const session = context.model.sessions.get(context.caller.session);
    if (!session) throw new CodedError('not_found', 'hook: it was called outside a session');
    context.print(await context.host.hook(session, { agent, event, text: payload }, untilGone(context.gone)));
  },
});

function statusCommand(context: CommandContext, args: ParsedArgs): void {
  const { model, caller } = context;
  const session = findSession(context, args.value('t'));
  const text = onlyOne('status', args, ['clear', 'explain']);
  if (args.has('clear')) return model.sessions.setSummary(session, '', 0);
  if (text !== undefined) return model.sessions.setSummary(session, text, summaryMs(args.value('ttl')));
  const decision = model.sessions.decision(session);
  const now = context.clock.now();
  if (caller.json) {
    const facts = { id: session.id, name: session.name, summary: summaryOf(session) || null };
    const own = args.has('explain')
      ? explainJson(decision, now)
      : {
          status: decision.status,
          attention: attentionOf(decision) || null,
          need: decision.need ?? null,
        };
    return context.json({ ...facts, ...own });
  }
  const [first = '', ...rest] = explainLines(decision, now);
  const summary = summaryOf(session);
  printText(context, `${session.name}: ${first}${summary ? ` (${summary})` : ''}`);
  if (args.has('explain')) for (const line of rest) printText(context, line);
}

function attentionCommand(context: CommandContext, args: ParsedArgs): void {
  const session = findSession(context, args.value('t'));
  const text = onlyOne('attention', args, ['clear']);
  if (args.has('clear')) return context.model.sessions.seen(session);
  if (text !== undefined) return context.model.sessions.setAttention(session, text);
  const attention = attentionOf(context.model.sessions.decision(session));
  if (context.caller.json) context.json({ id: session.id, name: session.name, attention: attention || null });
  else if (attention) printText(context, attention);
}

/** The text, where it is given and no flag that speaks against it. Throws CodedError `usage`. */
function onlyOne(name: string, args: ParsedArgs, flags: readonly string[]): string | undefined {
  const [text] = args.rest;
  const given = flags.filter(one => args.has(one)).map(one => `--${one}`);
  const all = text === undefined ? given : ['TEXT', ...given];
  if (all.length > 1) throw new CodedError('usage', `${name}: ${all.join(' and ')} exclude each other`);
  if (text === undefined) return undefined;
  const clean = text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, TEXT_MAX);
  if (clean === '')
    throw new CodedError('usage', `${name}: the text is empty`, 'say --clear to take it back');
  return clean;
}

/** Seconds, or a duration like 5m; in ms. */
function summaryMs(ttl: string | undefined): number {
  if (ttl === undefined) return SUMMARY_MS;
  const ms = parseDuration(/^\d+$/.test(ttl) ? `${ttl}s` : ttl);
  return ms === 0 ? Infinity : ms;
}
