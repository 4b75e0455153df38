/** Containers and machines in machines. */
import { alike, plain } from '../apply.ts';
import { findOption, names, sortWords } from '../args.ts';
import { pathTier } from '../paths.ts';
import type { Arg, Judge, Tool, Check } from '../types.ts';
import { isShell } from './shells.ts';

const SHOWS = 'asks the engine';
const ACTS = 'acts on containers';
const REMOVES = 'removes containers, images or data';

const RUN_VALUES =
  '-a -c -e -h -l -m -p -u -v -w --add-host --attach --blkio-weight --cap-add --cap-drop --cgroup-parent --cgroupns --cidfile --cpus --cpu-shares --cpuset-cpus --device --dns --domainname --entrypoint --env --env-file --expose --gpus --group-add --health-cmd --hostname --index --init-path --ip --ipc --label --link --log-driver --log-opt --mac-address --memory --memory-swap --mount --name --net --network --network-alias --pid --pids-limit --platform --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit --user --userns --uts --volume --volume-driver --volumes-from --workdir --detach-keys --scale --service-ports';

/** Folders of the host that a container must not get as a whole. */
const HOST =
  /^(?:\/|~|\/(?:etc|usr|var|home|root|boot|dev|proc|sys|Users|lib\w*|bin|sbin|opt)?|\/var\/run\/docker\.sock|\/run\/docker\.sock)\/?$/;

/** The words behind the image or container, as a command; and what of the host the container gets. */
function inside(operandsBefore: number): Check {
  return ({ call, operands }, judge) => {
    const start = call.args.findIndex(({ text }) => /^(?:run|exec|create)$/.test(text));
    const { options, operands: rest } = sortWords(call.args.slice(start + 1), {
      values: new Set(names(RUN_VALUES)),
      style: 'letters',
      stopsAtOperand: true,
    });
    for (const { name, value } of options) {
      if (name === '--privileged') judge.note('destructive', 'the container has all rights of the host');
      const given = value?.text ?? '';
      if (/^(?:-v|--volume)$/.test(name)) mount(given.split(':')[0] ?? '', judge);
      if (name === '--mount') mount(/(?:^|,)(?:source|src)=([^,]*)/.exec(given)?.[1] ?? '', judge);
      if (
        /^--(?:pid|ipc|net|network|userns|uts)$/.test(name) &&
        given === 'host' &&
        name !== '--network' &&
        name !== '--net'
      )
        judge.note('elevated', "shares the host's world");
      if (/^--(?:cap-add|device|security-opt)$/.test(name))
        judge.note('elevated', 'the container gets rights of the host');
    }
    const entry = findOption(options, '--entrypoint')?.value;
    const words = rest.slice(operandsBefore);
    const command: readonly Arg[] = entry ? [entry, ...words] : words;
    // An interactive shell is worth no more than the container.
    if (command.length > 0 && !(command.length === 1 && isShell(command[0]))) judge.run(command);
    if (operands.length === 0) return;
  };
}

function mount(source: string, judge: Judge): void {
  if (HOST.test(source)) judge.note('destructive', 'the container may change the host');
  else if (
    source.startsWith('/') &&
    pathTier({ text: source, isGlob: false, isDynamic: false, sources: [] }).tier === 'destructive'
  )
    judge.note('elevated', 'the container gets a part of the system');
}

const RUN = plain('elevated', 'starts a container', { check: inside(1) });
const EXEC = plain('elevated', 'acts inside a container', { check: inside(1) });

const COMPOSE_SUBS: Readonly<Record<string, Tool>> = {
  ...alike('read', SHOWS, 'ps logs config convert images top port version ls events stats'),
  ...alike(
    'elevated',
    ACTS,
    'up start stop restart pause unpause build pull push create kill scale watch cp attach publish',
    { values: '-t --timeout --scale' },
  ),
  down: plain('elevated', 'stops services', {
    values: '-t --timeout',
    flags: [
      ['-v --volumes', 'destructive', REMOVES],
      ['--rmi', 'destructive', REMOVES],
    ],
  }),
  rm: plain('destructive', REMOVES),
  run: RUN,
  exec: EXEC,
};

const COMPOSE: Tool = plain('elevated', ACTS, {
  values: '-f --file -p --project-name --profile --env-file --project-directory --ansi --progress --parallel',
  subs: COMPOSE_SUBS,
});

const GROUPS =
  'image container volume network system builder buildx context config secret manifest plugin service stack node swarm trust pod machine';

function grouped(words: string): string {
  return names(GROUPS)
    .flatMap(group => names(words).map(word => `${group}/${word}`))
    .join(' ');
}

