/**
 * `mux sandbox explain` and `mux sandbox run -- CMD`: what a program here would be let through to, and such a program.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodedError, nearest } from '../base/errors.ts';
import { revealed } from '../base/visible.ts';
import { parseArgs } from '../cmd/args.ts';
import { command, valued } from '../cmd/define.ts';
import type { CommandSpec, ParsedArgs } from '../cmd/spec.ts';
import { readConfig } from '../config/file.ts';
import type { Config } from '../config/load.ts';
import { decide, type Decision } from '../sandbox/decide.ts';
import { isHostAllowed, splitPort } from '../sandbox/hosts.ts';
import { thisMachine } from '../sandbox/machine.ts';
import { expandHome } from '../sandbox/paths.ts';
import { refuseTrouble, sandboxTrouble } from '../sandbox/settings.ts';
import { buildPolicy, type BuiltPolicy } from '../sandbox/policy.ts';
import { mergeRules } from '../sandbox/rules.ts';
import { inSandbox } from '../sandbox/start.ts';
import { ownPrograms, programFolders, realOf, repositoryAround } from '../sandbox/surroundings.ts';
import { chooseBackend } from '../sandbox/backends/table.ts';
import type { Operation, Policy, SandboxRules } from '../sandbox/types.ts';
import { isAgent, type AppContext } from './context.ts';
import { unknownWord } from './own-commands.ts';

const ABOUT = [
  valued('agent', 'A', 'with what is said of that entry of agents:'),
  valued('role', 'SEL', 'with what is said of that role'),
];

const EXPLAIN = spec('sandbox explain', '', [
  ...ABOUT,
  valued('path', 'P', 'whether that path may be read, or as --op says'),
  valued('op', 'read|write', 'what would be done to it'),
  valued('host', 'H', 'whether that host, or HOST:PORT, may be connected to'),
]);
const RUN = { ...spec('sandbox run', 'CMD…', ABOUT), minArgs: 1, wordsFrom: 0 };

const VERBS: Readonly<
  Record<string, (context: AppContext, words: readonly string[]) => Promise<number> | number>
> = {
  explain,
  run,
};

/** Resolves with the status: of `explain` 4 for what is refused. Throws CodedError. */
export async function sandboxCommand(
  context: AppContext,
  [verb, ...words]: readonly string[],
): Promise<number> {
  const act = verb !== undefined && Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!act) throw unknownWord('sandbox', verb, 'sandbox explain|run');
  return act(context, words);
}

function spec(name: string, args: string, flags: CommandSpec['flags']): CommandSpec {
  return command({ name, group: 'Screen', text: '', args, flags, maxArgs: Infinity, exec: () => undefined });
}

function explain(context: AppContext, words: readonly string[]): number {
  const args = parseArgs(EXPLAIN, words);
  if (args.rest.length > 0)
    throw new CodedError('usage', `sandbox explain: '${args.rest[0]}' is one word too many`);
  const { rules, policy, warnings } = here(context, args, join(tmpdir(), 'mux-sandbox'), []);
  const path = args.value('path');
  const host = args.value('host');
  if (path !== undefined) return tell(context, pathDecision(context, policy, path, operationOf(args)));
  if (host !== undefined) return tell(context, hostDecision(policy, host));
  const backend = backendHere(context, rules, policy);
  if (context.json === 'off') console.log(asText(rules, policy, backend, warnings));
  else
    console.log(
      JSON.stringify({
        enabled: rules.enabled,
        backend,
        network: policy.network,
        read: policy.read,
        write: policy.write,
        hidden: policy.hidden,
        fixed: policy.fixed,
        env: policy.env,
        warnings,
      }),
    );
  return 0;
}

