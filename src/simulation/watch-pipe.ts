import type { Status } from '../api/meta.ts';
import { after, type Instant, type Random } from '../base/index.ts';
import type { WatchLine, WatchStream } from '../kube/client/transport.ts';
import type { WatchFault } from './fault.ts';
import type { Life, Replica } from './replica.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What a pipe needs of the simulation around it. */
export interface PipeOptions {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly replica: Replica;
  readonly life: Life;
  readonly source: AsyncIterable<readonly WatchLine[]>;
  /** Ends the watch at the server. */
  readonly hangUp: () => void;
  /** Asked for each batch. */
  readonly faultFor: (batch: readonly WatchLine[]) => WatchFault | undefined;
  /** Told of each batch as the process receives it. */
  readonly onArrival: (batch: readonly WatchLine[]) => void;
  /** Told at the end. `owesExpiry`: events were hidden, and the watcher was not told yet that it has to list again. */
  readonly onClosed: (owesExpiry: boolean) => void;
}

/** A watch as it really arrives: in order, but late, in gaps, and on a connection that breaks. */
export class WatchPipe implements WatchStream {
  readonly code = 200;
  readonly lines: AsyncIterable<readonly WatchLine[]>;
  readonly #options: PipeOptions;
  readonly #arrived: (readonly WatchLine[])[] = [];
  #waiting: ((result: IteratorResult<readonly WatchLine[]>) => void) | undefined;
  #lastArrival: Instant;
  #closed = false;
  #broken = false;
  #owesExpiry = false;

  constructor(options: PipeOptions) {
    this.#options = options;
    this.#lastArrival = options.time.now();
    this.lines = { [Symbol.asyncIterator]: () => ({ next: () => this.#next(), return: () => this.#return() }) };
    void this.#pump();
  }

  /** The connection breaks: what has not arrived yet never will. */
  break(): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#options.hangUp();
    this.#arriveAfter(0, () => this.#close());
  }

  async #pump(): Promise<void> {
    for await (const batch of this.#options.source) {
      if (this.#broken) return;
      this.#carry(batch);
    }
    if (!this.#broken) this.#arriveAfter(0, () => this.#close());
  }

  #carry(batch: readonly WatchLine[]): void {
    const fault = this.#options.faultFor(batch);
    switch (fault?.kind) {
      case undefined:
        return this.#arriveAfter(0, () => this.#receive(batch));
      case 'LateEvents':
        return this.#arriveAfter(fault.ms, () => this.#receive(batch));
      case 'DroppedEvents':
        return;
      case 'Disconnect':
        return this.break();
      case 'HiddenEvents':
        // The stream goes on without the batch; the server's 410 is what makes the watcher look again.
        this.#owesExpiry = true;
        return void this.#options.time.at(after(this.#options.time.now(), fault.ms), () => this.#expire());
    }
  }

  #expire(): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#options.hangUp();
    this.#arriveAfter(0, () => {
      this.#owesExpiry = false;
      this.#receive([EXPIRED]);
      this.#close();
    });
  }

  /** Plans an arrival behind all that was sent before it. */
  #arriveAfter(ms: number, action: () => void): void {
    const { time, random, replica, life } = this.#options;
    const due = after(time.now(), 1 + random.int(5) + ms);
    this.#lastArrival = due > this.#lastArrival ? due : this.#lastArrival;
    replica.deliver(life, this.#lastArrival, action);
  }

  #receive(batch: readonly WatchLine[]): void {
    if (this.#closed) return;
    this.#options.onArrival(batch);
    if (this.#waiting) this.#hand({ done: false, value: batch });
    else this.#arrived.push(batch);
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#options.onClosed(this.#owesExpiry);
    if (this.#waiting) this.#hand({ done: true, value: undefined });
  }

  #hand(result: IteratorResult<readonly WatchLine[]>): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(result);
  }

  #next(): Promise<IteratorResult<readonly WatchLine[]>> {
    const batch = this.#arrived.shift();
    if (batch) return Promise.resolve({ done: false, value: batch });
    if (this.#closed) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => (this.#waiting = resolve));
  }

  #return(): Promise<IteratorResult<readonly WatchLine[]>> {
    this.#broken = true;
    this.#options.hangUp();
    this.#close();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** The watcher gave up: no more lines, no reply. */
  abandon(): void {
    this.#broken = true;
    this.#options.hangUp();
    this.#close();
  }
}

/** What a server says to a watcher that has missed something. */
export const expiredStatus: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'too old resource version',
  reason: 'Expired',
  code: 410,
};

/** An ERROR line carries a Status where other lines carry an object. */
const EXPIRED: WatchLine = { type: 'ERROR', object: expiredStatus as unknown as WatchLine['object'] };
