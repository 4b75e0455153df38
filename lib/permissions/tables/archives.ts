/** Archives: what they pack, unpack, and the commands that their options run. */
import { plain } from '../apply.ts';
import { findOption } from '../args.ts';
import type { Tool } from '../types.ts';

const TAR: Tool = plain('write', 'packs or unpacks files', {
  values:
    '-f -C -T -X -b -g -V -N -K -H --file --directory --files-from --exclude --exclude-from --strip-components --transform --owner --group --mode --mtime --format --newer --checkpoint-action',
  codes:
    '-I -F --to-command --use-compress-program --rsh-command --info-script --new-volume-script --rmt-command',
  flags: [
    ['--remove-files', 'destructive', 'removes what it packs'],
    ['--recursive-unlink --unlink-first', 'destructive', 'removes what is there'],
    ['-P --absolute-names', 'elevated', 'may write anywhere'],
  ],
  check: ({ call, options }, judge) => {
    for (const { name, value } of options) {
      if (name.startsWith('--checkpoint-a') && (value?.text ?? '').startsWith('exec='))
        judge.code(value!.text.slice(5), value!.sources);
      if (/^(?:-C|--directory|--one-top-level)$/.test(name) && value) judge.write(value);
    }
    const first = call.args[0]?.text ?? '';
    // Old style: the first word is letters, with or without a dash.
    const letters = /^-?[A-Za-z]+$/.test(first) ? first : '';
    if (!letters.startsWith('-') && /C/.test(letters)) call.args.slice(1, 4).forEach(arg => judge.write(arg));
  },
});

/** Listing only reads. */
const TAR_READ: Tool = {
  ...TAR,
  tier: 'read',
  why: 'lists an archive',
  check: (use, judge) => {
    const first = use.call.args[0]?.text ?? '';
    const old = /^[A-Za-z]+$/.test(first) ? first : '';
    const isList =
      (findOption(use.options, '-t --list -d --diff --compare') ?? /t/.test(old)) &&
      !findOption(use.options, '-x -c -r -u -A --extract --create --get --append --update') &&
      !/[xcru]/.test(old);
    if (!isList) judge.note('write', 'packs or unpacks files');
    TAR.check?.(use, judge);
  },
};

/** Whether the archive goes to standard output or is only looked at. */
export const ARCHIVES: Readonly<Record<string, Tool>> = {
  tar: TAR_READ,
  gtar: TAR_READ,
  bsdtar: TAR_READ,
  zip: plain('write', 'packs files', {
    values: '-b -n -t -tt -P -TT -x -i',
    flags: [
      ['-m --move', 'destructive', 'removes what it packs'],
      ['-d --delete', 'destructive', 'removes from an archive'],
    ],
    check: ({ call }, judge) => {
      const at = call.args.findIndex(({ text }) => /^-\w*TT$|^--unzip-command$/.test(text));
      const attached = call.args.find(({ text }) => /^(?:-TT.|--unzip-command=)/.test(text));
      if (at >= 0 && call.args[at + 1]) judge.code(call.args[at + 1]!.text);
      if (attached) judge.code(attached.text.replace(/^(?:-TT|--unzip-command=)/, ''));
    },
  }),
  unzip: plain('write', 'unpacks files', {
    outputs: '-d',
    values: '-x -P',
    dry: '-l -Z -t -v',
  }),
  zipinfo: plain('read', 'lists an archive'),
  '7z': seven(),
  '7za': seven(),
  '7zz': seven(),
  rar: plain('write', 'packs files', {
    subs: {
      d: plain('destructive', 'removes from an archive'),
      l: plain('read', 'lists'),
      v: plain('read', 'lists'),
      m: plain('destructive', 'removes what it packs'),
      mf: plain('destructive', 'removes what it packs'),
    },
    flags: [['-df', 'destructive', 'removes what it packs']],
  }),
  unrar: plain('write', 'unpacks files', {
    subs: { l: plain('read', 'lists'), v: plain('read', 'lists'), t: plain('read', 'tests') },
  }),
  cpio: plain('write', 'packs or unpacks files', {
    outputs: '-O -D',
    codes: '--rsh-command',
    values: '-F -H -I -R -E -C',
    dry: '-t --list',
  }),
  pax: plain('write', 'packs or unpacks files', { values: '-f -b -s -x' }),
  ar: plain('write', 'packs files', {
    subs: { t: plain('read', 'lists'), tv: plain('read', 'lists'), p: plain('read', 'shows') },
  }),
  unsquashfs: plain('write', 'unpacks files', { outputs: '-d' }),
  mksquashfs: plain('write', 'packs files', { writes: 'last' }),
  dpkg_deb: plain('write', 'packs or unpacks files'),
  unar: plain('write', 'unpacks files', { outputs: '-o' }),
  lsar: plain('read', 'lists an archive'),
};

function seven(): Tool {
  return plain('write', 'packs or unpacks files', {
    style: 'words',
    flags: [['-sdel', 'destructive', 'removes what it packs']],
    subs: {
      l: plain('read', 'lists'),
      t: plain('read', 'tests'),
      d: plain('destructive', 'removes from an archive'),
      i: plain('read', 'tells'),
    },
  });
}
