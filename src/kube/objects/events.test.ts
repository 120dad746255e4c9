import { describe, expect, test } from 'vitest';
import { isObject, MINUTE } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createClient } from '../client/api-client.ts';
import { createEventRecorder, type EventNote, type EventRecorder, type KubeEvent } from './events.ts';
import { failure, ScriptedTransport } from '../testing/scripted-transport.ts';
import { aWidget } from '../testing/widget.ts';
import type { ApiRequest, ApiResponse } from '../client/transport.ts';

const subject = aWidget({ name: 'cart', version: 7 });
const note: EventNote = { type: 'Warning', reason: 'RunFailed', message: 'the run failed' };

/** Keeps Events as a server would, as far as the recorder can tell. */
class EventServer extends ScriptedTransport {
  readonly events = new Map<string, KubeEvent>();
  writes = 0;

  override answer = (request: ApiRequest): ApiResponse => {
    if (request.method === 'GET') return this.#found(request.path);
    this.writes++;
    return request.method === 'POST' ? this.#create(request) : this.#patch(request);
  };

  #create({ path, body }: ApiRequest): ApiResponse {
    const event = body as KubeEvent;
    const at = `${path}/${event.metadata.name}`;
    if (this.events.has(at)) return failure(409, 'AlreadyExists');
    this.events.set(at, event);
    return { code: 201, body: event };
  }

  #patch({ path, body }: ApiRequest): ApiResponse {
    const event = this.events.get(path);
    if (event && isObject(body)) this.events.set(path, { ...event, ...body });
    return this.#found(path);
  }

  #found(path: string): ApiResponse {
    const body = this.events.get(path);
    return body ? { code: 200, body } : failure(404, 'NotFound');
  }

  get all(): readonly KubeEvent[] {
    return [...this.events.values()];
  }
}

function rig(server = new EventServer()): { server: EventServer; clock: ManualClock; recorder: EventRecorder } {
  const clock = new ManualClock();
  const recorder = createEventRecorder({ client: createClient(server), clock, component: 'sickbay/remediation', instance: 'pod-1' });
  return { server, clock, recorder };
}

describe('an event', () => {
  test('names what happened, the object, the time, and the reporting controller', async () => {
    const { server, recorder } = rig();
    await recorder.record(subject, note);
    expect(server.all).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { namespace: 'shop', name: expect.stringMatching(/^cart\.[0-9a-f]{16}$/) as string },
        involvedObject: {
          apiVersion: 'client.example.com/v1',
          kind: 'Widget',
          namespace: 'shop',
          name: 'cart',
          uid: 'uid-cart',
          resourceVersion: '7',
        },
        ...note,
        count: 1,
        firstTimestamp: '2026-11-15T03:00:00Z',
        lastTimestamp: '2026-11-15T03:00:00Z',
        source: { component: 'sickbay/remediation' },
        reportingComponent: 'sickbay/remediation',
        reportingInstance: 'pod-1',
      },
    ]);
  });

  test('of a cluster-scoped object lives in the default namespace', async () => {
    const { server, recorder } = rig();
    const { namespace: _, ...metadata } = subject.metadata;
    await recorder.record({ ...subject, metadata }, note);
    expect(server.all[0]?.metadata.namespace).toBe('default');
    expect(server.all[0]?.involvedObject).not.toHaveProperty('namespace');
  });

  test('that repeats is counted on the same object', async () => {
    const { server, clock, recorder } = rig();
    for (let i = 0; i < 3; i++) {
      await recorder.record(subject, note);
      await clock.advance(MINUTE);
    }
    expect(server.all).toHaveLength(1);
    expect(server.all[0]).toMatchObject({ count: 3, firstTimestamp: '2026-11-15T03:00:00Z', lastTimestamp: '2026-11-15T03:02:00Z' });
  });

  test('continues to count after a restart', async () => {
    const { server, recorder } = rig();
    await recorder.record(subject, note);
    await rig(server).recorder.record(subject, note);
    expect(server.all.map(({ count }) => count)).toEqual([2]);
  });

  test('recorded twice at once is counted twice', async () => {
    const { server, recorder } = rig();
    await Promise.all([recorder.record(subject, note), recorder.record(subject, note), recorder.record(subject, note)]);
    expect(server.all.map(({ count }) => count)).toEqual([3]);
  });

  test.each([
    { name: 'another message', object: subject, other: { ...note, message: 'again' } },
    { name: 'another reason', object: subject, other: { ...note, reason: 'RunLost' } },
    { name: 'another type', object: subject, other: { ...note, type: 'Normal' as const } },
    { name: 'another object of that name', object: aWidget({ name: 'cart', version: 9, uid: 'another' }), other: note },
  ])('of $name is another one', async ({ object, other }) => {
    const { server, recorder } = rig();
    await recorder.record(subject, note);
    await recorder.record(object, other);
    expect(server.all.map(({ count }) => count)).toEqual([1, 1]);
  });

  test('that the server forgot starts a new series', async () => {
    const { server, recorder } = rig();
    await recorder.record(subject, note);
    server.events.clear();
    await recorder.record(subject, note);
    await recorder.record(subject, note);
    expect(server.all.map(({ count }) => count)).toEqual([2]);
  });

  test('with a message too long for the API is cut', async () => {
    const { server, recorder } = rig();
    await recorder.record(subject, { ...note, message: 'x'.repeat(5_000) });
    expect(server.all[0]?.message).toHaveLength(1_024);
  });
});

describe('too many events', () => {
  test('that differ only in their message share one after ten', async () => {
    const { server, recorder } = rig();
    for (let i = 0; i < 14; i++) await recorder.record(subject, { ...note, message: `attempt ${i} failed` });
    expect(server.all).toHaveLength(11);
    expect(server.all.at(-1)).toMatchObject({ count: 4, message: '(combined from similar events): attempt 13 failed' });
  });

  test('are recorded one by one again after a while', async () => {
    const { server, clock, recorder } = rig();
    for (let i = 0; i < 12; i++) await recorder.record(subject, { ...note, message: `attempt ${i}` });
    await clock.advance(10 * MINUTE);
    await recorder.record(subject, { ...note, message: 'attempt 99' });
    expect(server.all.at(-1)?.message).toBe('attempt 99');
  });

  test('that repeat are written seldom, but all counted', async () => {
    const { server, clock, recorder } = rig();
    for (let i = 0; i < 100; i++) await recorder.record(subject, note);
    expect(server.writes).toBe(25);
    expect(server.all[0]?.count).toBe(25);
    await clock.advance(5 * MINUTE);
    await recorder.record(subject, note);
    expect(server.writes).toBe(26);
    expect(server.all[0]?.count).toBe(101);
  });

  test('of one object take nothing from another', async () => {
    const { server, recorder } = rig();
    for (let i = 0; i < 100; i++) await recorder.record(subject, note);
    await recorder.record(aWidget({ name: 'other', version: 1 }), note);
    expect(server.all).toHaveLength(2);
  });
});

describe('trouble with events is not the caller’s', () => {
  test.each([
    { name: 'refused', answer: () => failure(403, 'Forbidden') },
    {
      name: 'unreachable',
      answer: (): never => {
        throw new Error('connection refused');
      },
    },
  ])('$name: nothing is thrown, and the next one counts it', async ({ answer }) => {
    const { server, recorder } = rig();
    const working = server.answer;
    server.answer = answer;
    await recorder.record(subject, note);
    server.answer = working;
    await recorder.record(subject, note);
    expect(server.all.map(({ count }) => count)).toEqual([2]);
  });
});
