import { describe, expect, test } from 'vitest';
import { resourceName, type Resource } from '../../api/resource.ts';
import { after, instant, PlatformError, silent } from '../../base/index.ts';
import type { EventNote } from '../../kube/objects/events.ts';
import { anObject, fakeClient, lostReply, refusal, type FakeCall } from '../../testkit/fake-client.ts';
import { FakeStore } from '../../testkit/fake-store.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import type { Controller, Decision, Effect, Reader, Subject } from './controller.ts';
import type { CallHandler } from './effects.ts';
import { reconcileOnce, type Outcome, type World } from './reconcile-once.ts';

const THING: Resource = { group: 'test.sickbay.dev', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true };
const PART: Resource = { group: 'test.sickbay.dev', version: 'v1', kind: 'Part', plural: 'parts', namespaced: true };
const KEY = { namespace: 'default', name: 'one' };
const thing = anObject('Thing', { status: { phase: 'Pending', note: 'x' } });
const part = anObject('Part');

interface Setting {
  readonly decide?: (seen: Subject, now: number) => Decision;
  readonly observe?: (reader: Reader) => unknown;
  readonly answer?: (call: FakeCall) => unknown;
  readonly prepare?: (stores: { things: FakeStore; parts: FakeStore }) => void;
  readonly handlers?: Readonly<Record<string, CallHandler>>;
  readonly mayAct?: () => boolean;
  readonly signal?: AbortSignal;
}

interface Result {
  readonly outcome: Outcome;
  readonly calls: readonly FakeCall[];
  readonly did: readonly string[];
  readonly events: readonly EventNote[];
  readonly decided: number;
}

/** One pass over the thing `one`, with fakes all around. */
async function pass(setting: Setting): Promise<Result> {
  const things = new FakeStore(THING, [thing]);
  const parts = new FakeStore(PART, [part]);
  setting.prepare?.({ things, parts });
  const { client, calls } = fakeClient(setting.answer);
  const events: EventNote[] = [];
  let decided = 0;
  const controller: Controller = {
    name: 'things',
    primary: THING,
    watches: [],
    observe(key, reader) {
      const subject = reader.get(THING, key);
      const seen = subject.kind === 'value' ? { object: subject.value } : undefined;
      const more = setting.observe?.(reader);
      return more instanceof Promise ? more.then(() => seen) : seen;
    },
    decide(seen, now) {
      decided++;
      return setting.decide?.(seen, now) ?? { effects: [] };
    },
  };
  const world: World = {
    stores: new Map([things, parts].map((store) => [resourceName(store.resource), store])),
    client,
    clock: new ManualClock(),
    events: { record: async (_object, note) => void events.push(note) },
    calls: setting.handlers ?? {},
    log: silent,
    signal: setting.signal ?? new AbortController().signal,
    mayAct: setting.mayAct ?? (() => true),
  };
  const outcome = await reconcileOnce(controller, KEY, world);
  return { outcome, calls, did: calls.map((call) => `${call.verb} ${call.target}`), events, decided };
}

const moved = { phase: 'Running' };
const create = (name = 'new'): Effect => ({
  kind: 'Create',
  resource: PART,
  object: { apiVersion: 'test.sickbay.dev/v1', kind: 'Part', metadata: { name, namespace: 'default' } },
});
const patch = (resourceVersion?: string): Effect => ({
  kind: 'Patch',
  resource: PART,
  key: KEY,
  uid: 'uid-of-part',
  operations: [{ op: 'replace', path: '/spec/suspend', value: false }],
  ...(resourceVersion !== undefined && { resourceVersion }),
});
const remove: Effect = { kind: 'Delete', resource: PART, key: KEY, uid: 'uid-of-part' };
const event: Effect = { kind: 'Event', type: 'Normal', reason: 'Moved', message: 'it moved' };

