/**
 * A question before something that cannot be taken back. The default is no.
 */
import type { DialogView } from '../../chrome/view.ts';
import type { ModeEvent } from '../../mode/event.ts';
import type { Overlay, OverlayHost } from './overlay.ts';

export class ConfirmOverlay implements Overlay {
  readonly table = 'picker';
  readonly #host: OverlayHost;
  readonly #text: string;
  readonly #command: string;

  constructor(host: OverlayHost, options: { text: string; command: string }) {
    this.#host = host;
    this.#text = options.text;
    this.#command = options.command;
  }

  view(): DialogView {
    return {
      type: 'dialog',
      title: 'Sure?',
      lines: [[{ text: this.#text }]],
      hint: 'y yes · n, Enter or Esc no',
    };
  }

  event(event: ModeEvent): void {
    const isYes = typeof event !== 'string' && event.type === 'text' && /^y$/i.test(event.text);
    const isNo =
      event === 'accept' ||
      event === 'cancel' ||
      (typeof event !== 'string' && event.type === 'text' && /^n$/i.test(event.text));
    if (isYes || isNo) this.#host.close();
    if (isYes) this.#host.run(this.#command);
  }

  select(): void {}

  dispose(): void {}
}
