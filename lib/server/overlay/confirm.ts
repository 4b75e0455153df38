/**
 * A question before something that cannot be taken back, or that a program asks for. The default is no.
 */
import type { DialogView } from '../../chrome/view.ts';
import type { ModeEvent } from '../../mode/event.ts';
import type { Overlay, OverlayHost } from './overlay.ts';

export class ConfirmOverlay implements Overlay {
  readonly table = 'picker';
  readonly #host: OverlayHost;
  readonly #text: string;
  readonly #yes: () => void;

  /** @param options `yes` is called when that is the answer, after the question is gone */
  constructor(host: OverlayHost, options: { text: string; yes: () => void }) {
    this.#host = host;
    this.#text = options.text;
    this.#yes = options.yes;
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
    if (isYes) this.#yes();
  }

  select(): void {}

  refresh(): void {}

  dispose(): void {}
}
