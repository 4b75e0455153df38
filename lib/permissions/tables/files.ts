/** Files and folders: what reads, what writes, what cannot be taken back. */
import { alike, plain } from '../apply.ts';
import { findOption, isUnknown, literal, unknown } from '../args.ts';
import { normalPath, pathTier } from '../paths.ts';
import { UNKNOWN, type Arg, type Tool, type Judge } from '../types.ts';

const READS = 'reads files';
const WRITES = 'writes files';

/** Folders nobody wants removed, owned or opened as a whole. */
const ROOTS = /^(?:\/|~|~\/|\/\*|~\/\*|\.\.?|\.\.\/.*)$/;

const RM: Tool = plain('write', 'removes files', {
  flags: [
    ['-r -R -f --recursive --force', 'destructive', 'removes without asking, or whole folders'],
    ['-d -P', 'write', 'removes files'],
  ],
  check: ({ operands, call }, judge) => {
    for (const file of operands) {
      if (isUnknown(file)) judge.note('destructive', 'removes files whose names are not in the line');
      judge.write(file);
    }
    // Options nobody sees: `rm $x`.
    if (call.args.some(arg => arg.text.includes(UNKNOWN)))
      judge.note('destructive', 'removes files whose names are not in the line');
  },
});

/** Copies: the last operand is written, or what -t names. */
function copies(more: Partial<Tool> = {}): Tool {
  return plain('write', WRITES, {
    outputs: '-t --target-directory',
    values: '-S --suffix -m -o -g --mode --owner --group',
    check: ({ operands, options, call }, judge) => {
      if (findOption(options, '-t --target-directory')) return;
      const target = operands.at(-1);
      if (operands.length > 1 && target) judge.write(target);
      for (const source of operands.slice(0, -1))
        if ((target?.text ?? '').endsWith('/')) judge.write(into(target!, source));
      // Copied elsewhere, it is still the program it was.
      if (operands.length > 1 && call.name === 'mv')
        for (const source of operands.slice(0, -1)) moved(source, judge);
    },
    ...more,
  });
}

function into(folder: Arg, file: Arg): Arg {
  return { ...folder, text: `${folder.text}${file.text.slice(file.text.lastIndexOf('/') + 1)}` };
}

/** What is moved is gone from where it was. */
function moved(file: Arg, judge: Judge): void {
  const { tier } = pathTier(file);
  if (tier === 'destructive') judge.note(tier, 'takes away a part of the system, or a whole tree');
}

/** Rights and owners: of one file, of a tree, of the system. */
function rights(operandsBefore: number, values: string): Tool {
  return plain('write', 'changes rights', {
    values,
    flags: [['-R --recursive', 'elevated', 'changes rights of a whole tree']],
    check: ({ operands, options, call }, judge) => {
      const isDeep = findOption(options, '-R --recursive');
      const mode = operands[0]?.text ?? '';
      if (
        /^(?:chmod|install)$/.test(call.name) &&
        ((/^[0-7]?[4-7]?[2467]\d{3}$/.test(mode) && /^[2467]\d{3}$/.test(mode.slice(-4))) ||
          /[ug]?\+[rwx]*s/.test(mode))
      )
        judge.note('elevated', 'a program gets the rights of its owner');
      for (const file of operands.slice(operandsBefore)) {
        if (isDeep && ROOTS.test(normalPath(file.text)) && file.text !== '.')
          judge.note('destructive', 'changes rights of a whole tree');
        const { tier, why } = pathTier(file);
        if (tier !== 'write') judge.note(tier, why);
      }
    },
  });
}

/** Commands of -exec, each to its `;` or `+`, with `{}` as a name nobody knows. */
const FIND: Tool = plain('read', 'finds files', {
  style: 'words',
  runsWords: true,
  check: ({ call }, judge) => {
    const { args } = call;
    for (let at = 0; at < args.length; at++) {
      const word = args[at]!.text;
      if (VALUE_TESTS.test(word)) {
        at++;
        continue;
      }
      if (word === '-delete') judge.note('destructive', 'removes what it finds');
      if (/^-f(?:print0?|printf|ls)$/.test(word) && args[at + 1]) judge.write(args[at + 1]!);
      if (!/^-(?:exec|execdir|ok|okdir)$/.test(word)) continue;
      const from = at + 1;
      while (
        at + 1 < args.length &&
        args[at + 1]!.text !== ';' &&
        !(args[at + 1]!.text === '+' && args[at]!.text === '{}')
      )
        at++;
      judge.run(args.slice(from, at + 1).map(found));
    }
    if (args.some(arg => arg.text.includes(UNKNOWN) && !/[/.]/.test(arg.text) && arg.text.startsWith('-')))
      judge.note('elevated', 'acts by words that are not in the line');
  },
});

