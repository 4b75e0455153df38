/**
 * The clipboard of a client's terminal (OSC 52; ctlseqs "Manipulate Selection Data").
 */

/**
 * Sets the clipboard. A tmux between us and the terminal takes that from programs only where its set-clipboard is on:
 * there it is said a second time in the wrapping that tmux hands on as it is (DCS tmux;, its allow-passthrough).
 */
export function clipboardBytes(data: Uint8Array, isInTmux: boolean): Uint8Array {
  const plain = `\x1b]52;c;${Buffer.from(data).toString('base64')}\x1b\\`;
  return Buffer.from(isInTmux ? `${plain}\x1bPtmux;${plain.replaceAll('\x1b', '\x1b\x1b')}\x1b\\` : plain);
}
