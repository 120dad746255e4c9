import type { KubeObject } from '../../api/meta.ts';
import type { EventNote, EventRecorder } from '../../kube/events.ts';

export interface EventOutboxOptions {
  readonly events: EventRecorder;
  /** One was left out. */
  dropped(): void;
  readonly inFlight?: number;
  readonly most?: number;
}

interface Waiting {
  readonly object: KubeObject;
  readonly note: EventNote;
}

const IN_FLIGHT = 4;
const MOST = 1_000;

/** Lets few Events go at a time, so that telling never takes the API from those who work. What is too much is left out. */
export class EventOutbox {
  readonly #options: Required<EventOutboxOptions>;
  readonly #waiting: Waiting[] = [];
  #inFlight = 0;

  constructor(options: EventOutboxOptions) {
    this.#options = { inFlight: IN_FLIGHT, most: MOST, ...options };
  }

  add(object: KubeObject, notes: readonly EventNote[], signal: AbortSignal): void {
    for (const note of notes) {
      if (this.#waiting.length < this.#options.most) this.#waiting.push({ object, note });
      else this.#options.dropped();
    }
    while (this.#inFlight < this.#options.inFlight && this.#waiting.length > 0) void this.#send(signal);
  }

  async #send(signal: AbortSignal): Promise<void> {
    this.#inFlight++;
    for (let next = this.#waiting.shift(); next && !signal.aborted; next = this.#waiting.shift()) {
      await this.#options.events.record(next.object, next.note, signal);
    }
    this.#inFlight--;
  }
}
