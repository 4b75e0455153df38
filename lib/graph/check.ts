/**
 * What is wrong with a graph that no file shows alone: mentions that lead nowhere, names that mean two things.
 */
import { nearest } from '../base/errors.ts';
import { directoryOf } from './address.ts';
import { BUILTIN_TOOLS } from './builtin-tools.ts';
import { DIAGNOSTIC_CODES } from './codes.ts';
import type { DiagnosticCode } from './codes.ts';
import type { GraphConfig, Mention } from './config.ts';
import type { ParsedFile } from './artifact.ts';
import { printable, quote } from './printable.ts';
import type { Failure, Resolver } from './resolve.ts';
import type { Reference } from './role.ts';
import type { Diagnostic, GraphRole } from './types.ts';

interface Spot {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A diagnostic with the severity of its code, and its remedy where the place has none. */
export function diagnostic(spot: Spot, code: DiagnosticCode, message: string, hint = ''): Diagnostic {
  const { severity, remedy } = DIAGNOSTIC_CODES[code];
  const { file, line, column } = spot;
  return { file: printable(file), line, column, severity, code, message, hint: hint || remedy };
}

/** Everything wrong with the own repository that is seen only with all of it, and what it imports, at hand. */
export function checkGraph(resolver: Resolver): Diagnostic[] {
  const { own } = resolver;
  const files = [...own.files.values()];
  const roles = resolver.shelf('role').list;
  return [
    ...aliasWarnings(resolver, roles),
    ...ambiguityWarnings(resolver),
    ...files.flatMap(file => referenceProblems(resolver, file)),
    ...files.flatMap(file => linkWarnings(resolver, file)),
    ...own.config.mentions.flatMap(mention => mentionProblems(resolver, mention)),
    ...cycleWarnings(resolver, roles),
  ];
}

/** Where the directive stands that gives a role this value. */
function spotOf(resolver: Resolver, role: GraphRole, directive: Reference['directive'], value: string): Spot {
  const references = resolver.own.files.get(role.file)?.references ?? [];
  const reference = references.find(r => r.directive === directive && r.value === value);
  return { file: role.file, line: reference?.line ?? 1, column: reference?.column ?? 1 };
}

/** An alias that several roles have, or that is the title of another role at the root. */
function aliasWarnings(resolver: Resolver, roles: readonly GraphRole[]): Diagnostic[] {
  return roles.flatMap(role => {
    if (role.alias === '') return [];
    const titled = resolver.shelf('role').bySelector.get(`//${role.alias}`);
    const before = resolver.aliased(role.alias).find(other => other.selector < role.selector);
    const owner = titled && titled !== role ? titled : before;
    if (!owner) return [];
    const message = `alias ${quote(role.alias)} already means ${owner.selector}`;
    return [diagnostic(spotOf(resolver, role, 'alias', role.alias), 'duplicate-alias', message)];
  });
}

/** `//x` names both the artifact `x` of the root and the directory `x`. */
function ambiguityWarnings(resolver: Resolver): Diagnostic[] {
  return [...resolver.shelf('role').list, ...resolver.shelf('toolset').list]
    .filter(a => directoryOf(a.selector) === '' && resolver.hasDirectory(a.title))
    .map(a => {
      const message = `//${a.title} is a directory of the graph too`;
      const spot = { file: a.file, line: 0, column: 0 };
      return diagnostic(spot, 'ambiguous-selector', message, `write //:${a.title}`);
    });
}

function referenceProblems(resolver: Resolver, { file, references = [] }: ParsedFile): Diagnostic[] {
  return references.flatMap(reference => {
    const { directive, value } = reference;
    const spot = { file, line: reference.line, column: reference.column };
    if (directive === 'role')
      return told(resolver.resolve('role', value).failure, spot, '@role', 'role', value);
    if (directive === 'tool') return toolProblems(resolver, value, spot, '@tool');
    if (directive === 'model') return modelProblems(resolver.own.config, value, spot, '@model');
    return [];
  });
}

/** What could not be resolved, as a problem; what is only broken is told where it is. */
function told(
  failed: Failure | undefined,
  spot: Spot,
  what: string,
  kind: 'role' | 'toolset' | 'lore',
  value: string,
): Diagnostic[] {
  if (!failed || failed.code === 'broken') return [];
  const code = ({ role: 'unknown-role', toolset: 'unknown-tool', lore: 'unknown-lore' } as const)[kind];
  const message = `${what} ${quote(value)}: ${failed.reason}`;
  return [diagnostic(spot, code, message, failed.hint)];
}

function toolProblems(resolver: Resolver, name: string, spot: Spot, what: string): Diagnostic[] {
  if (BUILTIN_TOOLS.has(name)) return [];
  const { failure } = resolver.resolve('toolset', name);
  const near = /[/:@]/.test(name) ? undefined : nearest(name, BUILTIN_TOOLS);
  if (!failure || !near) return told(failure, spot, what, 'toolset', name);
  const message = `${what} ${quote(name)}: no tool and no tool set of that name`;
  return [diagnostic(spot, 'unknown-tool', message, `did you mean ${near}?`)];
}

/** A full name holds '/'. Where no aliases are known at all, none can be called unknown. */
function modelProblems(config: GraphConfig, name: string, spot: Spot, what: string): Diagnostic[] {
  const known = config.models.flatMap(model => [model.alias, model.name]).filter(Boolean);
  if (name.includes('/') || known.length === 0 || known.includes(name)) return [];
  const near = nearest(name, known);
  const hint = near ? `did you mean '${printable(near)}'?` : '';
  return [diagnostic(spot, 'unknown-model', `${what} ${quote(name)}: no model has that alias`, hint)];
}

function linkWarnings(resolver: Resolver, { file, links = [] }: ParsedFile): Diagnostic[] {
  return links.flatMap(({ line, column, text, target }) => {
    const { failure } = resolver.resolve('lore', target);
    if (!failure || failure.code === 'broken') return [];
    const message = `link ${quote(text)}: no lore ${quote(target)}`;
    return [
      diagnostic(
        { file, line, column },
        'dead-link',
        message,
        failure.candidates.length > 0 ? failure.hint : '',
      ),
    ];
  });
}

function mentionProblems(resolver: Resolver, mention: Mention): Diagnostic[] {
  const { setting, value } = mention;
  const what = `chat.${setting}`;
  if (setting === 'default_model') return modelProblems(resolver.own.config, value, mention, what);
  if (setting === 'default_tools') return toolProblems(resolver, value, mention, what);
  const kind = setting === 'default_role' ? 'role' : 'lore';
  return told(resolver.resolve(kind, value).failure, mention, what, kind, value);
}

interface Step {
  readonly role: GraphRole;
  next: number;
}

/** Circles of includes, each at the include that closes it. Every role is entered once, however they are linked. */
function cycleWarnings(resolver: Resolver, roles: readonly GraphRole[]): Diagnostic[] {
  const problems: Diagnostic[] = [];
  const entered = new Set<GraphRole>();
  const depth = new Map<GraphRole, number>();
  for (const start of roles) {
    if (entered.has(start)) continue;
    const way: Step[] = [{ role: start, next: 0 }];
    entered.add(start);
    depth.set(start, 0);
    for (let step = way.at(-1); step; step = way.at(-1)) {
      const include = step.role.roles[step.next++];
      if (include === undefined) {
        depth.delete(step.role);
        way.pop();
        continue;
      }
      const found = resolver.resolve('role', include).found;
      if (found?.repository !== resolver.own) continue;
      const role = found.artifact;
      const at = depth.get(role);
      if (at !== undefined) {
        const circle = [...way.slice(at).map(s => s.role.selector), role.selector].map(printable);
        const message = `roles include each other: ${shortened(circle)}`;
        problems.push(diagnostic(spotOf(resolver, step.role, 'role', include), 'include-cycle', message));
      } else if (!entered.has(role)) {
        entered.add(role);
        depth.set(role, way.length);
        way.push({ role, next: 0 });
      }
    }
  }
  return problems;
}

/** Roles of a circle that are named. */
const MAX_CIRCLE = 6;

function shortened(circle: readonly string[]): string {
  if (circle.length <= MAX_CIRCLE) return circle.join(' → ');
  return [...circle.slice(0, MAX_CIRCLE - 2), '…', circle.at(-1)].join(' → ');
}

/**
 * Roles that nothing leads to: no alias, no default, no role that includes them. People may still call them by their
 * selector, so this is said only where somebody asks for everything.
 */
export function unusedRoles(resolver: Resolver): Diagnostic[] {
  const used = new Set<unknown>();
  for (const { references = [], file } of resolver.own.files.values())
    for (const { directive, value } of references) {
      const found = directive === 'role' ? resolver.resolve('role', value).found : undefined;
      if (found && found.artifact.file !== file) used.add(found.artifact);
    }
  for (const { setting, value } of resolver.own.config.mentions)
    if (setting === 'default_role') used.add(resolver.resolve('role', value).found?.artifact);
  return resolver
    .shelf('role')
    .list.filter(role => role.alias === '' && !used.has(role))
    .map(role =>
      diagnostic(
        { file: role.file, line: 0, column: 0 },
        'unused-role',
        `nothing leads to ${printable(role.selector)}: it has no alias, and no role includes it`,
      ),
    );
}
