/**
 * Programs given to interpreters on the command line. They are not parsed: what looks like removing, running, writing or
 * hiding counts as it.
 */
import { UNKNOWN } from './types.ts';
import type { Tier } from './tier.ts';

/** Removing, whatever the language. */
const REMOVES =
  /\b(?:unlink\w*|rmtree|rmdir\w*|remove(?:Sync|dirs|_?tree|_?dir(?:_all|s)?|_file|All)?|removedirs|rm_rf?|rm_f|rm_r|rmSync|delete(?:-directory|-file|_file|SQL)?|rimraf|truncate\w*|Remove-Item|Clear-Content|Format-Volume|Stop-Computer|emptyDir\w*|drop_all|dropDatabase|del)\b|\.rm\b|\brm\b|rename\w*\s*\(/;
/** Running other programs. */
const RUNS =
  /\b(?:system|popen\w*|Popen|subprocess|exec\w*|spawn\w*|fork|child_process|shell_exec|passthru|proc_open|pcntl_\w+|shelljs|execa|zx|getoutput|getstatusoutput|check_call|check_output|do shell script|Start-Process|Invoke-Expression|iex|Invoke-Command|backtick|Open3|IO\.popen|Process\.\w+|Deno\.(?:run|Command)|Bun\.(?:spawn\w*|\$)|qx|pty|os\.exec\w*|Runtime\.getRuntime|posix_spawn\w*|kill(?:pg)?)\b|`[^`]+`|%x[[({|]|\$`/;
/** Writing files. */
const WRITES =
  /\b(?:writeFile\w*|appendFile\w*|createWriteStream|write_text|write_bytes|file_put_contents|fwrite|copyfile|copytree|copy2?|move|symlink\w*|chmod\w*|chown\w*|mkdir\w*|makedirs|Set-Content|Out-File|File\.write|IO\.write|FileUtils|shutil|save|to_csv|truncate)\b|\bopen\s*\([^)]*['"](?:[wax]b?\+?|r\+)['"]|\bopen\s*\(?[^;)]*['"]\s*(?:\+?>|\|)|\|\s*['"]/;
/** Making code, or names, out of what is not seen. */
const HIDES =
  /\b(?:eval\w*|__import__|importlib|getattr|globals|compile|b64decode|fromhex|unhexlify|atob|fromCharCode|fromCodePoint|chr|pack|unpack|decode|codecs|marshal|pickle|exec|instance_eval|class_eval|send|const_get|method_missing|Function|constructor|base64|rot13|ctypes|dlopen|FFI|ffi|syscall|builtins|__builtins__|__class__|reverse|charCodeAt|Buffer\.from)\b|\\x[0-9a-f]{2}|\\u\{?[0-9a-f]{2,}|\[::-1\]|process\.binding/i;
/** Talking to others. */
const SENDS =
  /\b(?:socket|connect|urlopen|requests|fetch|http|https|Net::HTTP|LWP|WebRequest|DownloadString)\b/;

/** What a program's text comes to; never below elevated: nobody runs it on their own. */
export function inlineTier(code: string): { readonly tier: Tier; readonly why: string } {
  if (REMOVES.test(code)) return { tier: 'destructive', why: 'code that removes' };
  if (RUNS.test(code)) return { tier: 'destructive', why: 'code that runs other programs' };
  if (HIDES.test(code)) return { tier: 'destructive', why: 'code that makes code, or hides what it does' };
  if (WRITES.test(code)) return { tier: 'destructive', why: 'code that writes files' };
  if (code.includes(UNKNOWN)) return { tier: 'elevated', why: 'code that is known only when it runs' };
  return {
    tier: 'elevated',
    why: SENDS.test(code) ? 'code that talks to others' : 'code on the command line',
  };
}
