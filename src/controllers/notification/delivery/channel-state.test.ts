import { describe, expect, test } from 'vitest';
import { having } from '../testing/having.ts';
import { anAttempt, NOW } from '../testing/a-notification.ts';
import type { Attempt } from './attempts.ts';
import { channelState } from './channel-state.ts';
import { retryPolicyOf } from './retry-policy.ts';

const policy = retryPolicyOf({} as Parameters<typeof retryPolicyOf>[0]);

const state = (kind: 'slack' | 'pagerduty', ...attempts: readonly Partial<Attempt>[]) =>
  channelState(
    { kind, name: 'a' },
    attempts.map((each, index) => anAttempt({ channel: 'a', attempt: index + 1, ...each })),
    policy,
    NOW,
  );

const doubt = { status: 'timeout', error: 'no answer', mayHaveArrived: true } as const;
const failed = { status: 'failed', error: 'no connection' } as const;
const sending = { status: 'sending' } as const;

describe('a message on a channel without a key', () => {
  test('is sent at most twice where both may have arrived, whatever came between', () => {
    expect(state('slack', doubt)).toEqual({ kind: 'due', attempt: 2 });
    expect(state('slack', doubt, doubt)).toEqual({ kind: 'exhausted', error: having('may have arrived: no answer') });
    expect(state('slack', sending, failed, doubt)).toMatchObject({ kind: 'exhausted' });
  });

  test('is sent five times where none can have arrived', () => {
    expect(state('slack', failed, failed, failed, failed)).toEqual({ kind: 'due', attempt: 5 });
    expect(state('slack', failed, failed, failed, failed, failed)).toEqual({ kind: 'exhausted', error: 'no connection' });
  });
});

test('where the provider takes a key, it is sent as often as the policy allows', () => {
  expect(state('pagerduty', doubt, doubt, doubt)).toEqual({ kind: 'due', attempt: 4 });
});

test('nothing is concluded from a last attempt without a result', () => {
  expect(state('slack', sending, sending)).toEqual({ kind: 'interrupted', attempt: 2 });
  expect(state('slack', failed, failed, failed, failed, sending)).toEqual({ kind: 'interrupted', attempt: 5 });
});
