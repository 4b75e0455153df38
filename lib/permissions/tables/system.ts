/** The machine: processes, services, users, disks, jobs that run later. */
import { alike, plain } from '../apply.ts';
import { findOption, literal } from '../args.ts';
import { UNKNOWN, type Tool } from '../types.ts';
import { shellInput } from './wrappers.ts';

const ASKS = 'asks the system';
const CHANGES = 'changes the system';
const ENDS = 'ends processes';

/** Ends of everything: process 1, or -1 for all. */
const KILL: Tool = plain('elevated', ENDS, {
  values: '-s -n -q',
  check: ({ call }, judge) => {
    const words = call.args.map(arg => arg.text);
    const rest = words.slice((words[0] ?? '').startsWith('-') ? 1 : 0);
    if (rest.some(word => word === '-1' || word === '1' || word === '0'))
      judge.note('destructive', 'ends everything');
  },
});

const KILL_LIST: Tool = {
  ...KILL,
  tier: 'read',
  why: ASKS,
  check: (use, judge) => {
    const first = use.call.args[0]?.text ?? '';
    if (/^-[lL]$|^--(?:list|table)$/.test(first)) return;
    if (/^(?:-0|-s)$/.test(first) && (first === '-0' || use.call.args[1]?.text === '0')) return;
    judge.note('elevated', ENDS);
    KILL.check?.(use, judge);
  },
};

const SYSTEMCTL: Tool = plain('elevated', 'changes services', {
  values: '-t --type -p --property -n --lines -H --host -M --machine -s --signal -o --output --state --root',
  subs: {
    ...alike(
      'read',
      ASKS,
      'status show cat list-units list-unit-files list-timers list-sockets list-dependencies list-jobs list-machines list-automounts list-paths is-active is-enabled is-failed is-system-running help get-default show-environment',
    ),
    ...alike(
      'destructive',
      'stops the machine',
      'poweroff halt reboot kexec suspend hibernate hybrid-sleep suspend-then-hibernate emergency rescue exit soft-reboot switch-root',
    ),
    ...alike('elevated', 'changes services', 'mask disable isolate'),
  },
});

/** `service NAME ACTION`, and scripts of init. */
const SERVICE: Tool = plain('elevated', 'changes services', {
  verbs: [[/^(?:status|--status-all)$/, 'read', ASKS]],
});

/** Jobs from text that is piped in: what they run is the text. */
const AT: Tool = plain('elevated', 'runs later', {
  values: '-f -q -t',
  check: ({ call }, judge) => {
    if (call.input.kind !== 'inherited' && call.input.kind !== 'file') shellInput(call.input, judge);
  },
});

const CRONTAB: Tool = plain('elevated', 'changes jobs that run later', {
  values: '-u',
  flags: [['-r', 'destructive', 'deletes all jobs']],
  check: ({ call }, judge) => {
    if (call.input.text === undefined) return;
    // Five fields, or one like @daily, then the command.
    for (const line of call.input.text.split('\n'))
      judge.code(line.replace(/^\s*(?:@\w+|(?:\S+\s+){5})/, ''));
  },
});

const CRONTAB_LIST: Tool = {
  ...CRONTAB,
  tier: 'read',
  why: ASKS,
  check: (use, judge) => {
    if (findOption(use.options, '-l') && !findOption(use.options, '-r -e')) return;
    judge.note('elevated', 'changes jobs that run later');
    CRONTAB.check?.(use, judge);
  },
};

/** A command without operands that only tells. */
function tells(tier: Tool['tier'], why: string, reads = ''): Tool {
  return plain('read', ASKS, {
    check: ({ operands, options }, judge) => {
      if (reads !== '' && findOption(options, reads)) return;
      if (operands.length > 0) judge.note(tier, why);
    },
  });
}

const JOURNAL: Tool = plain('read', ASKS, {
  flags: [
    ['--vacuum-size --vacuum-time --vacuum-files --rotate', 'destructive', 'deletes logs'],
    ['--setup-keys --update-catalog --flush --relinquish-var', 'elevated', CHANGES],
  ],
  values: '-u -n -S -U -p -o -t -b -D --unit --lines --since --until --priority --output',
});

