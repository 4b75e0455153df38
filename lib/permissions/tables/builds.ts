/** Builders, compilers, tests, formatters: they run what a project says, and write what they build. */
import { alike, plain } from '../apply.ts';
import { UNKNOWN, type Judge, type Tool, type Use } from '../types.ts';

const BUILDS = 'builds';
const CHECKS = 'checks without changing';

/** make: text given as its file, and variables that name programs. */
const MAKE: Tool = plain('write', 'runs what its file says', {
  values: '-f --file --makefile -C --directory -I --include-dir -o -W -l --load-average --eval -E',
  flags: [['-p --print-data-base', 'write', CHECKS]],
  check: ({ call, options, operands }, judge) => {
    for (const { name, value } of options) {
      if (/^(?:--eval|-E)$/.test(name) && value) makefile(value.text, judge);
      if (!/^(?:-f|--file|--makefile)$/.test(name) || !value) continue;
      judge.execute(value);
      if (/^(?:-|\/dev\/stdin|\/dev\/fd\/0)$/.test(value.text)) fromInput(call.input, judge);
      else if (value.output !== undefined) makefile(value.output, judge);
      else if (value.text.includes(UNKNOWN)) judge.note('elevated', 'runs what is known only when it runs');
    }
    for (const { text, sources } of operands) {
      const match = /^(\w[\w.]*)\s*[:?+]?=([\s\S]*)$/.exec(text);
      if (!match) continue;
      if (/[\s$`;|&]/.test(match[2]!) || match[1] === 'SHELL')
        judge.code(match[2]!.replace(/\$\(shell\s+([\s\S]*)\)$/, '$1'), sources);
      if (/^(?:SHELL|MAKEFLAGS|\.SHELLFLAGS)$/.test(match[1]!)) judge.note('elevated', 'runs another shell');
    }
    if (
      operands.some(({ text }) =>
        /^(?:uninstall|distclean|mrproper|purge|nuke|destroy|undeploy|drop\w*|reset-db|db-reset)$/.test(text),
      )
    )
      judge.note('write', 'removes what was built');
    if (operands.some(({ text }) => /^(?:install|deploy|publish|release)$/.test(text)))
      judge.note('write', 'installs');
  },
});

function fromInput(input: Use['call']['input'], judge: Judge): void {
  if (input.text !== undefined) makefile(input.text, judge);
  else judge.note(input.kind === 'pipe' ? 'destructive' : 'write', 'runs what it reads');
}

/** Recipes and $(shell …) are shell text. */
function makefile(text: string, judge: Judge): void {
  judge.note('elevated', 'a file for make on the command line');
  for (const match of text.matchAll(/\$[({]shell\s+([^\n]*)[)}]|!=\s*([^\n]*)/g))
    judge.code(match[1] ?? match[2]!);
  for (const match of text.matchAll(/(?:^\t|;)\s*([^\n]+)/gm))
    judge.code(match[1]!.replace(/^[@+-]+/, '').replaceAll('$$', '$'));
}

/** A formatter or checker that changes files only when told to. */
function checker(changes: string): Tool {
  return plain('read', CHECKS, {
    flags: changes === '' ? [] : [[changes, 'write', 'changes files']],
    outputs: '-o --output --output-file',
  });
}

const COMPILER: Tool = plain('write', BUILDS, {
  values: '-I -L -l -D -x -std -include -MF -MT',
  outputs: '-o',
  flags: [['-wrapper -fplugin -B -specs', 'elevated', 'runs other programs, or loads code']],
  check: ({ call }, judge) => {
    const wrapper = call.args.findIndex(({ text }) => text === '-wrapper');
    if (wrapper >= 0) judge.code((call.args[wrapper + 1]?.text ?? '').replaceAll(',', ' '));
    if (call.args.some(({ text }) => /^-(?:fplugin|specs|B)/.test(text)))
      judge.note('elevated', 'runs other programs, or loads code');
  },
});

export const BUILDS_AND_TESTS: Readonly<Record<string, Tool>> = {
  ...alike('write', 'runs what its file says', 'make gmake bmake remake', MAKE),
  ...alike(
    'write',
    BUILDS,
    'cmake ctest cpack ninja meson bazel bazelisk buck buck2 scons waf just task mage rake gradle gradlew ./gradlew mvn mvnw ant sbt mill lein autoconf automake autoreconf configure libtool qmake xmake premake5 tup please pants earthly nx turbo rush lage moon gulp grunt webpack vite rollup esbuild parcel tsc swc babel rspack tsup ncc pkgroll sass less-compile postcss tailwindcss ng next nuxt remix astro gatsby hugo jekyll eleventy docusaurus vuepress mkdocs sphinx-build doxygen typedoc jsdoc pdflatex xelatex lualatex latexmk tectonic protoc buf capnp flatc thrift swagger-codegen openapi-generator rustc javac kotlinc scalac zig nasm as ld ranlib strip objcopy xcodebuild xcrun swiftc swift-build tox nox pytest py.test jest vitest mocha ava tap cypress playwright karma jasmine rspec minitest phpunit pest behat nose2 unittest coverage go-test gotestsum ginkgo storybook ganache hardhat forge truffle anchor wasm-pack trunk tauri electron-builder electron fastlane bats shellspec expo react-native cookiecutter copier plop hygen degit venv virtualenv artisan rails django-admin manage.py flask uvicorn gunicorn celery streamlit jupyter serve http-server json-server live-server',
    {},
  ),
  cmake: plain('write', BUILDS, {
    values: '-S -B -G -D -C -P -E --build --target --install',
    style: 'words',
    subs: {},
    check: ({ call }, judge) => {
      const at = call.args.findIndex(({ text }) => text === '-E');
      const [word, ...rest] = at < 0 ? [] : call.args.slice(at + 1);
      if (word && /^(?:rm|remove|remove_directory)$/.test(word.text))
        judge.note('destructive', 'removes files');
      if (word?.text === 'env' || word?.text === 'time') judge.run([word, ...rest]);
    },
  }),
  bazel: plain('write', BUILDS, {
    subs: {
      ...alike('read', CHECKS, 'query cquery aquery info version help'),
      clean: plain('write', 'removes what was built'),
    },
    flags: [['--run_under', 'elevated', 'runs another program']],
  }),
  just: plain('write', 'runs what its file says', {
    dry: '-l --list --show --summary -n --dry-run',
    codes: '-c --command',
    values: '-f --justfile -d --working-directory',
  }),
  rails: plain('write', BUILDS, {
    verbs: [
      [/^db:(?:drop|reset|purge|truncate_all|schema:load|setup)/, 'destructive', 'drops databases'],
      [/^(?:routes|stats|notes|about|version)$/, 'read', CHECKS],
    ],
    subs: {
      runner: plain('elevated', 'code on the command line'),
      console: plain('elevated', 'an interpreter'),
      dbconsole: plain('elevated', 'a database'),
    },
  }),
  rake: plain('write', BUILDS, {
    verbs: [[/^db:(?:drop|reset|purge)/, 'destructive', 'drops databases']],
    dry: '-T --tasks -n -P',
    codes: '',
    flags: [['-e -E -p --execute --execute-print', 'elevated', 'code on the command line']],
  }),
  artisan: plain('write', BUILDS, {
    verbs: [[/^(?:migrate:(?:fresh|reset|refresh)|db:wipe)$/, 'destructive', 'drops databases']],
  }),
  gradle: plain('write', BUILDS, {
    flags: [['-I --init-script', 'elevated', 'runs other scripts']],
    subs: alike('read', CHECKS, 'tasks dependencies properties projects help'),
    verbs: [[/publish/i, 'elevated', 'publishes']],
  }),
  mvn: plain('write', BUILDS, {
    verbs: [
      [/^deploy$|:deploy$|release:perform/, 'elevated', 'publishes'],
      [/^(?:help:.*|dependency:(?:tree|list|analyze)|validate)$/, 'read', CHECKS],
    ],
    flags: [['-Dexec.executable', 'elevated', 'runs another program']],
  }),
  ...alike('write', BUILDS, 'gcc g++ cc c++ clang clang++ cpp gfortran ldc2 dmd icc tcc', COMPILER),
  eslint: checker('--fix --init'),
  oxlint: checker('--fix --fix-suggestions --fix-dangerously --init'),
  prettier: checker('-w --write'),
  biome: plain('read', CHECKS, {
    flags: [['--write --fix --apply --apply-unsafe', 'write', 'changes files']],
    subs: alike('write', 'changes files', 'init migrate'),
  }),
  stylelint: checker('--fix'),
  ruff: plain('read', CHECKS, {
    flags: [['--fix --unsafe-fixes', 'write', 'changes files']],
    subs: { format: plain('write', 'changes files', { dry: '--check --diff' }) },
  }),
  black: plain('write', 'changes files', { dry: '--check --diff' }),
  isort: plain('write', 'changes files', { dry: '-c --check --check-only --diff' }),
  autopep8: checker('-i --in-place'),
  yapf: checker('-i --in-place'),
  flake8: checker(''),
  ...alike(
    'read',
    CHECKS,
    'mypy pyright pylint bandit pydocstyle vulture shellcheck hadolint yamllint markdownlint golint golangci-lint staticcheck govulncheck tflint checkov trivy grype syft snyk semgrep gitleaks trufflehog depcheck knip madge size-limit bundlesize commitlint actionlint cspell typos codespell luacheck rubocop-check phpstan psalm clang-tidy-check cppcheck ktlint detekt swiftlint jsonlint htmlhint lychee',
  ),
  golangci_lint: checker('--fix'),
  'golangci-lint': checker('--fix'),
  markdownlint: checker('-f --fix'),
  typos: checker('-w --write-changes'),
  codespell: checker('-w --write-changes'),
  semgrep: checker('--autofix -a'),
  rubocop: checker('-a -A --auto-correct --autocorrect --autocorrect-all'),
  'php-cs-fixer': plain('write', 'changes files', { dry: '--dry-run' }),
  ktlint: checker('-F --format'),
  swiftlint: checker('--fix --autocorrect'),
  'clang-format': checker('-i'),
  'clang-tidy': checker('--fix --fix-errors'),
  shfmt: checker('-w --write'),
  rustfmt: plain('write', 'changes files', { dry: '--check' }),
  goimports: checker('-w'),
  tsc: plain('write', BUILDS, { dry: '--noEmit --showConfig --listFilesOnly' }),
  clippy_driver: checker(''),
  ...alike(
    'write',
    'works on media',
    'ffmpeg convert magick mogrify gifsicle pngquant optipng jpegoptim cwebp inkscape gs sox imagemagick rsvg-convert pdfunite qpdf pdftk libreoffice soffice',
  ),
  ffmpeg: plain('write', 'works on media', {
    writes: 'last',
    style: 'words',
    values: '-i -c -f -ss -t -to -vf -af -map -r -s -b -filter_complex -crf -preset',
  }),
  mux: plain('write', 'acts on sessions', {
    subs: {
      ...alike('read', 'asks', 'list ls status classify graph lore role doctor version help'),
      ...alike(
        'elevated',
        'acts in another session',
        'send-keys send run-shell kill-server kill-session delete',
      ),
    },
  }),
  claude: plain('elevated', 'another agent'),
  ...alike(
    'elevated',
    'another agent',
    'codex gemini aider cursor-agent goose opencode amp llm ollama sgpt',
    { verbs: [[/^(?:list|ps|show)$/, 'read', 'asks']] },
  ),
};
