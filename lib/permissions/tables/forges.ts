/** Tools of the places where repositories are kept: what they do is seen by others. */
import { alike, plain } from '../apply.ts';
import { findOption } from '../args.ts';
import type { Tool, Use, Judge } from '../types.ts';

const ASKS = 'asks the host';
const ACTS = 'acts at the host, where others see it';
const DELETES = 'deletes at the host';

/** `gh api`, `glab api`: the method decides; fields make it a POST. */
function api({ options, operands }: Use, judge: Judge): void {
  const method = findOption(options, '-X --method')?.value?.text.toUpperCase();
  const hasFields = findOption(options, '-f -F --field --raw-field --input');
  if (method === 'DELETE') return judge.note('destructive', DELETES);
  const query = options.find(({ value }) => (value?.text ?? '').startsWith('query='))?.value?.text ?? '';
  if (operands[0]?.text === 'graphql' && !/\bmutation\b/.test(query) && query !== '')
    return judge.note('read', ASKS);
  if (/\bdelete\w*\b/i.test(query)) return judge.note('destructive', DELETES);
  if (method && method !== 'GET' && method !== 'HEAD') judge.note('elevated', ACTS);
  else if (hasFields && method === undefined) judge.note('elevated', ACTS);
}

const READS =
  'pr/view pr/list pr/status pr/checks pr/diff mr/view mr/list mr/diff mr/show issue/view issue/list issue/status run/view run/list run/watch repo/view repo/list release/view release/list workflow/view workflow/list gist/view gist/list label/list secret/list variable/list variable/get cache/list search status project/list project/view project/item-list project/field-list ruleset/list ruleset/view ruleset/check org/list codespace/list extension/list extension/search alias/list auth/status config/get config/list ssh-key/list gpg-key/list attestation/verify ci/view ci/list ci/status ci/trace ci/lint pipeline/list browse';
const LOCAL =
  'pr/checkout mr/checkout repo/clone repo/set-default gist/clone run/download release/download completion config/set attestation/download ci/artifact';
const ENDS =
  'repo/delete release/delete release/delete-asset issue/delete gist/delete secret/delete secret/remove variable/delete cache/delete run/delete label/delete project/delete project/item-delete project/field-delete ssh-key/delete gpg-key/delete codespace/delete mr/delete variable/remove repo/archive deploy-key/delete repo/deploy-key/delete pipeline/delete ci/delete schedule/delete';

const FORGE: Tool = plain('elevated', ACTS, {
  values: '-R --repo --hostname -q --jq --json -t --template -L --limit',
  subs: {
    ...alike('read', ASKS, READS),
    ...alike('write', 'fetches from the host', LOCAL, {
      values: '-D --dir -p --pattern -n --name',
      outputs: '-O --output',
    }),
    ...alike('destructive', DELETES, ENDS),
    'pr merge': plain('elevated', ACTS, { flags: [['-d --delete-branch', 'elevated', ACTS]] }),
    'repo sync': plain('elevated', ACTS, {
      flags: [['--force', 'destructive', 'takes a branch from what it holds']],
    }),
    api: plain('read', ASKS, {
      values: '-X --method -f -F --field --raw-field --input -H --header --cache -p',
      check: api,
    }),
    'alias set': plain('elevated', 'names a command', {
      check: ({ operands, options }, judge) => {
        const text = operands[1];
        if (text && (text.text.startsWith('!') || findOption(options, '-s --shell')))
          judge.code(text.text.replace(/^!/, ''));
      },
    }),
    'auth token': plain('elevated', 'shows a password'),
  },
});

export const FORGES: Readonly<Record<string, Tool>> = {
  gh: FORGE,
  glab: FORGE,
  hub: plain('elevated', ACTS, {
    subs: alike('read', ASKS, 'browse ci-status issue pr/list pr/show release'),
  }),
  tea: FORGE,
  act: plain('elevated', 'runs workflows'),
};
