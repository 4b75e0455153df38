/** The program's own screen: blessed places the parts, the frame and the renderer of the multiplexer make bytes of them. */
import { ChromeScreen } from '../chrome/screen.ts';
import type { Theme } from '../config/theme.ts';
import { composeChrome, composeCursor } from '../frame/compose.ts';
import { Frame } from '../frame/frame.ts';
import type { TerminalCaps } from '../render/caps.ts';
import { Renderer } from '../render/renderer.ts';
import type { ScreenPicture } from './paint/screen.ts';
import type { ChatApp } from './state.ts';

export class ChatScreen {
  readonly #chrome: ChromeScreen;
  readonly #renderer: Renderer;
  readonly #frame: Frame;

  constructor(app: ChatApp, theme: Theme, caps: TerminalCaps) {
    const { cols, rows } = app.size;
    this.#chrome = new ChromeScreen(app.size, theme, caps.colors);
    this.#renderer = new Renderer(caps);
    this.#frame = new Frame(cols, rows);
  }

  /** The cells of the last picture. */
  get frame(): Frame {
    return this.#frame;
  }

  /** Bytes that bring the terminal to this picture; empty when nothing changed. */
  render({ size }: ChatApp, picture: ScreenPicture): Uint8Array {
    const frame = this.#frame;
    if (frame.cols !== size.cols || frame.rows !== size.rows) frame.resize(size.cols, size.rows);
    const cells = this.#chrome.paint(picture.painting, size);
    composeChrome(frame, cells);
    composeCursor(frame, cells, undefined);
    return this.#renderer.render(frame);
  }

  setTheme(theme: Theme): void {
    this.#chrome.setTheme(theme);
  }

  /** Nothing is known of the terminal any more. */
  invalidate(): void {
    this.#renderer.invalidate();
  }

  /** May be called more than once. */
  dispose(): void {
    this.#chrome.dispose();
  }
}
