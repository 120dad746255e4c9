import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { notificationPhases } from '../../../api/notification-request/phases.ts';
import { isTerminal } from '../../../api/phases.ts';
import type { Instant } from '../../../base/index.ts';
import type { ChannelSettings, NotificationSettings } from '../../notification-settings.ts';
import { channelsOf } from '../routing/channels-of.ts';
import { isResolved } from '../message/message.ts';
import { attemptsOn } from './attempts.ts';
import { channelState, isSettled, type ChannelState } from './channel-state.ts';
import { retryPolicyOf } from './retry-policy.ts';

/** One channel of a notification: how far it is, and what the message refers to there. */
export interface PlannedChannel {
  readonly channel: ChannelSettings;
  readonly state: ChannelState;
  /** What the provider calls the first message of the remediation: this one belongs under it. */
  readonly thread?: string;
  /** The earlier notification of the remediation that has to be out on this channel first. */
  readonly behind?: string;
}

/** What a plan is made from: the notification and the others of its remediation. */
export interface PlanInput {
  readonly object: NotificationRequest;
  readonly siblings: readonly NotificationRequest[];
  readonly notifications: NotificationSettings;
}

/** Every channel of the notification. On each of them the messages of a remediation go out in the order in which they were written. */
export function planDelivery({ object, siblings, notifications }: PlanInput, now: Instant): readonly PlannedChannel[] {
  const policy = retryPolicyOf(object.spec);
  const earlier = siblings.filter((other) => isBefore(other, object)).toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  return channelsOf(object, notifications).channels.map((channel) => {
    const state = channelState(channel, object.status?.deliveryAttempts, policy, now);
    const thread = threadOn(channel, earlier);
    const behind = isSettled(state) ? undefined : earlier.find((other) => holds(object, other, { channel, notifications, now }));
    return { channel, state, ...(thread !== undefined && { thread }), ...(behind && { behind: behind.metadata.name }) };
  });
}

/** Times have whole seconds: the name decides between two of one second. */
function isBefore({ metadata: a }: NotificationRequest, { metadata: b }: NotificationRequest): boolean {
  if (a.uid === b.uid) return false;
  return a.creationTimestamp === b.creationTimestamp ? a.name < b.name : a.creationTimestamp < b.creationTimestamp;
}

const threadOn = ({ name }: ChannelSettings, earlier: readonly NotificationRequest[]): string | undefined =>
  earlier.flatMap(({ status }) => attemptsOn(name, status?.deliveryAttempts)).find(({ reference }) => reference !== undefined)?.reference;

/** What asks people for something. */
const ASKS: readonly NotificationRequest['spec']['type'][] = ['Approval', 'ManualReview', 'Escalation'];

interface At {
  readonly channel: ChannelSettings;
  readonly notifications: NotificationSettings;
  readonly now: Instant;
}

/**
 * Whether the earlier notification has to be out on the channel first. A question does not wait for a report whose channel failed and may not be tried
 * again for an hour. It does wait for good news: those would close the incident that it opens.
 */
function holds(object: NotificationRequest, other: NotificationRequest, { channel, notifications, now }: At): boolean {
  if (isTerminal(notificationPhases, other.status?.phase)) return false;
  if (channelsOf(other, notifications).channels.every(({ name }) => name !== channel.name)) return false;
  const state = channelState(channel, other.status?.deliveryAttempts, retryPolicyOf(other.spec), now);
  return !isSettled(state) && !(state.kind === 'waiting' && mayPass(object, other));
}

const mayPass = ({ spec }: NotificationRequest, { spec: other }: NotificationRequest): boolean =>
  ASKS.includes(spec.type) && !ASKS.includes(other.type) && !isResolved(other);