const DOCKER: Tool = plain('elevated', ACTS, {
  values: '-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --url --connection',
  subs: {
    ...alike(
      'read',
      SHOWS,
      `ps images logs inspect version info top stats port diff history events search ${grouped('ls list inspect logs ps top stats port diff history df info show export events')}`,
      { outputs: '-o --output', values: '-f --filter --format -n --tail --since --until' },
    ),
    ...alike(
      'elevated',
      ACTS,
      `build pull push start stop restart kill pause unpause tag login logout commit import load rename update wait attach create cp ${grouped('create pull push build start stop restart kill use connect disconnect update')}`,
      { values: '-t -f' },
    ),
    save: plain('write', 'writes files', { outputs: '-o --output' }),
    export: plain('write', 'writes files', { outputs: '-o --output' }),
    ...alike(
      'destructive',
      REMOVES,
      `rm rmi prune ${grouped('rm remove prune rmi delete')} swarm/leave system/reset volume/rm stack/down`,
    ),
    'swarm leave': plain('destructive', REMOVES),
    run: RUN,
    create: RUN,
    'container run': RUN,
    'container create': RUN,
    exec: EXEC,
    'container exec': EXEC,
    ...Object.fromEntries(Object.entries(COMPOSE_SUBS).map(([name, tool]) => [`compose ${name}`, tool])),
    compose: COMPOSE,
    'buildx imagetools inspect': plain('read', SHOWS),
    'context show': plain('read', SHOWS),
  },
  check: ({ call }, judge) => {
    // `compose -f FILE down -v`: its own options stand before its subcommand.
    const at = call.args.findIndex(({ text }) => text === 'compose');
    if (at < 0) return;
    const rest = sortWords(call.args.slice(at + 1), {
      values: new Set(names(COMPOSE.values)),
      style: 'letters',
      stopsAtOperand: true,
    });
    const name = rest.operands[0]?.text ?? '';
    if (rest.options.length === 0 || !Object.hasOwn(COMPOSE_SUBS, name)) return;
    judge.run([{ text: 'docker-compose', isGlob: false, isDynamic: false, sources: [] }, ...rest.operands]);
  },
});

export const CONTAINERS: Readonly<Record<string, Tool>> = {
  docker: DOCKER,
  podman: DOCKER,
  nerdctl: DOCKER,
  'docker-compose': COMPOSE,
  'podman-compose': COMPOSE,
  buildah: plain('elevated', ACTS, {
    subs: {
      ...alike('read', SHOWS, 'images containers inspect info version'),
      ...alike('destructive', REMOVES, 'rm rmi prune'),
      run: RUN,
    },
  }),
  skopeo: plain('elevated', ACTS, {
    subs: { ...alike('read', SHOWS, 'inspect list-tags'), delete: plain('destructive', REMOVES) },
  }),
  crictl: plain('elevated', ACTS, {
    subs: {
      ...alike('read', SHOWS, 'ps pods images inspect logs info version stats'),
      ...alike('destructive', REMOVES, 'rm rmi rmp stopp'),
      exec: EXEC,
    },
  }),
  ctr: plain('elevated', ACTS, {
    verbs: [
      [/^(?:ls|list|info|version)$/, 'read', SHOWS],
      [/^(?:rm|remove|delete|del|prune)$/, 'destructive', REMOVES],
    ],
  }),
  colima: plain('elevated', ACTS, {
    subs: { ...alike('read', SHOWS, 'status list version'), delete: plain('destructive', REMOVES) },
  }),
  limactl: plain('elevated', ACTS, {
    subs: {
      ...alike('read', SHOWS, 'list info'),
      ...alike('destructive', REMOVES, 'delete factory-reset prune'),
    },
  }),
  ...alike('elevated', ACTS, 'lxc incus lxc-attach lxc-start lxc-stop', {
    verbs: [
      [/^(?:list|info|show)$/, 'read', SHOWS],
      [/^(?:delete|rm|destroy)$/, 'destructive', REMOVES],
    ],
  }),
  'lxc-destroy': plain('destructive', REMOVES),
  vagrant: plain('elevated', ACTS, {
    subs: {
      ...alike('read', SHOWS, 'status global-status validate version port ssh-config box/list'),
      ...alike('destructive', REMOVES, 'destroy box/remove box/prune snapshot/delete'),
      ssh: plain('elevated', 'acts in a machine', { codes: '-c --command' }),
    },
  }),
  ...alike('elevated', ACTS, 'virsh VBoxManage qemu-img multipass', {
    verbs: [
      [/^(?:list|info|dominfo|dumpxml|showvminfo|check)$/, 'read', SHOWS],
      [
        /^(?:delete|destroy|undefine|unregistervm|purge|vol-delete|pool-delete|snapshot-delete)$/,
        'destructive',
        REMOVES,
      ],
    ],
  }),
};
