import { describe, expect, test } from 'vitest';
import { silent, toTime, turn, type Fields, type Logger } from '../../base/index.ts';
import { StaleView } from '../../runtime/reconcile/effects.ts';
import { fakeClient, lostReply, refusal, type FakeCall } from '../../testkit/fake-client.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { DEFAULT_NOTIFICATIONS, type ChannelSettings } from '../notification-settings.ts';
import { createDeliverNotification, type DeliveryDeps, type DeliveryOrder } from './deliver.ts';
import { ChannelHealth } from './delivery/channel-health.ts';
import type { NotificationStatus as Status } from './delivery/attempts.ts';
import { aNotification, anAttempt, NOW } from './testing/a-notification.ts';

const [LOG] = DEFAULT_NOTIFICATIONS.receivers[0]!.channels as [ChannelSettings];

/** Delivers one message and shows what the log and the server got. */
async function deliver(subject = aNotification({ phase: 'Sending' }), answer?: (call: FakeCall) => unknown) {
  const order: string[] = [];
  const lines: Fields[] = [];
  const log: Logger = {
    ...silent,
    info(message, fields) {
      order.push('log');
      lines.push({ message, ...fields });
    },
  };
  const { client, calls } = fakeClient((call) => {
    order.push(call.verb);
    return answer ? answer(call) : aNotification();
  });
  const clock = new ManualClock();
  const handler = createDeliverNotification({ client, log, clock, steady: clock, health: new ChannelHealth() });
  const attempt = (subject.status?.deliveryAttempts?.filter(({ channel }) => channel === 'log').length ?? 0) + 1;
  const input: DeliveryOrder = { due: [{ channel: LOG, attempt }] };
  const error = await handler({ key: 'uid-nr', input, subject }, new AbortController().signal).catch((thrown: unknown) => thrown);
  return { order, lines, calls, error };
}

describe('a delivery', () => {
  test('is one line with all that people need', async () => {
    const { lines, error } = await deliver();
    expect(error).toBeUndefined();
    expect(lines).toEqual([
      {
        message: 'notification',
        type: 'Completion',
        priority: 'Low',
        subject: 'checkout is well again',
        body: 'revision 3 crashed; it was rolled back to revision 2',
        remediationRequest: 'rr-1',
        notification: 'nr-completion-rr-1',
      },
    ]);
  });

  test('is recorded after the line, under the version that was read', async () => {
    const { order, calls } = await deliver();
    expect(order).toEqual(['log', 'patchStatus']);
    expect(calls[0]?.target).toBe('notificationrequests.kubernaut.ai sickbay-system/nr-completion-rr-1');
    expect(calls[0]?.body).toEqual({
      type: 'json',
      body: [
        { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
        {
          op: 'add',
          path: '/status',
          value: {
            phase: 'Sending',
            deliveryAttempts: [anAttempt({ durationSeconds: 0 })],
            totalAttempts: 1,
            successfulDeliveries: 1,
            failedDeliveries: 0,
          },
        },
      ],
    });
  });

  test('is counted after those before it', async () => {
    const before = [anAttempt({ status: 'failed' }), anAttempt({ channel: 'slack', status: 'failed' })];
    const { calls } = await deliver(aNotification({ phase: 'Sending', deliveryAttempts: before, totalAttempts: 2, failedDeliveries: 2 }));
    expect(calls[0]?.body).toMatchObject({
      body: [
        {},
        {
          value: {
            deliveryAttempts: [...before, anAttempt({ attempt: 2, timestamp: toTime(NOW), durationSeconds: 0 })],
            totalAttempts: 3,
            failedDeliveries: 2,
            successfulDeliveries: 1,
          },
        },
      ],
    });
  });

  test('is one line without what looks like a credential', async () => {
    const { spec, ...rest } = aNotification({ phase: 'Sending' });
    const { lines } = await deliver({ ...rest, spec: { ...spec, subject: 'token=abcdef123', body: 'password: hunter22' } });
    expect(JSON.stringify(lines)).not.toMatch(/abcdef123|hunter22/);
  });

  test.each([
    ['the message changed meanwhile', refusal(409, 'Conflict')],
    ['the message is gone', refusal(404, 'NotFound')],
    ['the patch does not fit any more', refusal(422, 'Invalid')],
  ])('%s: the next pass looks again', async (_, no) => {
    const { error } = await deliver(undefined, () => {
      throw no;
    });
    expect(error).toBeInstanceOf(StaleView);
  });

  test.each([
    ['not allowed', refusal(403, 'Forbidden')],
    ['unknown whether written', lostReply()],
  ])('%s: the runtime tries again, so that the failure is passed on', async (_, no) => {
    const { error, lines } = await deliver(undefined, () => {
      throw no;
    });
    expect(error).toBe(no);
    expect(lines).toHaveLength(1);
  });
});

describe('two channels', () => {
  const channels = ['slack:a', 'slack:b'].map((name) => ({ kind: 'slack', name, timeoutMs: 1_000 }) as ChannelSettings);
  const DUE: DeliveryOrder = { due: channels.map((channel) => ({ channel, attempt: 1 })) };

  /** A process whose channels answer as `send` does; its records are what it wrote last. */
  function start(send: NonNullable<DeliveryDeps['send']>) {
    const clock = new ManualClock(NOW);
    const writes: Status[] = [];
    let subject = aNotification({ phase: 'Sending' });
    const { client } = fakeClient(({ body }) => {
      const status = (body as { readonly body: readonly [unknown, { readonly value: Status }] }).body[1].value;
      writes.push(status);
      subject = { ...subject, status };
      return subject;
    });
    const handler = createDeliverNotification({ client, log: silent, clock, steady: clock, health: new ChannelHealth(), send });
    const run = (input: DeliveryOrder, signal = new AbortController().signal) => handler({ key: 'uid-nr', input, subject }, signal);
    return { run, writes, last: () => writes.at(-1)?.deliveryAttempts?.map(({ channel, status }) => `${channel} ${status}`) };
  }

  test('one that hangs does not lose the result of the other when the process stops', async () => {
    const stop = new AbortController();
    const { run, last } = start(({ name }, _, { signal }) =>
      name === 'slack:a'
        ? Promise.resolve({ kind: 'delivered' })
        : new Promise((_resolve, reject) => void signal.addEventListener('abort', () => void reject(signal.reason as Error))),
    );
    const running = run(DUE, stop.signal);
    for (let i = 0; i < 5; i++) await turn();
    expect(last()).toEqual(['slack:b sending', 'slack:a success']);
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    expect(last()).toEqual(['slack:b sending', 'slack:a success']);
  });

  test('both results are in status at the end', async () => {
    const { run, last } = start(({ name }) =>
      Promise.resolve(name === 'slack:a' ? { kind: 'delivered' } : { kind: 'refused', reason: 'no such channel' }),
    );
    await run(DUE);
    expect(last()).toEqual(['slack:a success', 'slack:b invalid']);
  });

  test('an attempt whose result no process knows is recorded as one that may have arrived', async () => {
    const { run, writes } = start(() => Promise.resolve({ kind: 'delivered' }));
    await run({ due: [], unknown: [{ channel: 'slack:a', attempt: 2 }] });
    expect(writes.at(-1)?.deliveryAttempts).toMatchObject([{ channel: 'slack:a', attempt: 2, status: 'timeout', mayHaveArrived: true }]);
  });
});
