/** Clouds and hosts of apps. Their commands are too many to list: their verbs tell what they do. */
import { alike, plain } from '../apply.ts';
import { findOption } from '../args.ts';
import type { Tool, Judge } from '../types.ts';

const ASKS = 'asks the cloud';
const ACTS = 'changes something in the cloud';
const DELETES = 'deletes something in the cloud';

type Verbs = NonNullable<Tool['verbs']>;

/** aws: `describe-instances`, `delete-bucket`. Its second word is the operation. */
const AWS_VERBS: Verbs = [
  [
    /^(?:delete|terminate|destroy|purge|deregister|remove|revoke|reset|disable|detach|deprovision|release|cancel|discard|abort|empty|schedule-key-deletion|batch-delete|stop-|force|rb$|rm$|nuke)/,
    'destructive',
    DELETES,
  ],
  [
    /^(?:describe|get|list|head|lookup|search|query|scan|select|filter|tail|wait|help|estimate|validate|simulate|test|check|view|preview|ls$|presign$|download|batch-get|discover|detect|show|history)(?:-|$)/,
    'read',
    ASKS,
  ],
];

const AWS: Tool = plain('elevated', ACTS, {
  values:
    '--region --profile --output --query --endpoint-url --cli-input-json --filters --instance-ids --bucket --key --function-name',
  dry: '--dryrun --dry-run',
  // Only the operation is a verb, not the names it is given.
  check: ({ operands, options }, judge) => {
    if (findOption(options, '--dryrun --dry-run')) return;
    const [service, operation] = operands.map(arg => arg.text);
    if (service === 's3')
      return s3(
        operation ?? '',
        operands.slice(2).map(arg => arg.text),
        options.map(({ name }) => name),
        judge,
      );
    if (service === 'configure')
      return judge.note(
        /^(?:list|get|list-profiles)$/.test(operation ?? '') ? 'read' : 'elevated',
        'credentials',
      );
    const verb = AWS_VERBS.find(([pattern]) => pattern.test(operation ?? ''));
    judge.note(verb?.[1] ?? 'elevated', verb?.[2] ?? ACTS);
    if (
      /^(?:get-secret-value|get-parameter|get-session-token|get-login-password|decrypt)/.test(operation ?? '')
    )
      judge.note('elevated', 'reads secrets');
    if (operation === 'get-object' && operands[2]) judge.write(operands[2]);
  },
});

function s3(operation: string, operands: readonly string[], options: readonly string[], judge: Judge): void {
  if (operation === 'ls' || operation === 'presign') return judge.note('read', ASKS);
  if (/^(?:rm|rb)$/.test(operation) || options.includes('--delete'))
    return judge.note('destructive', DELETES);
  const isDownload =
    /^(?:cp|sync)$/.test(operation) &&
    (operands[0] ?? '').startsWith('s3:') &&
    !(operands[1] ?? '').startsWith('s3:');
  if (operation === 'mv') return judge.note('destructive', 'removes what it copies');
  judge.note(isDownload ? 'write' : 'elevated', isDownload ? 'fetches files' : ACTS);
}

/** gcloud, az and their like: a verb stands among the operands. */
const WORD_VERBS: Verbs = [
  [
    /^(?:delete|destroy|purge|remove|rm|rb|terminate|reset|drop|uninstall|deprovision|undelete|remove-iam-policy-binding|delete-.*|stop|deallocate|abandon|cancel|flush|wipe|teardown|down|clear|revoke)$/,
    'destructive',
    DELETES,
  ],
  [
    /^(?:list|list-.*|ls|describe|show|show-.*|get|get-.*|read|info|status|version|logs|log|tail|cat|stat|du|search|export-.*|validate|check|whoami|help|history|diff|open|who|plan|regions|usage|--version)$/,
    'read',
    ASKS,
  ],
];

/** The same without its first word having to be one of a list. */
function cloud(more: Partial<Tool> = {}): Tool {
  return plain('elevated', ACTS, { verbs: WORD_VERBS, ...more });
}

const GSUTIL: Tool = plain('elevated', ACTS, {
  subs: {
    ...alike('read', ASKS, 'ls cat stat du version hash'),
    ...alike('destructive', DELETES, 'rm rb mv'),
    rsync: plain('elevated', ACTS, { dry: '-n', flags: [['-d', 'destructive', DELETES]] }),
  },
});

