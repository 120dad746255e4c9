import type { ServerResponse } from 'node:http';
import { after, SECOND, type Clock, type Instant } from '../../base/index.ts';
import type { Topic } from '../contract/index.ts';
import type { ChangeFrames } from './change-frames.ts';

/** Changes that come within this time are sent together. */
const EVERY_MS = 200;
/** A stream without changes shows that it is alive. */
const HEARTBEAT_MS = 15 * SECOND;
/** A client that takes nothing for so long is disconnected. */
const PATIENCE_MS = 30 * SECOND;
/** How often a stream checks that its user may still read. */
const CHECK_MS = 60 * SECOND;

const HEARTBEAT = Buffer.from(': still here\n\n');

/** One client that follows changes. */
interface Stream {
  readonly response: ServerResponse;
  readonly topics: ReadonlySet<Topic>;
  /** Rejects when the user may no longer read. */
  readonly check: () => Promise<unknown>;
  position: number;
  lastWrite: Instant;
  nextCheck: Instant;
  /** Set while the client has not taken what was sent. */
  waitsSince: Instant | undefined;
}

export interface StreamOptions {
  readonly response: ServerResponse;
  readonly topics: ReadonlySet<Topic>;
  readonly position: number;
  readonly check: () => Promise<unknown>;
}

/**
 * Sends changes to every client that follows them. A client that is slow to read gets nothing more until it has read: what changed meanwhile is
 * then sent once, in its last state. So one client never holds more memory than one batch.
 */
export class ChangeStreams {
  readonly #frames: ChangeFrames;
  readonly #clock: Clock;
  readonly #streams = new Set<Stream>();
  #stop: AbortController | undefined;

  /** @param clock a steady one */
  constructor({ frames, clock }: { readonly frames: ChangeFrames; readonly clock: Clock }) {
    this.#frames = frames;
    this.#clock = clock;
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Follows changes until the connection ends. */
  open({ response, topics, position, check }: StreamOptions): void {
    const now = this.#clock.now();
    const stream: Stream = { response, topics, check, position, lastWrite: now, nextCheck: after(now, CHECK_MS), waitsSince: undefined };
    this.#streams.add(stream);
    response.on('drain', () => (stream.waitsSince = undefined));
    response.on('close', () => this.#close(stream));
    if (!this.#stop) void this.#run((this.#stop = new AbortController()));
  }

  /** Sends every client what changed, and ends those that take nothing. */
  tick(): void {
    const now = this.#clock.now();
    for (const stream of this.#streams) this.#serve(stream, now);
  }

  #serve(stream: Stream, now: Instant): void {
    if (stream.waitsSince !== undefined) {
      if (now >= after(stream.waitsSince, PATIENCE_MS)) stream.response.destroy();
      return;
    }
    if (now >= stream.nextCheck) this.#check(stream, now);
    const batch = this.#frames.after(stream.position, stream.topics);
    if (batch) stream.position = batch.position;
    if (batch && batch.bytes.length > 0) this.#write(stream, batch.bytes, now);
    else if (now >= after(stream.lastWrite, HEARTBEAT_MS)) this.#write(stream, HEARTBEAT, now);
  }

  #write(stream: Stream, bytes: Buffer, now: Instant): void {
    stream.lastWrite = now;
    if (!stream.response.write(bytes)) stream.waitsSince = now;
  }

  #check(stream: Stream, now: Instant): void {
    stream.nextCheck = after(now, CHECK_MS);
    stream.check().catch(() => stream.response.end());
  }

  #close(stream: Stream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    this.#stop?.abort();
    this.#stop = undefined;
  }

  async #run({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      this.tick();
      // Rejects when the last stream has closed.
      await this.#clock.waitUntil(after(this.#clock.now(), EVERY_MS), signal).catch(() => undefined);
    }
  }
}
