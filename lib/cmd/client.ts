/**
 * Commands on attached terminals and on the server.
 */
import { CodedError } from '../base/errors.ts';
import type { CommandSpec } from './spec.ts';
import { command, flag, format, printTable, printText, valued } from './define.ts';

export const CLIENT_COMMANDS: readonly CommandSpec[] = [
  command({
    name: 'clients',
    data: ['F'],
    aliases: ['list-clients', 'lsc'],
    group: 'Screen',
    text: 'List the attached terminals',
    flags: [valued('F', 'FORMAT', 'what to print of each')],
    exec(context, args) {
      const clients = context.host.clients();
      const wanted = args.value('F');
      if (context.caller.json) {
        context.json({
          clients: clients.map(c => ({
            id: c.id,
            tty: c.tty,
            cols: c.cols,
            rows: c.rows,
            read_only: c.isReadOnly,
            idle_seconds: c.idleSeconds,
          })),
        });
      } else if (wanted !== undefined) {
        for (const client of clients)
          printText(context, format(context, wanted, { client, pane: context.model.windows.focused }));
      } else {
        printTable(
          context,
          ['ID', 'TTY', 'SIZE', 'IDLE', ''],
          clients.map(c => [
            c.id,
            c.tty,
            `${c.cols}x${c.rows}`,
            `${c.idleSeconds}s`,
            c.isReadOnly ? 'read-only' : '',
          ]),
        );
      }
    },
  }),
  command({
    name: 'detach',
    aliases: ['detach-client'],
    group: 'Screen',
    text: 'Leave: let a terminal go, the sessions live on',
    flags: [
      { name: 'a', alias: 'all', text: 'all terminals' },
      valued('t', 'CLIENT', 'the terminal, by its id or tty'),
    ],
    exec(context, args) {
      const { host } = context;
      const message = '[detached]';
      if (args.has('a')) {
        host.detach(undefined, message);
        return;
      }
      const wanted = args.value('t');
      const one =
        wanted === undefined
          ? context.client?.id
          : host.clients().find(c => c.id === wanted || c.tty === wanted)?.id;
      if (one !== undefined) host.detach([one], message);
      else if (wanted === undefined) throw new CodedError('failed', 'detach: no terminal is attached');
      else throw new CodedError('not_found', `client ${wanted}: no such client`, "'mux clients' lists them");
    },
  }),
  command({
    name: 'kill-server',
    group: 'Screen',
    text: 'End every session and the server',
    flags: [flag('y', 'do not ask')],
    exec(context, args) {
      // The program has asked before it passes -y; keys ask with confirm-before.
      if (!args.has('y') && !context.isInterface)
        throw new CodedError('usage', 'kill-server: every session would be ended', 'say -y');
      context.host.shutdown();
    },
  }),
  command({
    name: 'server-hand-over',
    group: 'Screen',
    text: 'End the server alone: its sessions go on, for the next server',
    exec: context => context.host.handOver(),
  }),
  command({
    name: 'server-status',
    group: 'Screen',
    text: 'Tell about the running server',
    exec(context) {
      const status = context.host.status();
      const facts = {
        server_pid: status.pid,
        version: status.version,
        protocol: status.protocol,
        uptime_seconds: Math.floor((context.clock.now() - status.startedAt) / 1000),
        socket: status.socket,
        host_pid: status.hostPid || null,
        host_protocol: status.hostProtocol || null,
        messages: status.messages || 'ok',
        sessions: context.model.sessions.all().length,
        clients: context.host.clients().length,
      };
      if (context.caller.json) return context.json(facts);
      for (const [key, value] of Object.entries(facts)) context.print(`${key.padEnd(16)}${value}`);
    },
  }),
];
