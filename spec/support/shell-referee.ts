/**
 * Bash itself as the referee: scripts at random are run where nothing can happen, with an `rm` that only says that it
 * was called. None that calls it may have been taken for one that changes nothing.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { classify } from '../../lib/permissions/classify.ts';
import { TIERS } from '../../lib/permissions/tier.ts';
import { fill, PLACES } from './shell-lines.ts';

/** Scripts that loop are over then, in seconds; bash takes milliseconds for the others. */
const TIMEOUT = '2';

/** Words that reach out of the folder, end processes, or make bash forget what is switched off. */
const FORBIDDEN = /[/~]|\.\.|cd|pushd|popd|kill|exec|enable|ulimit|HOME|OLDPWD|PWD|suspend|FUNCNEST|PATH/;

/**
 * Said before each script: no builtin that leaves the folder or ends others, no endless recursion, little time and disk.
 * There are no programs but `rm`.
 */
const PRELUDE =
  'enable -n cd pushd popd kill suspend exec; FUNCNEST=4; ulimit -t 1 -f 64 -c 0; enable -n ulimit enable; unset HOME OLDPWD PWD\n';

/** Scripts that call rm in one of many ways, for mutations to begin with. */
const COMMANDS = [
  'rm b',
  'command rm b',
  'builtin command rm b',
  "r'm' b",
  'r""m b',
  '\\rm b',
  "$'\\x72m' b",
  'x=rm; $x b',
  'a=(rm b); "${a[@]}"',
  'set -- rm b; "$@"',
  '{rm,b}',
  'r{m,} b',
  '$(echo rm) b',
  '`echo rm` b',
  'eval rm b',
  "eval 'r''m b'",
  'time rm b',
  '! rm b',
  'rm b &',
  'x="rm b"; $x',
  'echo ${y:-$(rm b)}',
  'echo "${y:=`rm b`}"',
  'echo ${y/a/$(rm b)}',
  'let "a[$(rm b)]=1"',
  '[[ -v a[$(rm b)] ]]',
  'printf -v "a[$(rm b)]" x',
  'trap "rm b" EXIT',
  'f() { "$@"; }; f rm b',
  'alias r=rm; r b',
  'read x <<< rm; $x b',
  'mapfile -C "rm b" -c 1 y <<< x',
  'PS4="$(rm b)"',
  'source <(echo rm b)',
  'echo "rm b" | while read -r l; do $l; done',
  'case $(rm b) in *) ;; esac',
  'for i in $(rm b); do :; done',
  'x=$((a[$(rm b)]))',
  'cat <<E\n$(rm b)\nE',
  ': <<E\n`rm b`\nE',
  ': "$(: # )\nrm b)"',
  'coproc rm b',
];

/** What is put in, in place of, or beside what is there. */
const PIECES = [
  ...'\'"`$(){}[]<>;&|\\#!*?=+-^%@,: \n\tabxr'.split(''),
  '$(',
  '${',
  '$((',
  '))',
  '<<E\n',
  '\nE\n',
  "$'",
  '&&',
  '||',
  '\\\n',
  'rm b',
  ' # ',
  '${x}',
  '$IFS',
  '[[ ',
  ' ]]',
  '<(',
  '<<<',
  ';;',
  'esac',
  'fi;',
  '"$(',
];

type Mutation = readonly [at: number, cut: number, piece: string];

const script = fc
  .tuple(
    fc.constantFrom(...COMMANDS),
    fc.constantFrom(...PLACES.filter(place => !FORBIDDEN.test(place))),
    fc.array(fc.tuple(fc.nat(200), fc.nat(2), fc.constantFrom('', ...PIECES)), { maxLength: 4 }),
  )
  .map(([command, place, mutations]) => mutations.reduce(mutated, fill(place, command)));

function mutated(text: string, [at, cut, piece]: Mutation): string {
  const from = at % (text.length + 1);
  return text.slice(0, from) + piece + text.slice(from + cut);
}

/** Folders with nothing in them but an `rm` that tells; one for each script, since some leave an rm in the background. */
class Arena {
  readonly #root = mkdtempSync(join(tmpdir(), 'mux-referee-'));
  #count = 0;

  /** Whether the script calls rm. */
  callsRm(text: string): boolean {
    const home = join(this.#root, String(this.#count++));
    const [bin, cwd, called] = ['bin', 'cwd', 'called'].map(name => join(home, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(bin, { recursive: true });
    mkdirSync(cwd);
    writeFileSync(join(bin, 'rm'), `#!/bin/bash\n: > '${called}'\n`, { mode: 0o755 });
    spawnSync(
      '/usr/bin/timeout',
      ['-s', 'KILL', TIMEOUT, '/bin/bash', '--noprofile', '--norc', '-c', PRELUDE + text],
      {
        cwd,
        env: { PATH: bin },
        stdio: 'ignore',
      },
    );
    return existsSync(called);
  }

  dispose(): void {
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** How a run of the referee ended. */
export interface Refereed {
  readonly scripts: number;
  /** Of them, those in which rm was called. */
  readonly ran: number;
  /** One that was called harmless and called rm, as small as could be made. */
  readonly missed: string | undefined;
}

/** Tries `cases` scripts that `seed` makes. */
export function referee(seed: number, cases: number): Refereed {
  const arena = new Arena();
  let scripts = 0;
  let ran = 0;
  try {
    const property = fc.property(script, text => {
      fc.pre(!FORBIDDEN.test(text));
      scripts++;
      // Whoever asks about it anyway needs no referee.
      const isHarmless = TIERS.indexOf(classify(text).tier) < TIERS.indexOf('write');
      if (!isHarmless && scripts % 4 !== 0) return true;
      const calls = arena.callsRm(text);
      if (calls) ran++;
      return !(calls && isHarmless);
    });
    const result = fc.check(property, { seed, numRuns: cases, maxSkipsPerRun: 100 });
    return {
      scripts,
      ran,
      missed: result.failed ? (result.counterexample?.[0] ?? 'interrupted') : undefined,
    };
  } finally {
    arena.dispose();
  }
}
