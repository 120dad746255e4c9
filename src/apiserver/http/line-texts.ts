import type { WatchLine } from '../../kube/client/transport.ts';

/** How many texts are kept: by so many changes watchers can differ while they are served in turn. */
const KEPT = 256;
/** How many characters they may have together. */
const KEPT_CHARACTERS = 8 * 1024 * 1024;

/**
 * Lines of watches as text. All watchers of a change are sent the same frozen object, so its text is computed once, for the first of
 * them.
 */
export class LineTexts {
  readonly #texts = new Map<object, string>();
  #characters = 0;

  of({ type, object }: WatchLine): string {
    return `{"type":"${type}","object":${this.#textOf(object)}}\n`;
  }

  #textOf(object: object): string {
    const known = this.#texts.get(object);
    if (known !== undefined) return known;
    const text = JSON.stringify(object);
    this.#texts.set(object, text);
    this.#characters += text.length;
    while (this.#texts.size > KEPT || (this.#characters > KEPT_CHARACTERS && this.#texts.size > 1)) this.#forgetOldest();
    return text;
  }

  #forgetOldest(): void {
    for (const [oldest, text] of this.#texts) {
      this.#texts.delete(oldest);
      this.#characters -= text.length;
      return;
    }
  }
}
