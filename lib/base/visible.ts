/**
 * Foreign text without its powers: what would act on a terminal is shown. Needs no table of widths, so that commands that
 * only print load fast.
 */

/** C0, DEL, C1, line and paragraph separators, the bidirectional controls (UAX #9), and lone surrogates. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/**
 * `s` with everything that would act instead of being seen shown as text: `^X` for C0 and DEL (newlines too),
 * `\u{…}` for C1, bidirectional controls, separators and lone surrogates.
 */
export function visible(s: string): string {
  return s.replace(HIDDEN, c => {
    const code = c.charCodeAt(0);
    if (code < 0x20) return '^' + String.fromCharCode(code + 0x40);
    return code === 0x7f ? '^?' : `\\u{${code.toString(16)}}`;
  });
}

/**
 * Text with everything that is not seen made visible: control and format characters (bidirectional marks, blanks of no
 * width) as their code points. For texts by which a person decides.
 */
export function revealed(text: string): string {
  return text
    .replaceAll('\t', '  ')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, one => `<${one.codePointAt(0)!.toString(16)}>`);
}
