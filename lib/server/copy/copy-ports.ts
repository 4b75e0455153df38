/**
 * What copy mode does to the world: buffers, clipboards, shell commands, messages.
 */
import { performance } from 'node:perf_hooks';
import { errorText, toCoded } from '../../base/errors.ts';
import type { CopyPort } from '../../cmd/spec.ts';
import { feed } from '../../clipboard/feed.ts';
import { clipboardTool } from '../../clipboard/tool.ts';
import type { CopyTarget } from '../../mode/copy/intent.ts';
import { isCopyAction } from '../../mode/copy/reduce.ts';
import { selectedSpan } from '../../mode/copy/selection.ts';
import { wordText } from '../../mode/copy/words.ts';
import { boundedMatcher } from '../drive/bounded-match.ts';
import type { Asker, CopyPorts } from './copy-states.ts';
import { loginShell } from '../programs/launch.ts';
import type { MuxServer } from '../server.ts';

/** A clipboard tool hands its text over at once; one that takes this long waits for a desktop that is not there. */
const TOOL_LIMIT_MS = 2000;
/** A command of a person's own may do more, but it is not a service. */
const COMMAND_LIMIT_MS = 10_000;
/** Programs that get copied text at a time: a person copies one thing after the other. */
const MAX_FEEDS = 8;

/** The ports of one server. */
export function copyPorts(server: MuxServer): CopyPorts {
  const { clock, settings } = server.parts;
  let feeds = 0;
  const give = async (
    argv: readonly string[],
    data: Uint8Array,
    limitMs: number,
    asker: Asker,
  ): Promise<void> => {
    if (feeds >= MAX_FEEDS) return asker.message('copy: the commands before have not ended yet', 'error');
    feeds++;
    try {
      await feed({ argv, data, env: server.parts.env, clock, limitMs });
    } catch (error) {
      asker.message(`clipboard: ${errorText(toCoded(error))}; the text is in a paste buffer`, 'error');
    } finally {
      feeds--;
    }
  };
  return {
    model: server.model,
    options: settings.options,
    matcher: boundedMatcher(),
    changed(pane) {
      for (const client of server.clients.all()) {
        client.screen.paneChanged(pane);
        client.changed();
      }
    },
    copy(text, target, asker) {
      const data = Buffer.from(text);
      if (target.keeps) {
        keep(server, data, target);
        asker.message(copiedText(text), 'info');
      }
      const command = target.pipe === undefined ? '' : target.pipe || settings.options.get('copy-command');
      const shell = loginShell(server.parts.env);
      if (command !== '') return void give([shell, '-c', command], data, COMMAND_LIMIT_MS, asker);
      const tool = target.keeps ? clipboardTool(server.parts.env) : undefined;
      if (tool) void give(tool, data, TOOL_LIMIT_MS, asker);
    },
    now: () => performance.now(),
    soon(step) {
      const immediate = setImmediate(step);
      return { dispose: () => clearImmediate(immediate) };
    },
  };
}

/** Into a buffer, and on the clipboards of the attached terminals. */
function keep(server: MuxServer, data: Uint8Array, { appends }: CopyTarget): void {
  const newest = appends ? server.buffers.get() : undefined;
  if (!newest) return server.copyOut(data);
  const whole = Buffer.concat([newest.data, data]);
  server.buffers.set(whole, server.parts.clock.now(), newest.name);
  server.toClipboards(whole);
}

/** `Copied 12 characters`, `Copied 3 lines`. */
function copiedText(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n').length;
  const characters = Array.from(text.slice(0, MAX_COUNTED)).length;
  if (lines > 1) return `Copied ${lines} lines`;
  return `Copied ${characters} ${characters === 1 ? 'character' : 'characters'}`;
}
/** Nobody wants to know more exactly. */
const MAX_COUNTED = 100_000;

/** Copy mode as commands see it. */
export function copyPort(server: MuxServer, asker: Asker): CopyPort {
  const { copies } = server;
  return {
    enter: (pane, how) => copies.enter(pane.id, how),
    leave: pane => copies.leave(pane.id),
    isAction: isCopyAction,
    action: (pane, name, { args, count }) => copies.action(pane.id, name, asker, args, count),
    facts(pane) {
      const state = copies.get(pane.id);
      const context = state && copies.context(pane.id);
      if (!state || !context) return undefined;
      const { cursor, top, search } = state;
      const span = selectedSpan(state, context);
      return {
        cursor: { x: cursor.x, y: cursor.y - top },
        scroll: -top,
        selection: span && { start: span.start, end: span.end },
        isRectangle: state.isRectangle,
        word: wordText(context.reader, cursor, context.separators),
        line: context.reader.row(cursor.y).cells.join('').trimEnd(),
        search: search && { text: search.text, isFound: search.match !== undefined },
      };
    },
  };
}