const LAUNCHCTL: Tool = plain('elevated', 'changes services', {
  subs: {
    ...alike('read', ASKS, 'list print print-disabled blame version getenv managername'),
    ...alike('destructive', 'stops services', 'reboot'),
    ...alike('elevated', 'changes services', 'remove bootout unload disable kickstart'),
  },
});

export const SYSTEM: Readonly<Record<string, Tool>> = {
  ...alike(
    'read',
    ASKS,
    'ps pgrep pidof pstree pstack pmap top htop btop atop glances vmstat iostat mpstat sar free uptime uname arch whoami id groups users who w last lastlog lsof fuser lsblk blkid lsusb lspci lscpu lsmem lshw lsmod lsns lsipc lslocks lslogins findmnt dmidecode inxi neofetch fastfetch screenfetch sw_vers system_profiler vm_stat nproc getconf ulimit logname tty hostnamectl-status dmesg acpi sensors upower nvidia-smi rocm-smi ioreg pwdx getent finger quota repquota ipcs locale localectl-status loginctl-status systemd-analyze systemd-cgls systemd-cgtop systemd-detect-virt systemd-path coredumpctl-list numastat slabtop iotop powertop bootctl-status modinfo kmod-list xdpyinfo xrandr-query fc-list xset-q env-list cpuid dpkg-architecture lsb_release getopt stty tset',
  ),
  fuser: plain('read', ASKS, { flags: [['-k --kill', 'elevated', ENDS]] }),
  dmesg: plain('read', ASKS, {
    flags: [
      ['-c -C --clear --read-clear', 'destructive', 'deletes logs'],
      ['-n -D -E', 'elevated', CHANGES],
    ],
  }),
  'nvidia-smi': plain('read', ASKS, {
    flags: [['-r --gpu-reset -pm -pl -e', 'elevated', CHANGES]],
    style: 'words',
  }),
  hostname: tells('elevated', 'changes the name of the machine'),
  domainname: tells('elevated', CHANGES),
  hostnamectl: plain('elevated', CHANGES, { subs: alike('read', ASKS, 'status') }),
  timedatectl: plain('read', ASKS, {
    subs: alike('elevated', CHANGES, 'set-time set-timezone set-ntp set-local-rtc'),
  }),
  localectl: plain('read', ASKS, {
    subs: alike('elevated', CHANGES, 'set-locale set-keymap set-x11-keymap'),
  }),
  loginctl: plain('read', ASKS, {
    verbs: [
      [/^(?:terminate|kill)-/, 'elevated', ENDS],
      [/^(?:enable|disable|lock|unlock|activate|attach|flush)-?/, 'elevated', CHANGES],
    ],
  }),
  kill: KILL_LIST,
  ...alike('elevated', ENDS, 'pkill killall killall5 xkill skill snice'),
  killall5: plain('destructive', 'ends everything'),
  ...alike(
    'elevated',
    CHANGES,
    'renice ionice-set swapon swapoff sysctl modprobe insmod rmmod depmod ldconfig update-alternatives update-grub grub-install grub-mkconfig dracut mkinitcpio update-initramfs efibootmgr alternatives authconfig pam-auth-update visudo vipw vigr usermod useradd adduser groupadd addgroup groupmod gpasswd chage chsh chfn passwd chpasswd newgrp login hwclock ntpdate chronyc losetup zramctl setenforce setsebool semanage aa-enforce aa-complain auditctl tuned-adm cpupower udevadm systemd-tmpfiles systemd-sysusers dpkg-reconfigure debconf-set-selections kextload kextunload nvram csrutil spctl scutil networksetup defaults pmset profiles dscl sysadminctl security codesign xattr-set tccutil',
  ),
  ...alike('destructive', 'removes users', 'userdel deluser groupdel delgroup'),
  sysctl: plain('read', ASKS, {
    flags: [['-w --write -p --load --system', 'elevated', CHANGES]],
    check: ({ operands }, judge) => {
      if (operands.some(({ text }) => text.includes('='))) judge.note('elevated', CHANGES);
    },
  }),
  swapoff: plain('elevated', CHANGES),
  defaults: plain('elevated', CHANGES, {
    subs: {
      ...alike('read', ASKS, 'read read-type domains find help'),
      delete: plain('destructive', 'deletes settings'),
    },
  }),
  scutil: plain('read', ASKS, { flags: [['--set', 'elevated', CHANGES]] }),
  security: plain('elevated', 'passwords'),
  ...alike('destructive', 'stops the machine', 'shutdown reboot halt poweroff init telinit systemd-poweroff'),
  systemctl: SYSTEMCTL,
  service: SERVICE,
  'rc-service': SERVICE,
  'rc-update': plain('elevated', 'changes services', { subs: alike('read', ASKS, 'show status') }),
  sv: plain('elevated', 'changes services', { subs: alike('read', ASKS, 'status s') }),
  initctl: plain('elevated', 'changes services', { subs: alike('read', ASKS, 'list status version') }),
  chkconfig: plain('elevated', 'changes services', { dry: '--list' }),
  supervisorctl: plain('elevated', 'changes services', {
    subs: {
      ...alike('read', ASKS, 'status tail pid version avail'),
      shutdown: plain('elevated', 'stops services'),
    },
  }),
  pm2: plain('elevated', 'changes services', {
    subs: {
      ...alike('read', ASKS, 'list ls status logs show describe monit jlist prettylist'),
      ...alike('elevated', 'changes services', 'start restart reload stop scale save startup'),
      ...alike('destructive', 'removes services', 'delete kill flush'),
    },
  }),
  launchctl: LAUNCHCTL,
  at: AT,
  batch: AT,
  atrm: plain('elevated', 'removes jobs'),
  atq: plain('read', ASKS),
  crontab: CRONTAB_LIST,
  journalctl: JOURNAL,
  logrotate: plain('elevated', 'changes logs', { dry: '-d --debug' }),
  logger: plain('write', 'writes to the log'),
  wall: plain('elevated', 'writes to all terminals'),
  write: plain('elevated', 'writes to another terminal'),
  mail: plain('elevated', 'sends mail'),
  ...alike('elevated', 'sends mail', 'mailx mutt neomutt sendmail msmtp swaks mpack'),
  'notify-send': plain('write', 'shows a notice'),
  open: plain('write', 'opens with another program'),
  'xdg-open': plain('write', 'opens with another program'),
  ...alike('write', 'the clipboard', 'pbcopy xclip xsel wl-copy'),
  ...alike('read', 'the clipboard', 'pbpaste wl-paste'),
  say: plain('write', 'speaks'),
  xdotool: plain('elevated', 'types and clicks in other windows'),
  ydotool: plain('elevated', 'types and clicks in other windows'),
  wmctrl: plain('elevated', 'acts on other windows'),
  screencapture: plain('write', 'takes a picture of the screen'),
  ...alike(
    'elevated',
    'looks into another program',
    'gdb lldb cgdb gcore jmap jstack strace-p bpftrace sysdig dtrace frida',
    {
      values: '-p --pid -c -x --core',
      check: ({ call }, judge) => {
        for (const [at, { text }] of call.args.entries()) {
          const before = call.args[at - 1]?.text ?? '';
          const code = /^-{1,2}(?:ex|iex|eval-command|init-eval-command|o|O|one-line|n|e)$/.test(before)
            ? text
            : /^-{1,2}(?:ex|iex|eval-command|e)=/.test(text)
              ? text.replace(/^[^=]*=/, '')
              : undefined;
          const shell =
            code === undefined
              ? null
              : /^\s*(?:!|shell\b|make\b|pipe\b|platform\s+shell\b|python\b|script\b)\s*([\s\S]*)/.exec(code);
          if (shell) judge.code(shell[1]!);
          if (code !== undefined && /\b(?:system|execve?|unlink|remove)\s*\(|os\.|subprocess/.test(code))
            judge.note('destructive', 'runs a command');
        }
      },
    },
  ),
  systemd_run: plain('elevated', 'runs as a service'),
  machinectl: plain('elevated', CHANGES, {
    subs: {
      ...alike('read', ASKS, 'list status show list-images'),
      ...alike('destructive', 'removes machines', 'remove clean terminate poweroff'),
    },
  }),
  coredumpctl: plain('read', ASKS),
  bootctl: plain('elevated', CHANGES, { subs: alike('read', ASKS, 'status list') }),
  authselect: plain('elevated', CHANGES),
  ipcrm: plain('elevated', 'removes shared memory'),
  lp: plain('elevated', 'prints on paper'),
  lpr: plain('elevated', 'prints on paper'),
  lpstat: plain('read', ASKS),
  ...alike('elevated', 'passwords', 'pass gopass keyring bw lpass secret-tool keepassxc-cli', {
    subs: alike('destructive', 'deletes passwords', 'rm remove delete'),
  }),
  gpg: gpg(),
  gpg2: gpg(),
  age: plain('read', 'encrypts or decrypts', { outputs: '-o --output', values: '-r -R -i' }),
  openssl: plain('read', 'works with keys', {
    style: 'words',
    outputs: '-out -keyout -CAserial',
    subs: {
      ...alike('elevated', 'opens connections', 's_server s_time'),
      s_client: plain('read', 'opens a connection', { flags: [['-engine', 'elevated', 'loads code']] }),
      ...alike('write', 'makes keys', 'genrsa genpkey req ca pkcs12', {}),
      rehash: plain('write', 'writes files'),
    },
    flags: [['-engine -provider', 'elevated', 'loads code']],
  }),
  'ssh-keygen': plain('write', 'makes keys', {
    outputs: '-f',
    dry: '-l -F -y -B',
    values: '-t -b -C -N -P -R -I -m',
    flags: [['-D -w', 'elevated', 'loads code']],
  }),
  'ssh-add': plain('elevated', 'gives keys to an agent', { dry: '-l -L' }),
  'ssh-copy-id': plain('elevated', 'acts on another machine'),
  'ssh-keyscan': plain('read', 'asks the network'),
  stty: plain('passthrough', 'sets the terminal'),
  loadkeys: plain('elevated', CHANGES),
  insmod: plain('elevated', CHANGES),
  rundll32: plain('elevated', CHANGES),
  reg: plain('elevated', CHANGES, {
    subs: { query: plain('read', ASKS), delete: plain('destructive', 'deletes settings') },
  }),
  format: plain('destructive', 'overwrites a disk'),
  diskpart: plain('destructive', 'overwrites a disk'),
  ...alike('destructive', 'removes files', 'del erase rd Remove-Item'),
  taskkill: plain('elevated', ENDS),
  tasklist: plain('read', ASKS),
  cmd: plain('elevated', 'a shell', {
    check: ({ call }, judge) => {
      const at = call.args.findIndex(({ text }) => /^\/[ck]$/i.test(text));
      if (at >= 0)
        judge.code(
          call.args
            .slice(at + 1)
            .map(arg => arg.text)
            .join(' '),
        );
    },
  }),
};

function gpg(): Tool {
  return plain('write', 'works with keys', {
    dry: '--list-keys -k -K --list-secret-keys --list-sigs --fingerprint --verify --check-sigs --list-packets --list-config',
    outputs: '-o --output',
    values: '-r -u --recipient --local-user --keyserver --homedir',
    flags: [
      [
        '--delete-secret-keys --delete-secret-key --delete-keys --delete-key --delete-secret-and-public-key --yes-delete',
        'destructive',
        'deletes keys',
      ],
      [
        '--export-secret-keys --export-secret-subkeys --send-keys --edit-key --import-ownertrust',
        'elevated',
        'keys of a person',
      ],
      [
        '--recv-keys --import --fetch-keys --refresh-keys --gen-key --full-generate-key --quick-generate-key',
        'write',
        'changes keys',
      ],
    ],
    check: ({ call }, judge) => {
      const program = call.args.find(({ text }) =>
        /^--(?:photo-viewer|agent-program|dirmngr-program|pinentry-program|exec-path)/.test(text),
      );
      if (program) judge.note('elevated', 'runs another program');
      if (program?.text.includes(UNKNOWN) || program?.text.includes('='))
        judge.code((program ?? literal('')).text.replace(/^[^=]*=/, ''));
    },
  });
}