/** Tests of find that take a value, which may look like an action. */
const VALUE_TESTS =
  /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|type|xtype|size|[acm]time|[acm]min|newer\w*|[acm]newer|user|group|uid|gid|perm|maxdepth|mindepth|fstype|samefile|inum|links|regextype|used|context|printf)$/;

/** `{}` is any name; within text of a shell it stays where it is. */
function found(arg: Arg): Arg {
  if (!arg.text.includes('{}')) return arg;
  return arg.text === '{}'
    ? { ...unknown(), isGlob: false }
    : { ...arg, text: arg.text.replaceAll('{}', UNKNOWN), isDynamic: true };
}

const FD: Tool = plain('read', 'finds files', {
  runsWords: true,
  values:
    '-e -t -E -d -S -o -c -j --extension --type --exclude --max-depth --size --owner --color --threads --changed-within --changed-before --base-directory',
  check: ({ call }, judge) => {
    const at = call.args.findIndex(({ text }) => /^-[a-zA-Z]*[xX]$|^--exec(?:-batch)?$/.test(text));
    if (at < 0) return;
    const rest = call.args.slice(at + 1);
    const end = rest.findIndex(({ text }) => text === ';');
    const words = (end < 0 ? rest : rest.slice(0, end)).map(found);
    // Without a mark the name is added at the end.
    judge.run(
      call.args.slice(at + 1).some(({ text }) => /\{.?.?\}/.test(text)) ? words : [...words, unknown()],
    );
  },
});

const DD: Tool = plain('destructive', 'copies blocks over what is there', {
  check: ({ call }, judge) => {
    for (const arg of call.args) if (arg.text.startsWith('of=')) judge.write(literal(arg.text.slice(3)));
  },
});

const TEE: Tool = plain('read', 'copies its input', { writes: 'all', values: '--output-error' });

const MKDIR: Tool = plain('write', WRITES, {
  writes: 'all',
  values: '-m --mode -Z --context -r --reference -d --date -t',
});