export const CLOUD: Readonly<Record<string, Tool>> = {
  aws: { ...AWS, tier: 'read', why: ASKS },
  sam: cloud({
    subs: {
      delete: plain('destructive', DELETES),
      ...alike('write', 'builds', 'build init package'),
      ...alike('read', ASKS, 'validate logs list'),
    },
  }),
  eb: cloud({ subs: { terminate: plain('destructive', DELETES) } }),
  copilot: cloud(),
  gcloud: cloud({
    values: '--project --zone --region --format --filter --account --configuration',
    subs: {
      'storage ls': plain('read', ASKS),
      'storage cat': plain('read', ASKS),
      ...alike('destructive', DELETES, 'storage/rm storage/mv storage/buckets/delete'),
      'auth print-access-token': plain('elevated', 'shows a password'),
      'auth print-identity-token': plain('elevated', 'shows a password'),
      'secrets versions access': plain('elevated', 'reads secrets'),
      'compute ssh': plain('elevated', 'acts on another machine', { codes: '--command' }),
      'config set': plain('write', 'changes local settings'),
      'config get-value': plain('read', ASKS),
      'config list': plain('read', ASKS),
      'auth list': plain('read', ASKS),
      components: plain('elevated', 'installs programs'),
    },
  }),
  gsutil: GSUTIL,
  bq: cloud({
    subs: {
      ...alike('read', ASKS, 'ls show head version'),
      ...alike('destructive', DELETES, 'rm'),
      query: plain('elevated', 'asks a database', {
        check: ({ operands }, judge) => {
          if (
            /\b(?:drop|delete|truncate|update|merge|alter)\b/i.test(operands.map(arg => arg.text).join(' '))
          )
            judge.note('destructive', 'changes or deletes data');
        },
      }),
    },
  }),
  az: cloud({
    values: '-g --resource-group -n --name --subscription -o --output --query -l --location',
    subs: {
      'account get-access-token': plain('elevated', 'shows a password'),
      'account set': plain('write', 'changes local settings'),
      'keyvault secret show': plain('elevated', 'reads secrets'),
      'vm run-command invoke': plain('elevated', 'acts on another machine', { codes: '--scripts' }),
    },
  }),
  azcopy: cloud({ dry: '--dry-run' }),
  ...alike(
    'elevated',
    ACTS,
    'heroku flyctl fly vercel netlify doctl wrangler firebase railway render supabase hcloud linode-cli scw ibmcloud oci ovhcloud exoscale civo upsun platform cf eas amplify now surge gridsome convex turso neonctl planetscale pscale mongocli atlas confluent circleci buildkite-agent sentry-cli datadog-ci newrelic launchdarkly ldcli stripe twilio auth0 okta clerk wp drush acli s3cmd s4cmd s5cmd mc b2 rclone-cloud cloudflared ngrok tailscale',
    { verbs: WORD_VERBS },
  ),
  heroku: cloud({
    verbs: [
      [/(?:^|:)(?:destroy|delete|remove|reset|rollback|unset|disable|kill|stop)$/, 'destructive', DELETES],
      [
        /^(?:apps|logs|ps|config|addons|releases|domains|status|version|whoami|auth:whoami|pg:info|apps:info|regions)$/,
        'read',
        ASKS,
      ],
      [/:(?:info|get|list)$/, 'read', ASKS],
      ...WORD_VERBS,
    ],
  }),
  firebase: cloud({
    verbs: [
      [/(?:^|:)(?:delete|disable|remove)$/, 'destructive', DELETES],
      [/:(?:list|get|export)$/, 'read', ASKS],
      ...WORD_VERBS,
    ],
  }),
  wrangler: cloud({
    subs: {
      dev: plain('write', 'runs locally'),
      types: plain('write', 'writes files'),
      ...alike('read', ASKS, 'whoami tail deployments/list'),
    },
    verbs: WORD_VERBS,
  }),
  vercel: cloud({
    subs: {
      dev: plain('write', 'runs locally'),
      build: plain('write', 'builds'),
      ...alike('read', ASKS, 'list ls inspect logs whoami env/ls domains/ls'),
      ...alike('destructive', DELETES, 'remove rm env/rm domains/rm project/rm'),
    },
    flags: [['--prod', 'elevated', ACTS]],
  }),
  netlify: cloud({
    subs: {
      dev: plain('write', 'runs locally'),
      build: plain('write', 'builds'),
      ...alike('read', ASKS, 'status env/list'),
      'sites:delete': plain('destructive', DELETES),
    },
  }),
  sops: plain('elevated', 'opens secrets'),
  s3cmd: cloud({
    verbs: [
      [/^(?:del|rm|rb|mv|expire|abortmp)$/, 'destructive', DELETES],
      [/^(?:ls|la|du|info)$/, 'read', ASKS],
    ],
  }),
};
