import { keyText, type KubeObject } from '../../api/meta.ts';
import { resourceName } from '../../api/resource.ts';
import { after, backoffDelay, hasCode, messageOf, type Clock, type Logger, type Random } from '../../base/index.ts';
import { SERVER_BACKOFF } from '../client/server-backoff.ts';
import type { KubeClient } from '../client/client.ts';
import { ApiError } from '../client/errors.ts';
import type { Write } from './recording-client.ts';

export interface LostWritesDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Told what a read made after the loss found. */
  readonly found: (write: Write, object: KubeObject | undefined) => void;
}

/** Finds out what became of writes whose answer never came, by reading the object after the loss. One at a time. */
export class LostWrites {
  readonly #deps: LostWritesDeps;
  readonly #waiting = new Map<string, Write>();
  #wake: (() => void) | undefined;
  #failures = 0;

  constructor(deps: LostWritesDeps) {
    this.#deps = deps;
  }

  add(write: Write): void {
    this.#waiting.set(nameOf(write), write);
    this.#wake?.();
  }

  async run(signal: AbortSignal): Promise<void> {
    const wake = (): void => this.#wake?.();
    signal.addEventListener('abort', wake);
    while (!signal.aborted) {
      const [next] = this.#waiting.values();
      if (next) await this.#look(next, signal);
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    signal.removeEventListener('abort', wake);
  }

  async #look(write: Write, signal: AbortSignal): Promise<void> {
    const name = nameOf(write);
    this.#waiting.delete(name);
    try {
      const object = await this.#read(write, signal);
      // Lost again meanwhile: this read may be older than that.
      if (!this.#waiting.has(name)) this.#deps.found(write, object);
      this.#failures = 0;
    } catch (error) {
      if (!signal.aborted) await this.#tryLater(write, error, signal);
    }
  }

  async #read(write: Write, signal: AbortSignal): Promise<KubeObject | undefined> {
    try {
      return await this.#deps.client.get(write.resource, write.key, { metadataOnly: true, signal });
    } catch (error) {
      if (hasCode(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  /** What we may not read stays unknown until the next list. */
  async #tryLater(write: Write, error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, random, log } = this.#deps;
    log.warn('reading what became of a write', { object: nameOf(write), error: messageOf(error) });
    if (error instanceof ApiError && error.httpCode < 500 && error.code !== 'TooManyRequests') return;
    if (!this.#waiting.has(nameOf(write))) this.#waiting.set(nameOf(write), write);
    const delay = backoffDelay(SERVER_BACKOFF, ++this.#failures, random);
    await clock.waitUntil(after(clock.now(), delay), signal).catch(() => undefined);
  }
}

const nameOf = (write: Write): string => `${resourceName(write.resource)} ${keyText(write.key)}`;
