/** Clusters, and infrastructure described by files. */
import { alike, plain } from '../apply.ts';
import { findOption } from '../args.ts';
import type { Judge, Tool, Use } from '../types.ts';
import { isShell } from './shells.ts';

const ASKS = 'asks the cluster';
const CHANGES = 'changes the cluster';
const DELETES = 'deletes what runs';

const KUBECTL: Tool = plain('elevated', CHANGES, {
  values:
    '-n --namespace -f --filename -l --selector -o --output --context --cluster --kubeconfig -s --server --user --token -c --container --as --field-selector --tail --since -p --patch --type --request-timeout -k --kustomize --template --sort-by --replicas --image --grace-period --timeout',
  dry: '--dry-run',
  subs: {
    ...alike(
      'read',
      ASKS,
      'get describe logs top explain api-resources api-versions version cluster-info diff wait events config/view config/current-context config/get-contexts config/get-clusters config/get-users auth/can-i auth/whoami rollout/status rollout/history kustomize plugin/list completion options',
    ),
    ...alike(
      'write',
      'changes local settings',
      'config/use-context config/set config/set-context config/set-cluster config/set-credentials config/unset config/rename-context',
      {},
    ),
    ...alike(
      'elevated',
      CHANGES,
      'apply create patch edit set label annotate scale autoscale rollout/restart rollout/undo rollout/pause rollout/resume expose port-forward proxy cp attach debug cordon uncordon taint certificate config',
      { flags: [['--prune --force', 'destructive', DELETES]] },
    ),
    'apply view-last-applied': plain('read', ASKS),
    ...alike(
      'destructive',
      DELETES,
      'delete drain config/delete-context config/delete-cluster config/delete-user',
    ),
    replace: plain('elevated', CHANGES, { flags: [['--force', 'destructive', DELETES]] }),
    exec: plain('elevated', 'acts inside a container', { check: podCommand }),
    run: plain('elevated', CHANGES, { check: podCommand }),
    debug: plain('elevated', CHANGES, { check: podCommand }),
  },
  check: ({ options, call }, judge) => {
    const replicas = findOption(options, '--replicas')?.value?.text;
    if (replicas === '0') judge.note('elevated', 'stops what runs');
    if (findOption(options, '--dry-run')?.value?.text === 'none') judge.note('destructive', CHANGES);
    if (call.args.some(({ text }) => text === '--dry-run=none')) judge.note('destructive', CHANGES);
  },
});

/** What stands behind `--` runs in a pod; older forms have it behind the pod's name. */
function podCommand({ call, operands }: Use, judge: Judge): void {
  const at = call.args.findIndex(({ text }) => text === '--');
  const words = at >= 0 ? call.args.slice(at + 1) : operands.slice(1);
  if (words.length > 0 && !(words.length === 1 && isShell(words[0]))) judge.run(words);
}

const PLANS = 'shows what is planned';
const APPLIES = 'changes infrastructure';
const DESTROYS = 'destroys infrastructure, or forgets it';

const TERRAFORM: Tool = plain('elevated', APPLIES, {
  style: 'words',
  subs: {
    ...alike(
      'read',
      PLANS,
      'plan show output validate version providers graph state/list state/show state/pull workspace/list workspace/show fmt/-check console metadata get',
    ),
    plan: plain('read', PLANS, { outputs: '-out', flags: [['-destroy', 'read', PLANS]] }),
    ...alike('write', 'changes local files', 'init fmt workspace/select workspace/new test modules login'),
    fmt: plain('write', 'changes files', { dry: '-check' }),
    init: plain('write', 'fetches providers', {
      flags: [['-migrate-state -force-copy', 'elevated', APPLIES]],
    }),
    apply: plain('elevated', APPLIES, {
      flags: [
        [
          '-auto-approve --auto-approve -destroy --destroy',
          'destructive',
          'changes infrastructure without asking',
        ],
      ],
      check: ({ operands }, judge) => {
        if (operands.length > 0) judge.note('destructive', 'changes infrastructure without asking');
      },
    }),
    ...alike(
      'destructive',
      DESTROYS,
      'destroy state/rm state/push state/replace-provider workspace/delete force-unlock taint',
    ),
    'state mv': plain('elevated', APPLIES),
    ...alike('elevated', APPLIES, 'import untaint refresh logout'),
    'run-all destroy': plain('destructive', DESTROYS),
    'run-all apply': plain('destructive', APPLIES),
    'run-all plan': plain('read', PLANS),
  },
});

