/**
 * A desktop notification by the terminal itself (OSC 9, iTerm2; most terminals that show windows know it).
 */

/** Bytes that make a terminal notify. A tmux in between hands them on in its own wrapping (DCS tmux;). */
export function notificationBytes(text: string, isInTmux: boolean): Uint8Array {
  const plain = `\x1b]9;${text.replace(/\p{Cc}/gu, ' ')}\x1b\\`;
  return Buffer.from(isInTmux ? `\x1bPtmux;${plain.replaceAll('\x1b', '\x1b\x1b')}\x1b\\` : plain);
}
