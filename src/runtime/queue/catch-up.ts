import type { KubeObject } from '../../api/meta.ts';
import type { Store } from '../../kube/cache/cache.ts';
import type { Lag } from '../reconcile/observation-reader.ts';

/** Keys whose pass found the cache behind our own writes; each comes back as soon as the stores have caught up. */
export class CatchUp {
  readonly #wake: (key: string) => void;
  readonly #waiting = new Map<string, readonly Lag[]>();

  constructor(wake: (key: string) => void) {
    this.#wake = wake;
  }

  /** The stores may have caught up while the observation went on: then the key comes back at once. */
  wait(key: string, lags: readonly Lag[]): void {
    if (lags.some((lag) => lag.stillBehind())) this.#waiting.set(key, lags);
    else this.#wake(key);
  }

  /** To be called after a store changed, or learnt how one of our writes ended. */
  changed(store: Store<KubeObject>): void {
    if (this.#waiting.size === 0) return;
    for (const [key, lags] of this.#waiting) {
      if (!lags.some((lag) => lag.store === store) || lags.some((lag) => lag.stillBehind())) continue;
      this.#waiting.delete(key);
      this.#wake(key);
    }
  }

  forget(key: string): void {
    this.#waiting.delete(key);
  }
}
