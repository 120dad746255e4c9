import { createHash } from 'node:crypto';
import type { Draft, KubeObject, ObjectReference } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { hasCode, messageOf, silent, toTime, type Clock, type Logger } from '../../base/index.ts';
import type { KubeClient } from '../client/client.ts';
import { EventLimits } from './event-limits.ts';
import { Recent } from '../cache/recently-used.ts';

/** core/v1 Event, the fields we write. */
export interface KubeEvent extends KubeObject {
  readonly involvedObject: ObjectReference;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly count?: number;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
}

export const EVENTS: Resource<KubeEvent> = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };

/** What happened, for people. */
export type EventNote = Pick<KubeEvent, 'type' | 'reason' | 'message'>;

export interface EventRecorder {
  /** Never rejects: an Event that cannot be written is logged, and counted with the next one like it. */
  record(object: KubeObject, note: EventNote, signal?: AbortSignal): Promise<void>;
}

export interface EventRecorderDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Who reports: `sickbay/remediation`. */
  readonly component: string;
  /** Which process of it. */
  readonly instance: string;
  readonly log?: Logger;
}

/**
 * Tells people what happened to an object. The same note on the same object is one Event that counts; its name follows from
 * object and note, so it goes on counting after a restart.
 */
export const createEventRecorder = (deps: EventRecorderDeps): EventRecorder => new CountingRecorder(deps);

const MOST_SERIES = 4_096;
const LONGEST_MESSAGE = 1_024;
const TOGETHER = '(combined from similar events): ';

/** One Event object: how often it happened, and how much of that is not written yet. */
interface Series {
  /** As far as we know what the server has; 0 when that is nothing, or not known. */
  written: number;
  unwritten: number;
  last: Promise<void>;
}

class CountingRecorder implements EventRecorder {
  readonly #deps: Required<EventRecorderDeps>;
  readonly #limits = new EventLimits();
  readonly #series = new Recent<Series>(MOST_SERIES);

  constructor(deps: EventRecorderDeps) {
    this.#deps = { log: silent, ...deps };
  }

  async record(object: KubeObject, note: EventNote, signal?: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    const group = [object.metadata.uid, note.type, note.reason].join('\n');
    const { together, write } = this.#limits.judge(group, note.message, clock.now());
    const event = this.#eventFor(object, note, together);
    const series = this.#series.of(event.metadata.name, () => ({ written: 0, unwritten: 0, last: Promise.resolve() }));
    series.unwritten++;
    if (!write) return;
    // One at a time, or two writers would count from the same number.
    series.last = series.last.then(() => this.#write(event, series, signal));
    await series.last;
  }

  async #write(event: NewEvent, series: Series, signal: AbortSignal | undefined): Promise<void> {
    const options = signal ? { signal } : {};
    const counted = series.unwritten;
    if (counted === 0) return;
    try {
      series.written =
        series.written === 0 ? await this.#create(event, counted, options) : await this.#count(event, series.written + counted, options);
      series.unwritten -= counted;
    } catch (error) {
      // It may have expired, or its namespace be on its way out: the next one finds out.
      series.written = 0;
      this.#deps.log.debug('writing an event', { event: event.metadata.name, error: messageOf(error) });
    }
  }

  async #create(event: NewEvent, count: number, options: { signal?: AbortSignal }): Promise<number> {
    const { client } = this.#deps;
    try {
      await client.create(EVENTS, { ...event, count }, options);
      return count;
    } catch (error) {
      if (!hasCode(error, 'AlreadyExists')) throw error;
      const known = await client.get(EVENTS, { namespace: event.metadata.namespace, name: event.metadata.name }, options);
      return this.#count(event, (known.count ?? 1) + count, options);
    }
  }

  async #count(event: NewEvent, count: number, options: { signal?: AbortSignal }): Promise<number> {
    const key = { namespace: event.metadata.namespace, name: event.metadata.name };
    const body = { count, lastTimestamp: event.lastTimestamp, message: event.message };
    await this.#deps.client.patch(EVENTS, key, { type: 'merge', body }, options);
    return count;
  }

  #eventFor(object: KubeObject, note: EventNote, together: boolean): NewEvent {
    const { clock, component, instance } = this.#deps;
    const { metadata } = object;
    const namespace = metadata.namespace ?? 'default';
    const now = toTime(clock.now());
    const identity = [metadata.uid, component, note.type, note.reason, ...(together ? [] : [note.message])];
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace, name: `${metadata.name.slice(0, 200)}.${digest(identity)}` },
      involvedObject: referenceTo(object),
      type: note.type,
      reason: note.reason,
      message: ((together ? TOGETHER : '') + note.message).slice(0, LONGEST_MESSAGE),
      firstTimestamp: now,
      lastTimestamp: now,
      source: { component },
      reportingComponent: component,
      reportingInstance: instance,
    };
  }
}

type NewEvent = Draft<KubeEvent> & { readonly metadata: { readonly namespace: string; readonly name: string } };

const digest = (parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);

const referenceTo = ({ apiVersion, kind, metadata }: KubeObject): ObjectReference => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid,
  resourceVersion: metadata.resourceVersion,
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
});
