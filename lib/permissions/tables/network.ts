/** The network: what is fetched, sent, opened, and what runs elsewhere. */
import { alike, plain } from '../apply.ts';
import { findOption, names, sortWords } from '../args.ts';
import { literal } from '../args.ts';
import type { Arg, Judge, Tool } from '../types.ts';
import { isShell } from './shells.ts';

const FETCHES = 'fetches from the network';
const SENDS = 'sends to the network';
const REMOTE = 'acts on another machine';

const CURL: Tool = plain('read', FETCHES, {
  values:
    '-A -b -c -C -d -D -e -E -F -h -H -K -m -o -P -Q -r -t -T -u -U -w -x -X -y -Y -z --data --data-raw --data-binary --data-urlencode --json --form --form-string --header --request --user --user-agent --referer --cookie --cookie-jar --connect-timeout --max-time --retry --retry-delay --proxy --cacert --cert --key --resolve --write-out --range --url --upload-file --interface --limit-rate --config --output-dir --netrc-file --unix-socket --connect-to --stderr --trace --trace-ascii',
  outputs:
    '-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --output-dir --hsts --alt-svc --etag-save --libcurl',
  flags: [
    [
      '-d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form --form-string -T --upload-file --mail-from --mail-rcpt',
      'elevated',
      SENDS,
    ],
    ['-K --config', 'elevated', 'takes its options from a file'],
    ['-Q --quote', 'elevated', 'sends commands'],
    ['-O --remote-name -J --remote-header-name --remote-name-all', 'write', 'writes files'],
  ],
  check: ({ options }, judge) => {
    const method = findOption(options, '-X --request')?.value?.text.toUpperCase();
    if (method === 'DELETE') judge.note('destructive', 'deletes at a host');
    else if (method && !/^(?:GET|HEAD|OPTIONS)$/.test(method)) judge.note('elevated', SENDS);
    for (const { value, name } of options)
      if (/^(?:-Q|--quote)$/.test(name) && /\b(?:DELE|RMD|rm|rmdir)\b/i.test(value?.text ?? ''))
        judge.note('destructive', 'deletes at a host');
  },
});

const WGET: Tool = {
  tier: 'read',
  why: FETCHES,
  values:
    '-O -o -a -P -U -T -t -w -e -i -l -A -R -D -Q -B --output-document --output-file --append-output --directory-prefix --header --user --password --execute --post-data --post-file --method --body-data --body-file --use-askpass --level',
  outputs:
    '-o --output-file -a --append-output -P --directory-prefix --save-cookies --rejected-log --warc-file',
  codes: '--use-askpass',
  flags: [
    ['--post-data --post-file --body-data --body-file', 'elevated', SENDS],
    ['-e --execute', 'elevated', 'changes its settings'],
  ],
  check: ({ options, call }, judge) => {
    const target = findOption(options, '-O --output-document')?.value;
    if (target && target.text !== '-') judge.write(target);
    const method = findOption(options, '--method')?.value?.text.toUpperCase();
    if (method === 'DELETE') judge.note('destructive', 'deletes at a host');
    else if (method && method !== 'GET' && method !== 'HEAD') judge.note('elevated', SENDS);
    // Without -O - it writes a file named by the address.
    if (!target && !findOption(options, '--spider') && call.args.length > 0)
      judge.note('write', 'writes files');
  },
};

/** httpie: `http POST url`, `url name=value`. */
const HTTPIE: Tool = plain('read', FETCHES, {
  outputs: '-o --output',
  values: '-a --auth -A --auth-type',
  check: ({ operands }, judge) => {
    const [method = ''] = operands.map(arg => arg.text);
    if (method === 'DELETE') judge.note('destructive', 'deletes at a host');
    else if (
      /^(?:POST|PUT|PATCH)$/.test(method) ||
      operands.slice(1).some(({ text }) => /^[\w-]+(?::?=|@)/.test(text) && !/==/.test(text))
    )
      judge.note('elevated', SENDS);
  },
});

const SSH_VALUES = '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B -P';

/** Options of ssh that run commands here. */
function sshOptions(options: readonly { name: string; value: Arg | undefined }[], judge: Judge): void {
  for (const { name, value } of options) {
    if (name !== '-o' || !value) continue;
    const match =
      /^\s*(ProxyCommand|LocalCommand|KnownHostsCommand|Match|PKCS11Provider|SecurityKeyProvider)[\s=]+([\s\S]*)/i.exec(
        value.text,
      );
    if (match) {
      judge.note('elevated', `${match[1]} runs here`);
      judge.code(match[2]!.replace(/^exec\s+/i, ''), value.sources);
    }
    if (/^\s*(?:PermitLocalCommand|Include)/i.test(value.text))
      judge.note('elevated', 'changes what ssh runs');
  }
}

