/**
 * Variables of the environment that make programs run code, or other programs than those named.
 */
import { literal } from './args.ts';
import { UNKNOWN, type Arg, type Judge } from './types.ts';

/** Names whose value is run, loaded, or searched for programs. */
const RUNS =
  /^(?:PATH|LD_\w+|DYLD_\w+|BASH_ENV|ENV|PROMPT_COMMAND|PS[0-4]|SHELLOPTS|BASHOPTS|CDPATH|SHELL|GIT_(?:SSH\w*|\w*EDITOR|PAGER|EXTERNAL_DIFF|CONFIG\w*|EXEC_PATH|TEMPLATE_DIR|PROXY_COMMAND|ASKPASS|DIR|WORK_TREE|INDEX_FILE|ALTERNATE\w*)|EDITOR|VISUAL|FCEDIT|PAGER|MANPAGER|MANOPT|SYSTEMD_\w*(?:PAGER|EDITOR|LESS)\w*|BROWSER|LESSOPEN|LESSCLOSE|LESSEDIT|PYTHON(?:STARTUP|PATH|HOME|BREAKPOINT|INSPECT|WARNINGS)|PERL5?(?:OPT|LIB|DB)|PERL5DB|RUBY(?:OPT|LIB)|NODE_(?:OPTIONS|PATH)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|MAKEFLAGS|MFLAGS|GNUMAKEFLAGS|MAKEFILES|CC|CXX|LD|AR|GOFLAGS|CGO_\w+|RUSTC|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|RUSTFLAGS|CARGO_\w+|\w*_ASKPASS|BASH_FUNC_.*|IFS|HOME|TERMINFO\w*|RSYNC_RSH|CVS_RSH|TAR_OPTIONS|TAPE|GREP_OPTIONS|GZIP|ZIPOPT|UNZIP|HGEDITOR|SVN_(?:EDITOR|SSH)|KUBECONFIG|KUBE_EDITOR|KUBECTL_EXTERNAL_DIFF|DOCKER_HOST|DOCKER_CONTEXT|npm_config_\w+|NPM_CONFIG_\w+|PIP_(?:INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST)|ANSIBLE_\w+|VIMINIT|EXINIT|GVIMINIT|EMACSLOADPATH|ZDOTDIR|INPUTRC|OPENSSL_CONF|GCONV_PATH|LOCPATH|HOSTALIASES|PSQL_\w+|PAGER_\w+|DELTA_PAGER|BAT_PAGER|GH_(?:PAGER|EDITOR|BROWSER)|LUA_INIT\w*|PHP(?:RC|_INI_SCAN_DIR)|R_PROFILE\w*|SSLKEYLOGFILE|HISTFILE|MAIL|http_proxy|https_proxy|HTTPS?_PROXY|ALL_PROXY)$/;

/** Of those, the ones that a plain name of a usual program, or a plain word, leaves harmless. */
const NAMES_A_PROGRAM = /EDITOR$|VISUAL$|PAGER$|BROWSER$|^(?:CC|CXX|LD|AR|SHELL|RUSTC_WRAPPER)$/;
const PLAIN_PROGRAM =
  /^(?:cat|less|more|most|bat|delta|true|false|:|vi|vim|nvim|nano|emacs|ed|code|subl|hx|micro|gcc|g\+\+|clang|clang\+\+|cc|c\+\+|ld|lld|ar|sccache|ccache|firefox|chromium|open|xdg-open|bash|sh|zsh|fish|\/bin\/(?:ba|z|da)?sh|\/usr\/bin\/\w+|)(?: (?:--?[\w-]+)){0,3}$/;

/** Names whose value, though they can run code, usually is a switch, a number or a list of plain flags. */
const FLAGS_ONLY =
  /^(?:IFS|CARGO_\w+|RUSTFLAGS|GOFLAGS|CGO_\w+|PS[0-4]|MAKEFLAGS|NODE_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|NO_PROXY|https?_proxy|HTTPS?_PROXY|ALL_PROXY|KUBECONFIG|DOCKER_CONTEXT|MAIL|HISTFILE|ANSIBLE_\w+|n?pm_config_\w+|NPM_CONFIG_\w+)$/i;
/** What of such values loads, links or runs something. */
const LOADS =
  /require|import|loader|-r\b|linker|runner|toolexec|exec|eval|\$\(|`|plugin|-Xlinker|-C\b.*link|inspect|shell|SHELL|agent|wrapper|rustc|registry|script|ldflags|=.*\/bin|LD$/i;

/** Tells a judge what a variable that is set for programs may do. `part` of a line, by prefix, `export` or `env`. */
export function judgeVariable(name: string, value: Arg, judge: Judge): void {
  if (!RUNS.test(name)) return;
  const { text } = value;
  if (NAMES_A_PROGRAM.test(name) && PLAIN_PROGRAM.test(text)) return;
  if (FLAGS_ONLY.test(name) && !LOADS.test(text) && !LOADS.test(name) && !text.includes(UNKNOWN)) return;
  if (name === 'IFS' || name === 'HISTFILE') return;
  judge.note('elevated', `sets ${name}: programs run or load what it names`);
  if (value.output !== undefined) judge.code(value.output, value.sources);
  if (/[\s$`;|&(]/.test(text)) judge.code(codeOf(text), value.sources);
}

/** Exported functions look like `() { …; }`; what make is told may hold `$(shell …)`. */
function codeOf(text: string): string {
  const shell = /\$[({]shell\s+([\s\S]*)[)}]/.exec(text);
  return shell ? shell[1]! : text.replace(/^\(\)\s*/, '');
}

/** For commands that take `NAME=VALUE` words: whether it was one. */
export function judgeAssignmentWord(arg: Arg, judge: Judge): boolean {
  const match = /^([A-Za-z_][\w%]*(?:\(\))?)\+?=/.exec(arg.text);
  if (!match) return false;
  judge.environment(match[1]!.replace(/%%$|\(\)$/, ''), {
    ...literal(arg.text.slice(match[0].length)),
    sources: arg.sources,
  });
  return true;
}
