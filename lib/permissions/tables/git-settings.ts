/** Settings of git: many name programs that git runs. */
import { plain } from '../apply.ts';
import { findOption } from '../args.ts';
import { UNKNOWN, type Arg, type Judge, type Tool } from '../types.ts';

/** Settings whose value git runs, or that say where from it takes what it runs. */
const RUNNING_KEYS =
  /^(?:alias\..*|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|attributesfile|worktree|alternaterefscommand)|pager\..*|sequence\.editor|credential(?:\..*)?\.helper|diff\.external|diff\..*\.(?:command|textconv)|difftool\..*|mergetool\..*|merge\..*\.driver|filter\..*|gpg\.(?:program|.*\.program)|gpg\.ssh\..*|interactive\.difffilter|uploadpack\..*|receive\..*|remote\..*\.(?:uploadpack|receivepack|vcs|proxy)|protocol\..*\.allow|include(?:if)?\..*|init\.templatedir|url\..*|submodule\..*\.update|browser\..*|man\..*|web\.browser|instaweb\..*|sendemail\..*|trailer\..*\.(?:command|cmd)|ssh\.variant|tar\..*\.command|http\.(?:proxy|sslverify|.*\.sslverify)|hook\..*|safe\.directory|fsck\..*|commit\.template)$/i;
/** Values of such settings that run nothing, or a program everybody has. */
const HARMLESS =
  /^(?:cat|less(?: -\w+)?|more|delta|bat|vim?|nano|emacs|code --wait|true|false|:|store|cache(?: --timeout=\d+)?|osxkeychain|manager(?:-core)?|libsecret|\d+|always|never|user|)$/;

/** A setting and its value, as `-c` and `config` have them. */
export function setting(key: string, value: Arg | undefined, judge: Judge): void {
  if (!RUNNING_KEYS.test(key)) return;
  const text = value?.text ?? '';
  if (HARMLESS.test(text)) return;
  // An alias that is no shell text stands for a command of git.
  if (/^alias\./i.test(key) && !text.startsWith('!')) return judge.code(`git ${text}`, value?.sources);
  judge.note('elevated', `sets ${key.replaceAll(UNKNOWN, '…')}: git runs what it says`);
  if (text !== '' && !/^include|^url|^safe|^http|^protocol/i.test(key))
    judge.code(text.replace(/^!/, ''), value?.sources);
}

const CONFIG: Tool = plain('write', 'changes a setting', {
  values: '-f --file --blob --type --default --comment --value --url',
  check: ({ options, operands, call }, judge) => {
    const words = operands.map(arg => arg.text);
    const isList = findOption(
      options,
      '-l --list --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --name-only --show-origin',
    );
    if (isList || /^(?:list|get)$/.test(words[0] ?? '')) return;
    if (findOption(options, '-e --edit') || words[0] === 'edit')
      return judge.note('elevated', 'edits settings');
    const [key, value] = /^(?:set|unset|rename-section|remove-section)$/.test(words[0] ?? '')
      ? operands.slice(1)
      : operands;
    const isUnset = findOption(options, '--unset --unset-all --remove-section');
    const isWritten = value !== undefined || isUnset || /^(?:set|unset)/.test(words[0] ?? '');
    if (!isWritten) return;
    if (findOption(options, '--system')) judge.note('destructive', 'changes settings of the system');
    if (findOption(options, '--global')) judge.note('elevated', 'changes settings of all repositories');
    const file = findOption(call.args.length > 0 ? options : [], '-f --file')?.value;
    if (file) judge.write(file);
    if (key) setting(key.text, value, judge);
  },
});

/** `git config`: `config KEY` and its listings only read. */
export const GIT_CONFIG: Tool = {
  ...CONFIG,
  tier: 'read',
  why: 'shows settings',
  check: (use, judge) => {
    const isQuery =
      findOption(use.options, '-l --list --get --get-all --get-regexp --get-urlmatch') ||
      /^(?:list|get)$/.test(use.operands[0]?.text ?? '') ||
      (use.operands.length <= 1 &&
        !findOption(
          use.options,
          '--unset --unset-all --remove-section --rename-section -e --edit --add --replace-all',
        ));
    if (!isQuery) judge.note('write', 'changes a setting');
    CONFIG.check?.(use, judge);
  },
};
