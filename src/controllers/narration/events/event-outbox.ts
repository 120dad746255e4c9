import type { KubeObject } from '../../../api/meta.ts';
import type { EventNote, EventRecorder } from '../../../kube/objects/events.ts';

export interface EventOutboxOptions {
  readonly events: EventRecorder;
  /** An Event was dropped. */
  dropped(): void;
  readonly inFlight?: number;
  readonly most?: number;
}

interface Waiting {
  readonly object: KubeObject;
  readonly note: EventNote;
  /** Aborts when the narrator that added it stops. */
  readonly signal: AbortSignal;
}

const IN_FLIGHT = 4;
const MOST = 1_000;

/** Writes few Events at a time, so that they do not slow down other API requests. Events beyond the limit are dropped. */
export class EventOutbox {
  readonly #options: Required<EventOutboxOptions>;
  readonly #waiting: Waiting[] = [];
  #inFlight = 0;

  constructor(options: EventOutboxOptions) {
    this.#options = { inFlight: IN_FLIGHT, most: MOST, ...options };
  }

  add(object: KubeObject, notes: readonly EventNote[], signal: AbortSignal): void {
    for (const note of notes) {
      if (this.#waiting.length < this.#options.most) this.#waiting.push({ object, note, signal });
      else this.#options.dropped();
    }
    while (this.#inFlight < this.#options.inFlight && this.#waiting.length > 0) void this.#send();
  }

  async #send(): Promise<void> {
    this.#inFlight++;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      if (!next.signal.aborted) await this.#options.events.record(next.object, next.note, next.signal);
    }
    this.#inFlight--;
  }
}
