import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { after, instant, SECOND, toTime, type Instant } from '../../../base/index.ts';
import type { JsonPatchOperation } from '../../../kube/client/client.ts';
import type { SendOutcome } from '../channels/send-outcome.ts';
import type { Attempt, NotificationStatus } from './attempts.ts';
import { retryAt, retryPolicyOf } from './retry-policy.ts';

/** An attempt that ended. */
export interface MadeAttempt {
  readonly channel: string;
  readonly attempt: number;
  readonly startedAt: Instant;
  readonly durationMs: number;
  readonly outcome: SendOutcome;
}

/** The attempts that begin now, without a result. */
export const begun = (channels: readonly { readonly channel: string; readonly attempt: number }[], now: Instant): readonly Attempt[] =>
  channels.map(({ channel, attempt }) => ({ channel, attempt, timestamp: toTime(now), status: 'sending' }));

/** What status records of an attempt. */
export function attemptOf(made: MadeAttempt, spec: NotificationRequest['spec']): Attempt {
  const { channel, attempt, startedAt, durationMs, outcome } = made;
  const common = { channel, attempt, timestamp: toTime(startedAt), durationSeconds: Math.round(durationMs) / SECOND };
  switch (outcome.kind) {
    case 'delivered':
      return { ...common, status: 'success', ...(outcome.reference !== undefined && { reference: outcome.reference }) };
    case 'refused':
      return { ...common, status: 'invalid', error: `permanent failure: ${outcome.reason}` };
    case 'failed':
    case 'timeout': {
      const again = retryAt(retryPolicyOf(spec), { attempt, at: after(startedAt, durationMs), ...outcome });
      const doubt = outcome.mayHaveArrived === true ? { mayHaveArrived: true } : {};
      return { ...common, status: outcome.kind, error: outcome.reason, ...doubt, retryAt: toTime(wholeSecond(again)) };
    }
  }
}

/** Times have whole seconds: a provider that asks for five seconds is not asked again after four and a half. */
const wholeSecond = (at: Instant): Instant => instant(Math.ceil(at / SECOND) * SECOND);

/** What is recorded of an attempt whose result was lost with its process. */
export const interrupted = (channel: string, attempt: number, now: Instant): MadeAttempt => ({
  channel,
  attempt,
  startedAt: now,
  durationMs: 0,
  outcome: { kind: 'timeout', reason: 'it was interrupted before its result was recorded', mayHaveArrived: true },
});

/** The status with these attempts: each takes the place of the entry that said that it began. */
export function withAttempts(status: NotificationStatus | undefined, attempts: readonly Attempt[]): NotificationStatus {
  const isNew = ({ channel, attempt }: Attempt) => !attempts.some((other) => other.channel === channel && other.attempt === attempt);
  const all = [...(status?.deliveryAttempts ?? []).filter(isNew), ...attempts];
  return {
    ...status,
    deliveryAttempts: all,
    totalAttempts: all.length,
    successfulDeliveries: all.filter((each) => each.status === 'success').length,
    failedDeliveries: all.filter((each) => each.status !== 'success' && each.status !== 'sending').length,
  };
}

/** Under the observed resourceVersion: an attempt that another process recorded meanwhile is not overwritten. */
export const replaceStatus = ({ metadata }: NotificationRequest, status: NotificationStatus): readonly JsonPatchOperation[] => [
  { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
  { op: 'add', path: '/status', value: status },
];