describe('the status', () => {
  test('is written first, whole, under the version it was decided on', async () => {
    const { outcome, calls, did } = await pass({ decide: () => ({ status: moved, effects: [create()] }) });
    expect(did).toEqual(['patchStatus things.test.sickbay.dev default/one', 'create parts.test.sickbay.dev default/new']);
    expect(calls[0]?.body).toEqual({
      type: 'json',
      body: [
        { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
        { op: 'add', path: '/status', value: moved },
      ],
    });
    expect(outcome).toEqual({ kind: 'settled', late: false, writes: 2 });
  });

  const unchanged = [
    { status: { phase: 'Pending', note: 'x' }, reason: 'equal content in another object' },
    { status: { note: 'x', phase: 'Pending' }, reason: 'in another order' },
    { status: { phase: 'Pending', note: 'x', gone: undefined }, reason: 'an undefined member is no member' },
    { status: undefined, reason: 'nothing decided about it' },
  ];
  test.each(unchanged)('is not written when it changes nothing: $reason', async ({ status }) => {
    const { did } = await pass({ decide: () => ({ status, effects: [] }) });
    expect(did).toEqual([]);
  });

  test('is written when a member goes', async () => {
    const { did } = await pass({ decide: () => ({ status: { phase: 'Pending' }, effects: [] }) });
    expect(did).toHaveLength(1);
  });

  const refused = [
    { error: refusal(409, 'Conflict'), want: 'stale', reason: 'another client wrote: our view was stale' },
    { error: refusal(404, 'NotFound'), want: 'stale', reason: 'the object is gone' },
    {
      error: refusal(422, 'Invalid', { details: { name: 'one', causes: [{ field: 'status.phase' }] } }),
      want: 'failed',
      reason: 'our status is wrong',
    },
    { error: lostReply(), want: 'failed', reason: 'it is unknown whether it was written' },
    { error: refusal(500, 'InternalError'), want: 'failed', reason: 'the server fails' },
  ];
  test.each(refused)('when it is not written, no effect runs: $reason', async ({ error, want }) => {
    const { outcome, did, events } = await pass({
      decide: () => ({ status: moved, effects: [create(), event] }),
      answer: (call) => {
        if (call.verb === 'patchStatus') throw error;
      },
    });
    expect(outcome.kind).toBe(want);
    expect(did).toEqual(['patchStatus things.test.sickbay.dev default/one']);
    expect(events).toEqual([]);
  });
});

describe('reading one’s own writes', () => {
  const cases: readonly { readonly reason: string; readonly prepare: Setting['prepare']; readonly observe?: Setting['observe'] }[] = [
    { reason: 'the subject, even before anything is read', prepare: ({ things }) => things.behind.add('default/one') },
    {
      reason: 'an object that was read',
      prepare: ({ parts }) => parts.behind.add('default/one'),
      observe: (reader) => reader.get(PART, KEY),
    },
    {
      reason: 'an object that was found absent',
      prepare: ({ parts }) => parts.behind.add('default/other'),
      observe: (reader) => reader.get(PART, { namespace: 'default', name: 'other' }),
    },
    { reason: 'a list', prepare: ({ parts }) => (parts.listBehind = true), observe: (reader) => reader.list(PART) },
    {
      reason: 'a read that was behind then, though the store has caught up since',
      prepare: ({ parts }) => parts.behind.add('default/one'),
      observe: (reader) => {
        reader.get(PART, KEY);
        return Promise.resolve();
      },
    },
  ];
  test.each(cases)('a cache behind our last write means no decision and no write: $reason', async ({ prepare, observe }) => {
    const { outcome, did, decided } = await pass({
      ...(prepare && { prepare }),
      ...(observe && { observe }),
      decide: () => ({ status: moved, effects: [create()] }),
    });
    expect(outcome.kind).toBe('behind');
    expect(decided).toBe(0);
    expect(did).toEqual([]);
  });

  test('a subject that is behind is not even observed', async () => {
    let observed = false;
    await pass({ prepare: ({ things }) => things.behind.add('default/one'), observe: () => (observed = true) });
    expect(observed).toBe(false);
  });

  test('a list that is behind is not returned: iterating it would be wasted work', async () => {
    let listed: unknown;
    await pass({ prepare: ({ parts }) => (parts.listBehind = true), observe: (reader) => (listed = reader.list(PART)) });
    expect(listed).toMatchObject({ kind: 'unreadable' });
  });

  test('what was not read does not matter', async () => {
    const { outcome } = await pass({
      prepare: ({ parts }) => {
        parts.behind.add('default/one');
        parts.listBehind = true;
      },
    });
    expect(outcome.kind).toBe('settled');
  });

  test('the lag is judged at the read: catching up later in the observation does not count', async () => {
    let parts: FakeStore | undefined;
    const { outcome } = await pass({
      prepare: (stores) => (parts = stores.parts).behind.add('default/one'),
      observe: async (reader) => {
        reader.get(PART, KEY);
        await Promise.resolve();
        parts?.put(part);
      },
    });
    expect(outcome.kind).toBe('behind');
    expect(outcome.kind === 'behind' && outcome.lags.map((lag) => lag.stillBehind())).toEqual([false]);
  });

  test('an object that is gone while our write to it is not seen yet is not gone', async () => {
    const { outcome } = await pass({
      prepare: ({ things }) => {
        things.remove(KEY);
        things.behind.add('default/one');
      },
    });
    expect(outcome.kind).toBe('behind');
  });
});

describe('observing', () => {
  test('an object that is gone ends the pass', async () => {
    const { outcome, decided } = await pass({ prepare: ({ things }) => things.remove(KEY) });
    expect(outcome).toEqual({ kind: 'gone' });
    expect(decided).toBe(0);
  });

  test('a kind that cannot be read is not gone', async () => {
    const { outcome } = await pass({ prepare: ({ things }) => (things.unreadable = 'forbidden') });
    expect(outcome).toMatchObject({ kind: 'failed', step: 'observe', retry: 'backoff' });
  });

  const reads: readonly {
    reason: string;
    read: (reader: Reader) => unknown;
    prepare?: Setting['prepare'];
    answer?: Setting['answer'];
    want: unknown;
  }[] = [
    { reason: 'cached', read: (r) => r.get(PART, KEY), want: { kind: 'value', value: part } },
    { reason: 'cached, absent', read: (r) => r.get(PART, { ...KEY, name: 'no' }), want: { kind: 'absent' } },
    {
      reason: 'cached, unreadable is not absent',
      read: (r) => r.get(PART, { ...KEY, name: 'no' }),
      prepare: ({ parts }) => (parts.unreadable = '403'),
      want: { kind: 'unreadable', reason: '403' },
    },
    { reason: 'cached list', read: (r) => r.list(PART), want: { kind: 'value', value: [part] } },
    {
      reason: 'cached list, unreadable is not empty',
      read: (r) => r.list(PART),
      prepare: ({ parts }) => (parts.unreadable = '403'),
      want: { kind: 'unreadable', reason: '403' },
    },
    { reason: 'fetched', read: (r) => r.fetch(PART, KEY), answer: () => part, want: { kind: 'value', value: part } },
    {
      reason: 'fetched, 404',
      read: (r) => r.fetch(PART, KEY),
      answer: throwing(refusal(404, 'NotFound', { details: { name: KEY.name } })),
      want: { kind: 'absent' },
    },
    {
      reason: 'fetched, 403 is not absent',
      read: (r) => r.fetch(PART, KEY),
      answer: throwing(refusal(403, 'Forbidden')),
      want: { kind: 'unreadable', reason: 'Forbidden' },
    },
    {
      reason: 'fetched, a broken connection is not absent',
      read: (r) => r.fetch(PART, KEY),
      answer: throwing(lostReply()),
      want: { kind: 'unreadable', reason: 'the connection broke' },
    },
    {
      reason: 'fetched list',
      read: (r) => r.fetchList(PART, { namespace: 'default' }),
      answer: () => ({ items: [part], resourceVersion: '1' }),
      want: { kind: 'value', value: [part] },
    },
    {
      reason: 'fetched list of a kind that is not served is not empty',
      read: (r) => r.fetchList(PART, {}),
      answer: throwing(refusal(404, 'NotFound')),
      want: { kind: 'unreadable', reason: 'parts.test.sickbay.dev is not served' },
    },
    {
      reason: 'fetched list, 403',
      read: (r) => r.fetchList(PART, {}),
      answer: throwing(refusal(403, 'Forbidden')),
      want: { kind: 'unreadable', reason: 'Forbidden' },
    },
  ];
  test.each(reads)('a read, three ways: $reason', async ({ read, prepare, answer, want }) => {
    let got: unknown;
    const { outcome } = await pass({
      ...(prepare && { prepare }),
      ...(answer && { answer }),
      observe: async (reader) => (got = await read(reader)),
    });
    expect(got).toEqual(want);
    expect(outcome.kind).toBe('settled');
  });

  test('reading a kind from the cache that is not watched is a mistake in the controller', async () => {
    const other: Resource = { ...PART, plural: 'others' };
    const { outcome } = await pass({ observe: (reader) => reader.get(other, KEY) });
    expect(outcome).toMatchObject({ kind: 'failed', step: 'observe', retry: 'never' });
  });
});

describe('effects', () => {
  test('come in order, after the status', async () => {
    const order: string[] = [];
    const { did, events } = await pass({
      decide: () => ({ status: moved, effects: [event, remove, create(), { kind: 'Call', run: 'power', key: 'k', input: 1 }, patch()] }),
      answer: (call) => void order.push(call.verb),
      handlers: { power: async () => void order.push('call') },
    });
    expect(order).toEqual(['patchStatus', 'delete', 'create', 'call', 'patch']);
    expect(did).toHaveLength(4);
    expect(events).toEqual([{ type: 'Normal', reason: 'Moved', message: 'it moved' }]);
  });

  test('Patch tests the UID and sets the version, before anything else', async () => {
    const { calls } = await pass({ decide: () => ({ effects: [patch('41'), patch()] }) });
    const uid = { op: 'test', path: '/metadata/uid', value: 'uid-of-part' };
    const change = { op: 'replace', path: '/spec/suspend', value: false };
    expect(calls.map(({ body }) => body)).toEqual([
      { type: 'json', body: [uid, { op: 'replace', path: '/metadata/resourceVersion', value: '41' }, change] },
      { type: 'json', body: [uid, change] },
    ]);
  });

  test('PatchStatus of another object is under its own version', async () => {
    const effect: Effect = { kind: 'PatchStatus', resource: PART, key: KEY, resourceVersion: '9', status: { ok: true } };
    const { calls } = await pass({ decide: () => ({ effects: [effect] }) });
    expect(calls[0]).toMatchObject({
      verb: 'patchStatus',
      target: 'parts.test.sickbay.dev default/one',
      body: { body: [{ value: '9' }, { path: '/status', value: { ok: true } }] },
    });
  });

  test('Delete is of the object that was seen, and takes what it owns along', async () => {
    const { calls } = await pass({ decide: () => ({ effects: [remove] }) });
    expect(calls[0]?.options).toMatchObject({ preconditions: { uid: 'uid-of-part' }, propagationPolicy: 'Background' });
  });

  test('Call gets its key and input, and the object it is about', async () => {
    const got: unknown[] = [];
    await pass({
      decide: () => ({ effects: [{ kind: 'Call', run: 'power', key: 'uid-1', input: { cycle: true } }] }),
      handlers: { power: async (call) => void got.push(call) },
    });
    expect(got).toEqual([{ key: 'uid-1', input: { cycle: true }, subject: thing }]);
  });

  const doesNotFit = refusal(422, 'Invalid', { details: {} });
  const invalid = refusal(422, 'Invalid', { details: { name: 'one', causes: [{ field: 'spec' }] } });
  const answers: readonly { effect: Effect; error: unknown; want: string; goesOn: boolean; reason: string }[] = [
    {
      effect: create(),
      error: refusal(409, 'AlreadyExists'),
      want: 'settled',
      goesOn: true,
      reason: '[MH-094] of two that create at once, the second succeeds too',
    },
    { effect: create(), error: refusal(409, 'Conflict'), want: 'failed', goesOn: false, reason: 'a create has no view to be stale' },
    { effect: create(), error: lostReply(), want: 'failed', goesOn: false, reason: 'it may exist: look again' },
    { effect: create(), error: refusal(403, 'Forbidden'), want: 'failed', goesOn: false, reason: 'not allowed' },
    { effect: patch('1'), error: refusal(409, 'Conflict'), want: 'stale', goesOn: false, reason: 'another version' },
    { effect: patch(), error: doesNotFit, want: 'stale', goesOn: false, reason: 'another UID' },
    { effect: patch(), error: refusal(404, 'NotFound'), want: 'stale', goesOn: false, reason: 'gone' },
    { effect: patch(), error: invalid, want: 'failed', goesOn: false, reason: 'our patch makes the object invalid' },
    { effect: remove, error: refusal(404, 'NotFound'), want: 'settled', goesOn: true, reason: 'gone is what was wanted' },
    { effect: remove, error: refusal(409, 'Conflict'), want: 'stale', goesOn: false, reason: 'the name is another object’s now' },
    { effect: remove, error: refusal(503, 'ServiceUnavailable'), want: 'failed', goesOn: false, reason: 'not now' },
  ];
  test.each(answers)('$effect.kind: $reason', async ({ effect, error, want, goesOn }) => {
    const { outcome, did } = await pass({
      decide: () => ({ effects: [effect, create('after')] }),
      answer: (call) => {
        if (!call.target.endsWith('/after')) throw error;
      },
    });
    expect(outcome.kind).toBe(want);
    expect(did.some((line) => line.endsWith('/after'))).toBe(goesOn);
  });

  const wrong: readonly { effect: Effect; reason: string }[] = [
    {
      effect: { kind: 'Create', resource: PART, object: { apiVersion: 'v1', kind: 'Part', metadata: { generateName: 'x-' } } },
      reason: 'a name made up by the server',
    },
    { effect: { kind: 'Call', run: 'unknown', key: 'k', input: null }, reason: 'a handler that is not registered' },
    { effect: { kind: 'Call', run: 'constructor', key: 'k', input: null }, reason: 'a name that every object has' },
  ];
  test.each(wrong)('a mistake in the controller is not tried again: $reason', async ({ effect }) => {
    const { outcome, did } = await pass({ decide: () => ({ effects: [effect] }) });
    expect(outcome).toMatchObject({ kind: 'failed', step: 'act', retry: 'never' });
    expect(did).toEqual([]);
  });
});

describe('failures', () => {
  const terminal = new PlatformError('Terminal', 'never again', { retry: 'never' });
  const cases: readonly { reason: string; setting: Setting; want: object }[] = [
    { reason: 'observe throws', setting: { observe: () => Promise.reject(new Error('x')) }, want: { step: 'observe', retry: 'backoff' } },
    {
      reason: 'decide throws, which is a bug',
      setting: { decide: throwing(new TypeError('x')) },
      want: { step: 'decide', retry: 'backoff' },
    },
    {
      reason: 'a handler gives up for good',
      setting: {
        decide: () => ({ effects: [{ kind: 'Call', run: 'h', key: '', input: 0 }] }),
        handlers: { h: () => Promise.reject(terminal) },
      },
      want: { step: 'act', retry: 'never', error: terminal },
    },
  ];
  test.each(cases)('are told, not thrown: $reason', async ({ setting, want }) => {
    expect((await pass(setting)).outcome).toMatchObject({ kind: 'failed', ...want });
  });
});

describe('permission to act', () => {
  test('without it nothing is written', async () => {
    const { outcome, did } = await pass({ decide: () => ({ status: moved, effects: [create()] }), mayAct: () => false });
    expect(outcome).toEqual({ kind: 'stopped' });
    expect(did).toEqual([]);
  });

  test('is checked before every write: a process that was suspended stops in the middle', async () => {
    let asked = 0;
    const { outcome, did } = await pass({
      decide: () => ({ status: moved, effects: [create(), create('second')] }),
      mayAct: () => ++asked <= 2,
    });
    expect(outcome).toEqual({ kind: 'stopped' });
    expect(did).toEqual(['patchStatus things.test.sickbay.dev default/one', 'create parts.test.sickbay.dev default/new']);
  });

  test('a pass that is aborted ends before its next write, and its broken calls are no failures', async () => {
    const halt = new AbortController();
    const { outcome, did } = await pass({
      decide: () => ({ status: moved, effects: [create()] }),
      signal: halt.signal,
      answer: () => {
        halt.abort();
        throw lostReply();
      },
    });
    expect(outcome).toEqual({ kind: 'stopped' });
    expect(did).toHaveLength(1);
  });

  test('a read broken off by a halt is no state of the world', async () => {
    const halt = new AbortController();
    const { outcome, decided } = await pass({
      observe: (reader) => reader.fetch(PART, KEY),
      signal: halt.signal,
      answer: () => {
        halt.abort();
        throw lostReply();
      },
    });
    expect(outcome).toEqual({ kind: 'stopped' });
    expect(decided).toBe(0);
  });
});

describe('wake-ups', () => {
  const now = new ManualClock().now();
  const cases = [
    { wakeAt: after(now, 1_000), late: false, reason: 'ahead' },
    { wakeAt: now, late: true, reason: 'now is no moment to wait for' },
    { wakeAt: after(now, -1), late: true, reason: 'in the past' },
    { wakeAt: instant(Number.NaN), late: true, reason: 'no moment at all, as a sum with an unknown makes it' },
  ];
  test.each(cases)('$reason', async ({ wakeAt, late }) => {
    expect((await pass({ decide: () => ({ effects: [], wakeAt }) })).outcome).toEqual({ kind: 'settled', wakeAt, late, writes: 0 });
  });
});

function throwing(error: unknown): () => never {
  return () => {
    throw error as Error;
  };
}

test('one moment for both: what is observed and what is decided on agree on what is late', async () => {
  const clock = new ManualClock();
  const things = new FakeStore(THING, [thing]);
  const moments: number[] = [];
  const controller: Controller = {
    name: 'things',
    primary: THING,
    watches: [],
    async observe(key, reader, now) {
      moments.push(now);
      await clock.advance(5_000);
      const subject = reader.get(THING, key);
      return subject.kind === 'value' ? { object: subject.value } : undefined;
    },
    decide(_seen, now) {
      moments.push(now);
      return { effects: [] };
    },
  };
  const { client } = fakeClient();
  await reconcileOnce(controller, KEY, {
    stores: new Map([[resourceName(THING), things]]),
    client,
    clock,
    events: { record: () => Promise.resolve() },
    calls: {},
    log: silent,
    signal: new AbortController().signal,
    mayAct: () => true,
  });
  expect(new Set(moments).size).toBe(1);
  expect(moments).toHaveLength(2);
});