async function run(context: AppContext, words: readonly string[]): Promise<number> {
  const args = parseArgs(RUN, words);
  const folder = mkdtempSync(join(tmpdir(), 'mux-sandbox-'));
  try {
    const argv = args.rest.length === 1 ? [context.env.SHELL || '/bin/sh', '-c', args.rest[0]!] : args.rest;
    const { rules, policy, warnings } = here(context, args, folder, argv);
    const started = inSandbox({
      policy,
      backend: rules.backend,
      argv,
      cwd: realOf(context.cwd) ?? context.cwd,
      env: context.env,
      given: [],
      folder,
      helper: [process.execPath, beside('sandbox-main.js')],
      bridge: [process.execPath, beside('bridge-main.js')],
      machine: thisMachine(context.env.PATH ?? '/usr/bin:/bin'),
    });
    for (const warning of [...warnings, ...started.notes])
      process.stderr.write(`mux: ${revealed(warning)}\n`);
    return await status(started.argv, started.env);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The status of a program that has this terminal. What the terminal sends is meant for it. */
function status(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) process.on(signal, () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('exit', (code, signal) => done(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/** The policy for a program that is started here. */
function here(
  context: AppContext,
  args: ParsedArgs,
  folder: string,
  argv: readonly string[],
): BuiltPolicy & { rules: SandboxRules } {
  const { env, paths, cwd, configFile } = context;
  // Whoever is confined, or an agent, could otherwise name settings that grant everything.
  if (isAgent(env) && context.invocation.config)
    throw new CodedError(
      'refused',
      'sandbox: settings of its own are not for an agent',
      'ask the person to do it',
    );
  const { config, problems } = readConfig(configFile);
  refuseTrouble(sandboxTrouble(problems));
  const agent = args.value('agent') ?? '';
  const rules = rulesOf(config, agent, args.value('role') ?? '');
  const { top, gitDirs } = repositoryAround(cwd);
  const path = env.PATH ?? '';
  const command_ = agent === '' ? '' : (config.agents[agent]?.command ?? '');
  const built = buildPolicy(
    rules,
    {
      home: realOf(env.HOME ?? '/') ?? '/',
      agent,
      work: [top],
      gitDirs,
      programs: [
        ...programFolders(argv[0] ?? '', path),
        ...programFolders(command_, path),
        ...programFolders(env.SHELL ?? '', path),
        ...ownPrograms([process.execPath, beside('main.js')]),
      ],
      stores: [],
      files: [],
      private: [dirname(paths.data), dirname(paths.state), paths.run],
      settings: configFile,
      temp: join(folder, 'tmp'),
      server: undefined,
    },
    realOf,
  );
  return { ...built, rules };
}

function rulesOf(config: Config, agent: string, role: string): SandboxRules {
  if (agent !== '' && !Object.hasOwn(config.agents, agent)) {
    const near = nearest(agent, Object.keys(config.agents));
    throw new CodedError(
      'not_found',
      `agent ${agent}: no such entry in agents:`,
      near && `did you mean ${near}?`,
    );
  }
  const roles = config.sandbox.roles;
  return mergeRules([
    config.sandbox,
    config.agents[agent]?.sandbox,
    Object.hasOwn(roles, role) ? roles[role] : undefined,
  ]);
}

function operationOf(args: ParsedArgs): Operation {
  const op = args.value('op') ?? 'read';
  if (op === 'read' || op === 'write') return op;
  throw new CodedError('usage', `sandbox explain --op ${op}: it is read or write`);
}

/** Of a path that is not there what is around it counts: there it would be made. */
function pathDecision({ cwd, env }: AppContext, policy: Policy, path: string, op: Operation): Decision {
  const wanted = resolve(cwd, expandHome(path, env.HOME ?? '/'));
  let at = wanted;
  while (realOf(at) === undefined && dirname(at) !== at) at = dirname(at);
  const real =
    `${realOf(at) === '/' ? '' : (realOf(at) ?? '')}${wanted.slice(at === '/' ? 0 : at.length)}` || '/';
  return decide(policy, real, op);
}

function hostDecision({ network }: Policy, text: string): Decision {
  const { host, port } = splitPort(text);
  const allowed = isHostAllowed(network, host, port);
  const why =
    typeof network === 'string'
      ? `sandbox.network is ${network}`
      : allowed
        ? 'sandbox.network lists it'
        : 'sandbox.network does not list it';
  return { allowed, why, rule: 'sandbox.network' };
}

function tell({ json }: AppContext, { allowed, why, rule }: Decision): number {
  if (json === 'off')
    console.log(`${allowed ? 'allowed' : 'refused'}: ${revealed(why)}${rule ? ` (${revealed(rule)})` : ''}`);
  else console.log(JSON.stringify({ allowed, why, rule }));
  return allowed ? 0 : 4;
}

/** Which backend would be used, or why none. */
function backendHere(
  { env }: AppContext,
  rules: SandboxRules,
  policy: Policy,
): { name: string; usable: boolean; detail: string } {
  try {
    const machine = thisMachine(env.PATH ?? '/usr/bin:/bin');
    const { backend, version, notes } = chooseBackend(rules.backend, machine, policy.network !== 'open');
    return { name: backend.name, usable: true, detail: [version, ...notes].join('; ') };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return {
      name: rules.backend,
      usable: false,
      detail: `${error.message}${error.hint ? ` (${error.hint})` : ''}`,
    };
  }
}

function asText(
  rules: SandboxRules,
  policy: Policy,
  backend: ReturnType<typeof backendHere>,
  warnings: readonly string[],
): string {
  const { network } = policy;
  const list = (title: string, grants: Policy['read']): string[] =>
    grants.length === 0
      ? []
      : ['', title, ...grants.map(({ path, why }) => `  ${revealed(path)}  ${revealed(why)}`)];
  return [
    `${rules.enabled ? 'on' : 'off'} for agents; ${backend.usable ? `by ${backend.name} ${backend.detail}` : backend.detail}`,
    `network: ${typeof network === 'string' ? network : network.allow.join(', ')}`,
    ...list('may be written', policy.write),
    ...list('may be read', policy.read),
    ...list('read and never written', policy.fixed),
    ...list('never seen', policy.hidden),
    ...warnings.map(warning => `\n${revealed(warning)}`),
  ].join('\n');
}

function beside(script: string): string {
  return fileURLToPath(new URL(`./${script}`, import.meta.url));
}
