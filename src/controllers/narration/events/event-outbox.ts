import type { KubeObject } from '../../../api/meta.ts';
import type { Logger } from '../../../base/index.ts';
import type { EventNote, EventRecorder } from '../../../kube/objects/events.ts';

export interface EventOutboxOptions {
  readonly events: EventRecorder;
  readonly log: Logger;
  /** An Event was left out. */
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
/** What 1,000 remediations at once have to tell, and half as much again. */
const MOST = 10_000;

/**
 * Writes few Events at a time, so that they do not slow down other API requests. Beyond the limit Normal Events are left out, and Warnings
 * beyond twice the limit; each is counted, and the log says so when it starts and how many there were when all others are written.
 */
export class EventOutbox {
  readonly #options: Required<EventOutboxOptions>;
  #waiting: Waiting[] = [];
  /** How many of the waiting ones are sent; they are removed together, since removing one by one moves all others. */
  #sent = 0;
  #inFlight = 0;
  #leftOut = 0;

  constructor(options: EventOutboxOptions) {
    this.#options = { inFlight: IN_FLIGHT, most: MOST, ...options };
  }

  add(object: KubeObject, notes: readonly EventNote[], signal: AbortSignal): void {
    for (const note of notes)
      if (this.#hasRoomFor(note)) this.#waiting.push({ object: identityOf(object), note, signal });
      else this.#leaveOut();
    while (this.#inFlight < this.#options.inFlight && this.#sent < this.#waiting.length) void this.#send();
  }

  #hasRoomFor({ type }: EventNote): boolean {
    const { most } = this.#options;
    return this.#waiting.length - this.#sent < (type === 'Warning' ? 2 * most : most);
  }

  #leaveOut(): void {
    const { log, most, dropped } = this.#options;
    if (this.#leftOut === 0) log.warn('Kubernetes Events are left out: too many wait to be written', { most });
    this.#leftOut++;
    dropped();
  }

  async #send(): Promise<void> {
    this.#inFlight++;
    for (let next = this.#next(); next; next = this.#next())
      if (!next.signal.aborted) await this.#options.events.record(next.object, next.note, next.signal);
    this.#inFlight--;
  }

  #next(): Waiting | undefined {
    const next = this.#waiting[this.#sent];
    if (next) {
      this.#sent++;
      return next;
    }
    this.#waiting = [];
    this.#sent = 0;
    if (this.#leftOut > 0) this.#options.log.warn('Kubernetes Events were left out', { count: this.#leftOut });
    this.#leftOut = 0;
    return undefined;
  }
}

/** What an Event says of its object: a burst of Events does not keep old versions of objects in memory. */
const identityOf = ({
  apiVersion,
  kind,
  metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
}: KubeObject): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, uid, resourceVersion, creationTimestamp, ...(namespace === undefined ? {} : { namespace }) },
});
