/** A graph as a repository might have it. */
import type { Graph, GraphLore } from '../../lib/graph/types.ts';

export function lore(path: string, labels: Record<string, string> = {}, description = ''): GraphLore {
  const title = path.split('/').at(-1)!;
  return {
    selector: `lores/${path}`,
    name: `lores/${path}`,
    title,
    file: `.sgpt/lores/${path}.md`,
    description,
    labels,
  };
}

function role(selector: string, title: string, alias = ''): Graph['roles'][number] {
  const dir = selector.includes(':') ? selector.slice(2).split(':')[0] + '/' : '';
  return {
    selector,
    title,
    file: `${dir}.sgpt/${title}.role.md`,
    alias,
    model: '',
    tools: [],
    files: [],
    roles: [],
    prompt: '',
  };
}

export const GRAPH: Graph = {
  root: '/home/kim/harbor',
  title: 'harbor',
  roles: [
    role('//default', 'default', 'd'),
    role('//dispatch', 'dispatch', 'disp'),
    role('//svc/berth:ops', 'ops'),
  ],
  toolSets: [
    {
      selector: '//tickets',
      title: 'tickets',
      file: '.sgpt/tickets.toolset',
      engineService: 'e',
      services: ['a.B'],
      methodCount: 3,
    },
  ],
  imported: [],
  lores: [
    lore('db/locks', { area: 'db', kind: 'rule' }, 'how rows are locked'),
    lore('db/migrations', { area: 'db', kind: 'guide' }),
    lore('overview', { area: 'core' }, 'start here'),
  ],
  diagnostics: [
    {
      file: '.sgpt/bad.role.md',
      line: 3,
      column: 1,
      severity: 'error',
      code: 'yaml-syntax',
      message: 'm',
      hint: '',
    },
    {
      file: 'svc/.sgpt/lores/x.md',
      line: 0,
      column: 0,
      severity: 'warning',
      code: 'duplicate',
      message: 'm',
      hint: '',
    },
  ],
};
