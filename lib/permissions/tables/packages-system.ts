/** Managers of the system's packages. */
import { alike, plain } from '../apply.ts';
import type { Check, Tool } from '../types.ts';
import { ASKS, NEW, REMOVES, RUNS } from './package-words.ts';

/** A manager of the system's packages. */
function system(reads: string, more: Partial<Tool> = {}): Tool {
  return plain('elevated', 'changes the system’s packages', {
    dry: '-s --simulate --dry-run --just-print --assumeno --downloadonly-none --no-act --recon',
    subs: {
      ...alike('read', ASKS, reads),
      ...alike('destructive', REMOVES, 'purge autopurge autoremove full-upgrade-none'),
      ...more.subs,
    },
    ...(more.flags ? { flags: more.flags } : {}),
    ...(more.values ? { values: more.values } : {}),
    ...(more.check ? { check: more.check } : {}),
  });
}

const APT_CODES: Check = ({ options }, judge) => {
  for (const { name, value } of options) {
    const match =
      name === '-o'
        ? /(?:Invoke(?:-Success)?|Pre-Invoke|Post-Invoke)(?:::)?=(.*)/i.exec(value?.text ?? '')
        : undefined;
    if (match) judge.code(match[1]!);
  }
};

const APT = system(
  'list show search policy depends rdepends madison showpkg dumpavail pkgnames changelog check help stats moo',
  {
    values: '-o -t -c --option --target-release --config-file -a',
    check: APT_CODES,
    subs: {
      ...alike('elevated', 'removes packages', 'remove'),
      ...alike('destructive', REMOVES, 'purge autopurge'),
      clean: plain('elevated', 'empties a cache'),
    },
    flags: [['--purge', 'destructive', REMOVES]],
  },
);
const DNF = system(
  'list info search provides whatprovides repolist repoquery check-update history deplist grouplist group/list help repoinfo module/list updateinfo',
  {},
);

/** pacman's first option says what it does. */
const PACMAN: Tool = plain('elevated', 'changes the system’s packages', {
  check: ({ call }, judge) => {
    const first = call.args.find(({ text }) => /^-[A-Z]/.test(text) || /^--[a-z]/.test(text))?.text ?? '';
    if ((/^-[A-Za-z]*R/.test(first) && /[scnd]/.test(first)) || first.startsWith('--remove'))
      judge.note('destructive', REMOVES);
  },
});

function pacman(): Tool {
  return {
    ...PACMAN,
    tier: 'read',
    why: ASKS,
    check: (use, judge) => {
      const first = use.call.args[0]?.text ?? '';
      const isQuery =
        /^-(?:Q|F|T|V)|^--(?:query|files|version|deptest)/.test(first) ||
        (first.startsWith('-S') && /^-S[sigl]+$/.test(first));
      if (!isQuery) judge.note('elevated', 'changes the system’s packages');
      PACMAN.check?.(use, judge);
    },
  };
}

/** By name. */
export const SYSTEM_PACKAGES: Readonly<Record<string, Tool>> = {
  brew: plain('elevated', NEW, {
    subs: {
      ...alike(
        'read',
        ASKS,
        'list ls info search outdated deps uses leaves doctor config home --prefix --version desc log cat options missing services/list services/info commands shellenv formulae casks',
      ),
      ...alike('elevated', REMOVES, 'uninstall rm remove'),
      ...alike('destructive', REMOVES, 'autoremove'),
      ...alike('elevated', 'empties caches', 'cleanup'),
    },
    dry: '-n --dry-run',
  }),
  port: plain('elevated', NEW, {
    subs: alike('read', ASKS, 'list search info installed outdated contents deps variants version'),
  }),
  apt: APT,
  'apt-get': APT,
  aptitude: APT,
  nala: APT,
  'apt-cache': plain('read', ASKS),
  'apt-file': plain('read', ASKS),
  'apt-mark': plain('elevated', 'changes the system’s packages', {
    subs: alike('read', ASKS, 'showauto showmanual showhold'),
  }),
  'apt-key': plain('elevated', 'changes whom the system trusts'),
  'add-apt-repository': plain('elevated', 'changes whom the system trusts'),
  dpkg: plain('elevated', 'changes the system’s packages', {
    dry: '-l -L -s -S -p -c -I -C --list --listfiles --status --search --print-avail --contents --info --get-selections --audit --compare-versions --print-architecture',
    flags: [['-P --purge', 'destructive', REMOVES]],
  }),
  'dpkg-query': plain('read', ASKS),
  rpm: plain('elevated', 'changes the system’s packages', {
    dry: '-q -V --query --verify --eval --showrc',
    flags: [['-e --erase', 'destructive', REMOVES]],
  }),
  dnf: DNF,
  yum: DNF,
  microdnf: DNF,
  zypper: system(
    'search se info if list-updates lu repos lr packages pa patches what-provides wp list-patches locks ll',
    {},
  ),
  pacman: pacman(),
  yay: pacman(),
  paru: pacman(),
  makepkg: plain('write', 'builds packages'),
  apk: plain('elevated', 'changes the system’s packages', {
    dry: '-s --simulate',
    subs: {
      ...alike('read', ASKS, 'info list search policy version stats audit dot manifest'),
      ...alike('elevated', REMOVES, 'del'),
    },
  }),
  snap: system('list find info version changes services connections interfaces warnings known', {
    subs: {
      remove: plain('elevated', REMOVES, { flags: [['--purge', 'destructive', REMOVES]] }),
      run: plain('write', RUNS),
    },
  }),
  flatpak: system('list info search remote-ls remotes history ps config remote-info', {
    subs: {
      run: plain('write', RUNS),
      uninstall: plain('elevated', REMOVES, { flags: [['--delete-data', 'destructive', REMOVES]] }),
    },
  }),
  ...alike(
    'elevated',
    'changes the system’s packages',
    'emerge xbps-install xbps-remove eopkg pkg pkg_add pkg_delete opkg equery guix slackpkg swupd rpm-ostree winget choco scoop',
    { subs: { ...alike('read', ASKS, 'list search info show status query which version') } },
  ),
  nix: plain('elevated', NEW, {
    subs: {
      ...alike(
        'read',
        ASKS,
        'search eval show-config path-info why-depends log flake/show flake/metadata flake/check derivation',
      ),
      ...alike('write', 'builds', 'build fmt flake/lock flake/init'),
      ...alike('destructive', REMOVES, 'store/gc store/delete collect-garbage profile/wipe-history'),
    },
  }),
  'nix-env': plain('elevated', NEW, { dry: '-q --query' }),
  'nix-shell': plain('elevated', NEW, { codes: '--run --command' }),
  'nix-build': plain('write', 'builds'),
  'nix-collect-garbage': plain('destructive', REMOVES),
  'nixos-rebuild': plain('elevated', 'changes the system'),
};