/** ssh joins the words behind the host with blanks, and the other side's shell reads them. */
const SSH: Tool = plain('elevated', REMOTE, {
  runsWords: true,
  check: ({ call }, judge) => {
    const grammar = { values: new Set(names(SSH_VALUES)), style: 'letters', stopsAtOperand: true } as const;
    const first = sortWords(call.args, grammar);
    sshOptions(first.options, judge);
    if (findOption(first.options, '-F')) judge.note('elevated', 'takes its options from a file');
    // Options may stand behind the host as well.
    const second = sortWords(first.operands.slice(1), grammar);
    sshOptions(second.options, judge);
    const words = second.operands;
    if (words.length > 0) return remoteShell(words, call.input, judge);
    if (call.input.text !== undefined) judge.code(call.input.text, call.input.sources);
    else if (call.input.kind === 'pipe') judge.note('destructive', 'runs whatever a pipe brings');
  },
});

function remoteShell(words: readonly Arg[], input: Parameters<Judge['run']>[1], judge: Judge): void {
  judge.code(
    words.map(arg => arg.text).join(' '),
    words.flatMap(arg => arg.sources),
  );
  if (!words.some(isShell)) return;
  const at = words.findIndex(isShell);
  if (input && input.kind !== 'inherited') judge.run(words.slice(at), input);
}

/** Copies to or from another machine. */
const SCP: Tool = plain('elevated', 'copies to or from another machine', {
  values: '-c -D -F -i -J -l -o -P -S -X -b',
  codes: '-S -D',
  check: ({ options, operands }, judge) => {
    sshOptions(options, judge);
    const target = operands.at(-1);
    if (target && operands.length > 1 && !/^[^/]*:/.test(target.text)) judge.write(target);
  },
});

const RSYNC: Tool = {
  tier: 'write',
  why: 'copies files',
  values:
    '-e -f -B -M -T --rsh --rsync-path --filter --exclude --include --exclude-from --include-from --files-from --bwlimit --port --chmod --chown --partial-dir --temp-dir --compare-dest --copy-dest --link-dest --backup-dir --suffix --timeout --log-file --out-format --password-file --max-size --min-size --info --debug',
  codes: '-e --rsh --rsync-path',
  outputs: '--log-file',
  dry: '-n --dry-run --list-only',
  flags: [
    [
      '--delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --del --delete-missing-args --remove-source-files --remove-sent-files --ignore-missing-args-delete --force',
      'destructive',
      'removes files',
    ],
    ['--daemon', 'elevated', 'serves files'],
  ],
  check: ({ operands, options }, judge) => {
    if (findOption(options, '-n --dry-run --list-only')) return;
    const isRemote = ({ text }: Arg): boolean => /^(?:rsync:\/\/|[^/]*:)/.test(text);
    if (operands.some(isRemote)) judge.note('elevated', 'copies to or from another machine');
    const target = operands.at(-1);
    if (target && operands.length > 1 && !isRemote(target)) judge.write(target);
  },
};

