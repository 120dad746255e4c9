import { describe, expect, test } from 'vitest';
import type { Event, Pod } from '../../../../api/builtin/index.ts';
import { after, MINUTE, SECOND, toTime, type Instant } from '../../../../base/index.ts';
import type { Listed, Reader } from '../../../../runtime/reconcile/controller.ts';
import { aJob, anEvent, inState, NOW } from '../../testing/builders.ts';
import { hasStartedEvent, obstacleIn, readRunEvents } from './run-events.ts';

const job = aJob();

/** A reader of Events that notes what it was asked for. */
function aReader(answer: Listed<Event> = { kind: 'value', value: [anEvent('FailedMount')] }) {
  const asked: string[] = [];
  const fetchList = (_: unknown, { namespace, fieldSelector }: { namespace?: string; fieldSelector?: string }) => {
    asked.push(`${namespace} ${fieldSelector}`);
    return Promise.resolve(answer);
  };
  return { reader: { fetchList } as unknown as Reader, asked };
}

const read = async (
  pods: readonly Pod[],
  { endedAt, now = NOW, answer }: { endedAt?: Instant; now?: Instant; answer?: Listed<Event> } = {},
) => {
  const { reader, asked } = aReader(answer);
  return { found: await readRunEvents(reader, { run: job, pods, endedAt, now }), asked };
};

describe('which Events are read', () => {
  test('the run’s own while it has no pod, and whether a container of its name ever started', async () => {
    const { asked, found } = await read([]);
    expect(asked).toEqual(['kubernaut-workflows involvedObject.uid=job-1', 'kubernaut-workflows involvedObject.kind=Pod,reason=Started']);
    expect(found).toMatchObject({ kind: 'value', value: [{ reason: 'FailedMount' }, { reason: 'FailedMount' }] });
  });

  test('its pods’, while none of them has begun', async () =>
    expect((await read([inState({ waiting: { reason: 'ContainerCreating' } }, 'Pending')])).asked).toEqual([
      'kubernaut-workflows involvedObject.uid=pod-1',
    ]));

  test('none once a container has begun: it proves more than they do', async () => {
    const { asked, found } = await read([inState({ running: {} })]);
    expect(asked).toEqual([]);
    expect(found).toEqual({ kind: 'value', value: [] });
  });

  test('none long after the end: what is not found then says nothing', async () => {
    const late = { endedAt: NOW, now: after(NOW, 30 * MINUTE + SECOND) };
    expect((await read([], late)).found.kind).toBe('unreadable');
    expect((await read([], { ...late, now: after(NOW, 30 * MINUTE) })).found.kind).toBe('value');
  });

  test('one list that cannot be read leaves all open', async () =>
    expect((await read([], { answer: { kind: 'unreadable', reason: 'forbidden' } })).found).toEqual({
      kind: 'unreadable',
      reason: 'forbidden',
    }));
});

describe('what Events prove', () => {
  test('the last obstacle counts', () => {
    const events = [
      anEvent('FailedMount', { message: ' late\n', at: after(NOW, MINUTE) }),
      anEvent('FailedCreate', { message: 'early' }),
      anEvent('Scheduled', { at: after(NOW, 2 * MINUTE) }),
    ];
    expect(obstacleIn(events)).toEqual({ reason: 'FailedMount', message: 'late' });
    expect(obstacleIn(events.toReversed())).toEqual({ reason: 'FailedMount', message: 'late' });
    expect(obstacleIn([anEvent('Scheduled'), anEvent('Pulled')])).toBeUndefined();
  });

  test('an Event of the newer kind has its time elsewhere', () => {
    const { lastTimestamp: _, firstTimestamp: __, ...event } = anEvent('FailedScheduling', { message: 'new' });
    const newer = { ...event, eventTime: toTime(after(NOW, MINUTE)) };
    expect(obstacleIn([newer, anEvent('FailedMount', { message: 'old' })])?.message).toBe('new');
  });

  test.each([
    { reason: 'its pod', event: anEvent('Started'), want: true },
    { reason: 'a pod of an earlier run of the name', event: anEvent('Started', { at: after(NOW, -SECOND) }), want: false },
    { reason: 'a pod of another run', event: anEvent('Started', { pod: 'wfe-other-abc12' }), want: false },
    { reason: 'another reason', event: anEvent('Pulled'), want: false },
  ])('a container has started, of $reason: $want', ({ event, want }) => expect(hasStartedEvent(job, [event])).toBe(want));
});