/** Tools of clusters and infrastructure. */
export const INFRASTRUCTURE: Readonly<Record<string, Tool>> = {
  kubectl: KUBECTL,
  oc: KUBECTL,
  k: KUBECTL,
  microk8s: plain('elevated', CHANGES, {
    subs: { reset: plain('destructive', DELETES), status: plain('read', ASKS), kubectl: KUBECTL },
  }),
  k9s: plain('elevated', CHANGES),
  ...alike('write', 'changes local settings', 'kubectx kubens'),
  stern: plain('read', ASKS),
  kustomize: plain('read', ASKS, {
    subs: {
      edit: plain('write', 'changes files'),
      build: plain('read', 'prints', { outputs: '-o --output' }),
    },
  }),
  helm: plain('elevated', CHANGES, {
    values:
      '-n --namespace -f --values --set --set-string --set-file --version --kube-context --kubeconfig --repo --timeout --post-renderer',
    dry: '--dry-run',
    codes: '--post-renderer',
    subs: {
      ...alike(
        'read',
        ASKS,
        'list ls status history get template lint show search version env verify repo/list plugin/list dependency/list diff',
      ),
      ...alike(
        'write',
        'changes local files',
        'create package pull fetch dependency dep repo/add repo/update repo/index',
      ),
      ...alike('destructive', DELETES, 'uninstall delete del un rollback'),
      rollback: plain('elevated', CHANGES),
      'repo remove': plain('write', 'changes local settings'),
      'plugin install': plain('elevated', 'installs code'),
      upgrade: plain('elevated', CHANGES, { flags: [['--force', 'destructive', DELETES]] }),
    },
  }),
  helmfile: plain('elevated', CHANGES, {
    subs: {
      ...alike('read', ASKS, 'list diff lint template status'),
      ...alike('destructive', DELETES, 'destroy delete'),
    },
  }),
  ...alike('elevated', CHANGES, 'minikube kind k3d k3s kops kubeadm eksctl', {
    verbs: [
      [/^(?:list|get|status|version|profile|config|ip|logs)$/, 'read', ASKS],
      [/^(?:delete|reset|destroy)$/, 'destructive', DELETES],
    ],
  }),
  kind: plain('elevated', CHANGES, {
    subs: { ...alike('read', ASKS, 'get version export'), delete: plain('destructive', DELETES) },
  }),
  eksctl: plain('elevated', CHANGES, {
    subs: { get: plain('read', ASKS), ...alike('destructive', DELETES, 'delete drain') },
  }),
  flux: plain('elevated', CHANGES, {
    subs: {
      ...alike('read', ASKS, 'get check logs trace tree events diff version'),
      ...alike('destructive', DELETES, 'delete uninstall'),
    },
  }),
  argocd: plain('elevated', CHANGES, {
    verbs: [
      [/^(?:delete|rm|remove)$/, 'destructive', DELETES],
      [/^(?:list|get|diff|history|version|logs)$/, 'read', ASKS],
    ],
  }),
  istioctl: plain('elevated', CHANGES, {
    subs: {
      ...alike('read', ASKS, 'analyze version proxy-status proxy-config'),
      uninstall: plain('destructive', DELETES),
    },
  }),
  terraform: TERRAFORM,
  tofu: TERRAFORM,
  terragrunt: TERRAFORM,
  cdktf: plain('elevated', APPLIES, {
    subs: { destroy: plain('destructive', DESTROYS), ...alike('read', PLANS, 'diff list output') },
  }),
  cdk: plain('elevated', APPLIES, {
    subs: {
      destroy: plain('destructive', DESTROYS),
      ...alike('read', PLANS, 'diff ls list synth doctor notices docs'),
      deploy: plain('elevated', APPLIES, { values: '--require-approval' }),
    },
  }),
  pulumi: plain('elevated', APPLIES, {
    subs: {
      ...alike(
        'read',
        PLANS,
        'preview version whoami stack/ls stack/output logs config/get about stack/history',
      ),
      ...alike('destructive', DESTROYS, 'destroy stack/rm state/delete cancel state/unprotect'),
      up: plain('elevated', APPLIES, {
        flags: [['-y --yes -f --skip-preview', 'destructive', 'changes infrastructure without asking']],
      }),
      ...alike('write', 'changes local settings', 'new stack/init stack/select config/set login logout'),
    },
  }),
  serverless: plain('elevated', APPLIES, {
    subs: { remove: plain('destructive', DESTROYS), ...alike('read', PLANS, 'info print package logs') },
  }),
  sls: plain('elevated', APPLIES, {
    subs: { remove: plain('destructive', DESTROYS), ...alike('read', PLANS, 'info print logs') },
  }),
  ...alike('elevated', APPLIES, 'ansible ansible-playbook ansible-console', {
    flags: [['--syntax-check --list-hosts --list-tasks', 'elevated', PLANS]],
    check: ansible,
    values: '-i -m -a -u -e -l -t --inventory --module-name --args',
  }),
  'ansible-vault': plain('elevated', 'opens secrets'),
  'ansible-lint': plain('read', PLANS),
  'ansible-doc': plain('read', PLANS),
  'ansible-galaxy': plain('elevated', 'installs code', {
    subs: alike('read', PLANS, 'list search info collection/list role/list'),
  }),
  'ansible-inventory': plain('read', PLANS),
  packer: plain('elevated', APPLIES, { subs: alike('read', PLANS, 'validate inspect version fmt') }),
  nomad: plain('elevated', CHANGES, {
    verbs: [
      [/^(?:status|plan|inspect|version|validate|logs)$/, 'read', ASKS],
      [/^(?:stop|purge|delete|drain|gc)$/, 'destructive', DELETES],
    ],
  }),
  consul: plain('elevated', CHANGES, {
    verbs: [
      [/^(?:delete|leave|force-leave)$/, 'destructive', DELETES],
      [/^(?:members|info|get|catalog|version|monitor)$/, 'read', ASKS],
    ],
  }),
  vault: plain('elevated', 'reads or changes secrets', {
    verbs: [
      [/^(?:delete|destroy|revoke|disable|undelete)$/, 'destructive', 'deletes secrets'],
      [/^(?:status|version)$/, 'read', 'asks'],
    ],
  }),
};

/** Modules that take a command. */
function ansible({ options }: Use, judge: Judge): void {
  const text = findOption(options, '-a --args')?.value;
  if (text) judge.code(text.text.replace(/\b(?:cmd|_raw_params)=/, ''), text.sources);
  if (/state=absent/.test(text?.text ?? '')) judge.note('destructive', 'removes elsewhere');
}