const NC: Tool = plain('elevated', 'opens a network connection', {
  values: '-w -p -s -i -q -X -x -T -I -O',
  check: ({ call }, judge) => {
    const at = call.args.findIndex(({ text }) => /^-[a-z]*[ec]$|^--(?:exec|sh-exec|lua-exec)$/.test(text));
    const attached = call.args.find(({ text }) => /^--(?:exec|sh-exec|lua-exec)=|^-[ec]\//.test(text));
    if (at >= 0 || attached) judge.note('destructive', 'gives a program to the network');
    if (call.input.sources.some(name => isShell(literal(name))))
      judge.note('destructive', 'gives a shell to the network');
  },
});

const SOCAT: Tool = plain('elevated', 'opens connections', {
  check: ({ operands }, judge) => {
    for (const { text } of operands) {
      const match = /^(?:EXEC|SYSTEM|SHELL):([\s\S]*)/i.exec(text);
      if (!match) continue;
      judge.note('destructive', 'gives a program to a connection');
      judge.code(match[1]!.replace(/^["']|["'].*$/g, ''));
    }
  },
});

/** Tables of the kernel for packets. */
function firewall(reads: string, ends: string): Tool {
  return plain('elevated', 'changes the firewall', {
    check: ({ call }, judge) => {
      const words = call.args.map(arg => arg.text);
      if (words.some(word => names(ends).includes(word)))
        judge.note('destructive', 'takes the firewall away');
      if (words.includes('-P') && words.includes('ACCEPT')) judge.note('destructive', 'opens the firewall');
      if (reads === '') return;
    },
    verbs: [[new RegExp(`^(?:${names(reads).join('|')})$`), 'read', 'asks the firewall']],
  });
}

const IPTABLES: Tool = {
  ...firewall('', '-F --flush -X --delete-chain -Z'),
  verbs: [],
  dry: '-L -S -C --list --list-rules --check',
};

/** `ip addr`, `ip route add …`. */
const IP: Tool = plain('read', 'asks the network', {
  verbs: [
    [/^(?:flush)$/, 'destructive', 'takes network settings away'],
    [
      /^(?:add|del|delete|set|change|replace|append|up|down|exec|attach|restore|save)$/,
      'elevated',
      'changes the network',
    ],
  ],
  check: ({ operands, call }, judge) => {
    const at = operands.findIndex(({ text }) => text === 'exec');
    if ((operands[0]?.text ?? '').startsWith('net') && at >= 0)
      judge.run(call.args.slice(call.args.indexOf(operands[at]!) + 2));
  },
});

export const NETWORK: Readonly<Record<string, Tool>> = {
  curl: CURL,
  'curl.exe': CURL,
  wget: WGET,
  wget2: WGET,
  aria2c: plain('write', 'writes files', {
    outputs: '-d -o --dir --out',
    values: '-x -s -j',
    codes: '--on-download-complete --on-download-error --on-download-start',
  }),
  axel: plain('write', 'writes files', { outputs: '-o' }),
  ...alike('write', 'writes files', 'yt-dlp youtube-dl', {
    codes: '--exec --exec-before-download',
    values: '-o -f',
  }),
  http: HTTPIE,
  https: HTTPIE,
  xh: HTTPIE,
  xhs: HTTPIE,
  grpcurl: plain('elevated', SENDS, { subs: alike('read', FETCHES, 'list describe') }),
  ...alike('elevated', SENDS, 'websocat wscat ab wrk hey k6 siege vegeta'),
  ssh: SSH,
  autossh: SSH,
  slogin: SSH,
  mosh: plain('elevated', REMOTE, {
    codes: '--ssh --server',
    check: ({ operands }, judge) => {
      if (operands.length > 1)
        judge.code(
          operands
            .slice(1)
            .map(arg => arg.text)
            .join(' '),
        );
    },
  }),
  pdsh: plain('elevated', REMOTE, {
    values: '-w -x -l -t',
    check: ({ operands }, judge) => {
      if (operands.length > 0) judge.code(operands.map(arg => arg.text).join(' '));
    },
  }),
  pssh: plain('elevated', REMOTE, {
    values: '-h -H -l -p -t -o -e',
    check: ({ operands }, judge) => {
      if (operands.length > 0) judge.code(operands.map(arg => arg.text).join(' '));
    },
  }),
  rsh: SSH,
  scp: SCP,
  sftp: plain('elevated', 'copies to or from another machine', {
    values: '-b -i -o -P -S',
    codes: '-S',
    check: ({ call, options }, judge) => {
      sshOptions(options, judge);
      if (/^\s*!(.*)/m.test(call.input.text ?? '')) judge.code(/^\s*!(.*)/m.exec(call.input.text!)![1]!);
      if (/^\s*(?:rm|rmdir)\b/m.test(call.input.text ?? '')) judge.note('destructive', 'removes files');
    },
  }),
  ...alike(
    'elevated',
    'copies to or from another machine',
    'ftp lftp tftp ncftp smbclient croc wormhole magic-wormhole',
    { codes: '-c -e', values: '-u -p' },
  ),
  rsync: RSYNC,
  nc: NC,
  ncat: NC,
  netcat: NC,
  'nc.openbsd': NC,
  'nc.traditional': NC,
  socat: SOCAT,
  telnet: plain('elevated', 'opens a network connection'),
  ...alike(
    'read',
    'asks the network',
    'ping ping6 fping traceroute tracepath mtr dig nslookup host drill whois ss netstat lsof-i arp-scan-none getent-hosts nmcli-none iwconfig-none resolvectl-none ipcalc sipcalc geoiplookup speedtest speedtest-cli',
  ),
  nmap: plain('elevated', 'scans the network', {
    codes: '',
    flags: [['--script', 'elevated', 'runs scripts']],
  }),
  ...alike(
    'elevated',
    'listens to the network',
    'tcpdump tshark wireshark ngrep mitmproxy mitmdump bettercap',
    { codes: '-z' },
  ),
  ifconfig: plain('read', 'asks the network', {
    check: ({ operands }, judge) => {
      if (operands.length > 1) judge.note('elevated', 'changes the network');
    },
  }),
  ip: IP,
  iw: plain('read', 'asks the network', {
    verbs: [[/^(?:set|add|del|connect|disconnect)$/, 'elevated', 'changes the network']],
  }),
  route: plain('read', 'asks the network', {
    verbs: [[/^(?:add|del|delete|flush|change)$/, 'elevated', 'changes the network']],
  }),
  arp: plain('read', 'asks the network', { flags: [['-d -s', 'elevated', 'changes the network']] }),
  bridge: plain('elevated', 'changes the network', {
    verbs: [[/^(?:show|monitor)$/, 'read', 'asks the network']],
  }),
  ethtool: plain('read', 'asks the network', {
    flags: [['-s -K -G -A -C -L -p --set-priv-flags', 'elevated', 'changes the network']],
  }),
  tc: plain('elevated', 'changes the network', {
    verbs: [[/^(?:show|list|ls)$/, 'read', 'asks the network']],
  }),
  nmcli: plain('elevated', 'changes the network', {
    verbs: [
      [
        /^(?:add|modify|up|down|delete|connect|disconnect|edit|on|off|reload)$/,
        'elevated',
        'changes the network',
      ],
      [/^(?:show|status|list|general)$/, 'read', 'asks the network'],
    ],
  }),
  resolvectl: plain('read', 'asks the network', {
    verbs: [[/^(?:dns|domain|flush-caches|revert|llmnr|mdns)$/, 'elevated', 'changes the network']],
  }),
  iptables: IPTABLES,
  ip6tables: IPTABLES,
  ebtables: IPTABLES,
  arptables: IPTABLES,
  'iptables-save': plain('read', 'asks the firewall', { outputs: '-f' }),
  'iptables-restore': plain('destructive', 'exchanges the firewall'),
  ipset: plain('elevated', 'changes the firewall', {
    subs: {
      ...alike('read', 'asks the firewall', 'list test save'),
      ...alike('destructive', 'takes the firewall away', 'flush destroy'),
    },
  }),
  nft: plain('elevated', 'changes the firewall', {
    verbs: [
      [/^(?:flush|delete|destroy|reset)\b/, 'destructive', 'takes the firewall away'],
      [/^list\b/, 'read', 'asks the firewall'],
    ],
  }),
  ufw: plain('elevated', 'changes the firewall', {
    subs: {
      ...alike('read', 'asks the firewall', 'status show version'),
      ...alike('destructive', 'takes the firewall away', 'disable reset'),
    },
    dry: '--dry-run',
  }),
  'firewall-cmd': plain('elevated', 'changes the firewall', {
    dry: '--list-all --state --list-ports --list-services --get-zones --get-active-zones --get-default-zone --list-all-zones --query-service --query-port',
    flags: [['--panic-on', 'destructive', 'cuts the network']],
  }),
  pfctl: plain('elevated', 'changes the firewall', {
    flags: [['-F -d', 'destructive', 'takes the firewall away']],
    dry: '-s -n',
  }),
  wg: plain('elevated', 'changes the network', { subs: alike('read', 'asks the network', 'show showconf') }),
  'wg-quick': plain('elevated', 'changes the network'),
  openvpn: plain('elevated', 'changes the network', { codes: '--up --down --route-up' }),
  certbot: plain('elevated', 'changes certificates', {
    subs: {
      ...alike('read', 'asks', 'certificates'),
      ...alike('destructive', 'takes certificates away', 'delete revoke'),
    },
    codes: '--pre-hook --post-hook --deploy-hook --renew-hook',
  }),
  nginx: plain('elevated', 'a server', {
    dry: '-t -T -v -V',
    flags: [['-s', 'elevated', 'changes a server']],
  }),
  ...alike('elevated', 'a server', 'apachectl apache2ctl httpd caddy haproxy', { dry: '-t configtest -c' }),
};
