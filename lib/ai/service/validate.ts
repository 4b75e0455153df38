/** What requests must keep to, field by field: all that is wrong is told at once. */
import type { Violation } from '../service-error.ts';
import type { Block, Labels, Message, Role } from '../wire.ts';

const PAIRS_MAX = 64;
const VALUE_MAX = 63;
const TITLE_MAX = 512;
/** Kubernetes' rule of keys: an optional DNS name, and a name. */
const KEY =
  /^(?:(?=.{1,253}\/)[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?(?=[^/]{1,63}$)[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?$/;
/** Lower case where there is a case in ASCII, and letters of all other scripts. */
const VALUE = /^(?:[a-z0-9_-]|(?![A-Z])\p{L})*$/u;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

type Content = 'text' | 'thought' | 'tool_call' | 'partial_tool_call' | 'tool_result' | 'image';
const CONTENTS: readonly Content[] = [
  'text',
  'thought',
  'tool_call',
  'partial_tool_call',
  'tool_result',
  'image',
];

/** What each role may say. */
const ALLOWED: Readonly<Record<Role, readonly Content[]>> = {
  ROLE_UNSPECIFIED: [],
  ROLE_SYSTEM: ['text'],
  ROLE_ASSISTANT: ['thought', 'text', 'tool_call', 'image'],
  ROLE_USER: ['text', 'image'],
  ROLE_TOOL: ['tool_result'],
};

export function labelViolations(field: string, labels: Labels | undefined): Violation[] {
  const entries = Object.entries(labels ?? {});
  const many = entries.length > PAIRS_MAX ? [{ field, description: `has more than ${PAIRS_MAX} pairs` }] : [];
  return [
    ...many,
    ...entries.flatMap(([key, value]) => {
      if (!KEY.test(key)) return [{ field: `${field}.${key}`, description: 'is no key: [PREFIX/]NAME' }];
      if (value.length > VALUE_MAX || !VALUE.test(value)) {
        const description = `must be at most ${VALUE_MAX} lower-case letters, digits, _ or -`;
        return [{ field: `${field}.${key}`, description }];
      }
      return [];
    }),
  ];
}

export function titleViolations(field: string, title: string | undefined): Violation[] {
  const length = [...(title ?? '')].length;
  return length > TITLE_MAX ? [{ field, description: `is longer than ${TITLE_MAX} characters` }] : [];
}

export function uuidViolations(field: string, id: string | undefined): Violation[] {
  return id && !UUID.test(id) ? [{ field, description: 'is no UUID' }] : [];
}

/** What is wrong with a message that a client gives. */
export function messageViolations(field: string, message: Message | undefined, isInput = false): Violation[] {
  if (!message) return [{ field, description: 'is missing' }];
  const role = message.role ?? 'ROLE_UNSPECIFIED';
  const found: Violation[] = [];
  if (role === 'ROLE_UNSPECIFIED' || !Object.hasOwn(ALLOWED, role))
    found.push({ field: `${field}.role`, description: 'is missing' });
  else if (isInput && role === 'ROLE_ASSISTANT')
    found.push({ field: `${field}.role`, description: 'an assistant says nothing that is given to it' });
  if ((message.blocks ?? []).length === 0) found.push({ field: `${field}.blocks`, description: 'is empty' });
  return [
    ...found,
    ...blockViolations(`${field}.blocks`, role, message.blocks ?? []),
    ...labelViolations(`${field}.labels`, message.labels),
  ];
}

export function blockViolations(field: string, role: Role, blocks: readonly Block[]): Violation[] {
  const allowed = ALLOWED[role] ?? [];
  return blocks.flatMap((block, at) => {
    const content = CONTENTS.find(name => block[name] !== undefined);
    const path = `${field}[${at}]`;
    if (!content)
      return [{ field: path, description: block.signature ? 'has a signature and no content' : 'is empty' }];
    if (allowed.length > 0 && !allowed.includes(content))
      return [{ field: `${path}.${content}`, description: `does not belong to ${role}` }];
    return [];
  });
}