export const FILES: Readonly<Record<string, Tool>> = {
  rm: RM,
  grm: RM,
  unlink: plain('write', 'removes a file', {
    check: ({ operands }, judge) =>
      operands.forEach(file => {
        judge.write(file);
        if (isUnknown(file)) judge.note('destructive', 'removes files whose names are not in the line');
      }),
  }),
  rmdir: plain('write', 'removes empty folders', {
    check: ({ operands }, judge) =>
      operands.forEach(file => {
        if (pathTier(file).tier !== 'write') judge.note('destructive', 'removes a part of the system');
      }),
  }),
  ...alike(
    'destructive',
    'removes files',
    'shred srm wipe rimraf del-cli rip trash-empty scrub bleachbit fdupes',
  ),
  ...alike('write', 'moves files to the trash', 'trash trash-put gio-trash'),
  trash: plain('write', 'moves files to the trash', {
    flags: [['-e --empty', 'destructive', 'removes files']],
  }),
  gio: plain('read', READS, {
    subs: {
      trash: plain('write', 'moves files to the trash', {
        flags: [['--empty', 'destructive', 'removes files']],
      }),
      remove: plain('destructive', 'removes files'),
      ...alike('write', WRITES, 'copy move rename mkdir save set'),
    },
  }),
  find: FIND,
  gfind: FIND,
  bfs: FIND,
  fd: FD,
  fdfind: FD,
  dd: DD,
  dcfldd: DD,
  ddrescue: DD,
  tee: TEE,
  sponge: TEE,
  cp: copies(),
  gcp: copies(),
  mv: copies(),
  rename: plain('write', 'renames files'),
  ln: copies({ values: '-S --suffix' }),
  link: plain('write', WRITES, { writes: 'last' }),
  install: copies({ flags: [['-m --mode', 'write', WRITES]] }),
  ditto: copies(),
  mkdir: MKDIR,
  touch: MKDIR,
  mkfifo: MKDIR,
  mknod: plain('elevated', 'makes a device'),
  mktemp: plain('write', 'makes a temporary file'),
  truncate: plain('write', 'cuts files', {
    values: '-s -r --size --reference',
    check: ({ operands }, judge) => operands.forEach(file => judge.write(file)),
    flags: [['-s=0 --size=0', 'write', 'empties files']],
  }),
  fallocate: plain('write', WRITES, { writes: 'all', values: '-l -o --length --offset' }),
  chmod: rights(1, '--reference'),
  chown: { ...rights(1, '--reference --from'), tier: 'elevated', why: 'changes owners' },
  chgrp: { ...rights(1, '--reference'), tier: 'elevated', why: 'changes owners' },
  chattr: { ...rights(1, '-v -p'), tier: 'elevated' },
  chflags: rights(1, ''),
  setfacl: {
    ...rights(0, '-m -x -M -X -n'),
    flags: [['-R --recursive -b -k', 'elevated', 'changes rights of a whole tree']],
  },
  xattr: plain('write', 'changes attributes', { dry: '-l -p' }),
  setfattr: plain('write', 'changes attributes'),
  setcap: plain('elevated', 'gives a program rights'),
  chcon: plain('elevated', 'changes rights'),
  restorecon: plain('elevated', 'changes rights'),
  ...alike(
    'read',
    READS,
    'cat tac head tail nl less more bat batcat grep egrep fgrep zgrep zcat bzcat xzcat zstdcat zless rg ag ack ripgrep wc diff diff3 sdiff cmp comm colordiff icdiff delta file stat du df ncdu dust duf tree realpath readlink md5sum md5 sha1sum sha224sum sha256sum sha512sum shasum b2sum cksum sum strings hexdump hd nm objdump readelf ldd otool size locate mlocate plocate mdfind mdls pdftotext exiftool identify mediainfo ffprobe namei lsattr getfacl getfattr getcap basename dirname pathchk cut paste join column fold fmt pr expand unexpand rev tr tsort look aspell hunspell iconv od base64 base32 basenc ls-files tokei cloc scc loc wdiff zdiff difft fzf peco sk glow mdcat csvlook csvstat csvcut csvgrep xsv qsv mlr gron htmlq pup jless zipinfo unrar-list seq tput cal ncal bc dc expr factor numfmt yes jot shuf printenv date',
    {},
  ),
  less: plain('read', READS, {
    check: ({ call }, judge) => call.args.forEach(pagerCommand(judge)),
    outputs: '-o -O --log-file',
  }),
  more: plain('read', READS, { check: ({ call }, judge) => call.args.forEach(pagerCommand(judge)) }),
  shuf: plain('read', READS, { outputs: '-o --output', values: '-i -n' }),
  iconv: plain('read', READS, { outputs: '-o --output', values: '-f -t' }),
  base64: plain('read', READS, { outputs: '-o --output', values: '-w -b -i' }),
  tree: plain('read', READS, { outputs: '-o', values: '-L -P -I' }),
  rg: plain('read', READS, {
    codes: '--pre --hostname-bin',
    values: '-e -f -g -t -T -A -B -C -m -r --glob --type',
  }),
  exiftool: plain('write', WRITES, { flags: [['-delete_original', 'destructive', 'removes files']] }),
  tput: plain('passthrough', 'tells about the terminal'),
  seq: plain('passthrough', 'prints numbers'),
  date: plain('read', 'tells the time', {
    values: '-d --date -f -r -v',
    flags: [['-s --set', 'destructive', 'sets the clock']],
    check: ({ operands }, judge) => {
      if (operands.some(({ text }) => /^\d{8,14}(?:\.\d\d)?$/.test(text)))
        judge.note('destructive', 'sets the clock');
    },
  }),
  fzf: plain('read', READS, { codes: '--preview --bind', values: '-q -d --query', runsWords: true }),
  split: plain('write', WRITES, { codes: '--filter', values: '-l -b -n -a' }),
  csplit: plain('write', WRITES, { values: '-f -n -b' }),
  gsplit: plain('write', WRITES, { codes: '--filter', values: '-l -b -n -a' }),
  dos2unix: plain('write', WRITES),
  unix2dos: plain('write', WRITES),
  ...alike(
    'write',
    WRITES,
    'gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 unlz4 brotli compress uncompress lzma',
    { dry: '-c -l -t --stdout --list --test', outputs: '-o' },
  ),
  patch: plain('write', 'changes files', {
    outputs: '-o --output -r',
    values: '-i -p -d -D -F',
    dry: '--dry-run --check',
  }),
  ...alike('write', 'syncs files', 'unison rclone'),
  rclone: plain('elevated', 'copies to or from elsewhere', {
    dry: '-n --dry-run',
    subs: {
      ...alike('read', 'asks elsewhere', 'ls lsl lsd lsf lsjson size about check cat listremotes version'),
      ...alike(
        'destructive',
        'removes files',
        'delete purge sync deletefile rmdir rmdirs cleanup move moveto dedupe',
      ),
    },
  }),
  ...alike(
    'elevated',
    'edits by hand, and can run anything',
    'nano pico ed ex joe jed mcedit helix hx kak micro mc ranger nnn vifm lf code subl gedit kate',
  ),
};

function pagerCommand(judge: Judge): (arg: Arg) => void {
  return ({ text, sources }) => {
    if (!text.startsWith('+')) return;
    const match = /[!|]\s*([\s\S]+)/.exec(text);
    if (match) judge.code(match[1]!, sources);
  };
}
