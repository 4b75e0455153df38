/**
 * The first message of a conversation: what the model is told of its surroundings, of how work is done here, and of its role. A
 * template says what of it in which order; a person may have one of their own.
 */
import { nearest } from '../base/errors.ts';
import { codeName, fencedText, plainText } from './material.ts';
import type { Note } from './notes.ts';
import * as texts from './prompt-texts.ts';

/** A file that is told whole, or its beginning. */
export interface ContextFile {
  /** As a person finds it. */
  readonly path: string;
  readonly text: string;
  /** More of it was left out. */
  readonly isCut: boolean;
}

/** What there is to tell. '' and empty lists: nothing. */
export interface PromptFacts {
  /** System and architecture: `Linux 6.8 x64`. */
  readonly os: string;
  readonly shell: string;
  readonly user: string;
  /** Absolute. */
  readonly home: string;
  readonly cwd: string;
  /** `2026-12-01`: no time of day, so that prompts of one day are the same to whoever caches them. */
  readonly date: string;
  /** What is checked out; '' outside of repositories. */
  readonly branch: string;
  /** Names of the tools that are on. */
  readonly tools: readonly string[];
  /** Names of the tool sets that are on. */
  readonly toolSets: readonly string[];
  /** What the person wants everywhere. */
  readonly personal: readonly ContextFile[];
  /** Files that the project has for agents, outermost first. */
  readonly project: readonly ContextFile[];
  readonly notes: readonly Note[];
  /** What the role says. */
  readonly role: string;
  /** Of an agent that another one has started: what it and its siblings are told. */
  readonly subAgent?: { readonly briefing: string } | undefined;
}

/** A finished prompt. */
export interface Prompt {
  readonly text: string;
  /** What is wrong with the template, a line each. */
  readonly warnings: readonly string[];
}

/** The order in which all is told where a person has said no other. The role comes last, where models weigh most. */
export const TEMPLATE = [
  'identity',
  'environment',
  'rules',
  'lores',
  'remember',
  'discovery',
  'personal',
  'project',
  'notes',
  'role',
  'sub_agent',
]
  .map(name => `{{${name}}}`)
  .join('\n\n');

/** What a template can name, each told or '' where there is nothing to tell. */
const PARTS: Readonly<Record<string, (facts: PromptFacts) => string>> = {
  identity: () => texts.IDENTITY,
  environment,
  rules: () => texts.RULES,
  lores: ({ tools }) =>
    !tools.includes('search_lores')
      ? ''
      : [texts.LORES, ...(tools.includes('propose_lore') ? [texts.PROPOSE] : [])].join('\n'),
  remember: ({ tools }) => (tools.includes('remember') ? texts.REMEMBER : ''),
  discovery: ({ toolSets }) =>
    toolSets.length === 0 ? '' : `${texts.DISCOVERY}\n\nSets: ${toolSets.map(codeName).join(', ')}.`,
  personal: ({ personal }) => files(texts.PERSON, personal),
  project: ({ project }) => files(texts.PROJECT, project),
  notes: ({ notes }) => (notes.length === 0 ? '' : `${texts.NOTES}\n\n${fencedText(notesText(notes))}`),
  role: ({ role }) => (role.trim() === '' ? '' : `# Your role\n\n${role.trim()}`),
  sub_agent: ({ subAgent }) => subAgentText(subAgent),
  os: ({ os }) => oneLine(os),
  shell: ({ shell }) => oneLine(shell),
  user: ({ user }) => oneLine(user),
  home: ({ home }) => oneLine(home),
  cwd: ({ cwd }) => oneLine(cwd),
  date: ({ date }) => oneLine(date),
  branch: ({ branch }) => oneLine(branch),
  tools: ({ tools }) => tools.map(oneLine).join(', '),
};

/** Names for templates. */
export const PART_NAMES: readonly string[] = Object.keys(PARTS);

/** Without these an agent would not be what it was started as: they are told behind a template that leaves them out. */
const ESSENTIAL = ['role', 'sub_agent'];

const HOLE = /\{\{\s*([\w-]+)\s*\}\}/g;

/**
 * The prompt for these facts. What the parts say is not looked through for names of parts again. Paragraphs of a template whose
 * parts have nothing to tell go away, with what stands beside the parts in them only where that is blank.
 */
export function systemPrompt(facts: PromptFacts, template: string = TEMPLATE): Prompt {
  const named = new Set([...template.matchAll(HOLE)].map(([, name = '']) => name));
  const left = ESSENTIAL.filter(name => !named.has(name)).map(name => `{{${name}}}`);
  const paragraphs = [
    ...template
      .replaceAll(/\r\n?/g, '\n')
      .trim()
      .split(/\n[ \t]*\n\s*/),
    ...left,
  ];
  const told = paragraphs.flatMap(paragraph => {
    const text = paragraph.replace(HOLE, (hole, name: string) =>
      Object.hasOwn(PARTS, name) ? PARTS[name]!(facts) : hole,
    );
    return text.trim() === '' ? [] : [text];
  });
  const unknown = [...named].filter(name => !Object.hasOwn(PARTS, name));
  return { text: told.join('\n\n'), warnings: unknown.map(unknownName) };
}

function unknownName(name: string): string {
  const near = nearest(name, PART_NAMES);
  const hint = near === undefined ? `known: ${PART_NAMES.join(', ')}` : `did you mean {{${near}}}?`;
  return `{{${name}}}: there is no such part (${hint})`;
}

function environment({ os, shell, user, home, cwd, date, branch }: PromptFacts): string {
  const rows = [
    ['System', os],
    ['Shell', shell],
    ['User', user],
    ['Home', home],
    ['Working directory', cwd],
    ['Git branch', branch],
    ['Date', date],
  ] as const;
  const lines = rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `- ${name}: ${codeName(value)}`);
  return ['# Surroundings', '', ...lines].join('\n');
}

function files(head: string, list: readonly ContextFile[]): string {
  if (list.length === 0) return '';
  const sections = list.map(({ path, text, isCut }) =>
    [
      `${codeName(path)}:`,
      fencedText(text),
      ...(isCut ? ['(It goes on; read the file for the rest.)'] : []),
    ].join('\n\n'),
  );
  return [head, ...sections].join('\n\n');
}

function notesText(notes: readonly Note[]): string {
  return notes.map(({ key, value }) => `- ${oneLine(key)}: ${oneLine(value)}`).join('\n');
}

function subAgentText(subAgent: PromptFacts['subAgent']): string {
  if (!subAgent) return '';
  const { briefing } = subAgent;
  return briefing.trim() === ''
    ? texts.SUB_AGENT
    : `${texts.SUB_AGENT}\n\nWhat all who work on it need to know:\n\n${fencedText(briefing)}`;
}

function oneLine(text: string): string {
  return plainText(text).replaceAll(/[\n\t]/g, '\ufffd');
}
