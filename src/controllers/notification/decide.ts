import type { NotificationPhase } from '../../api/notification-request/phases.ts';
import { after, assertNever, instant, toTime, type Instant } from '../../base/index.ts';
import { setCondition } from '../../kube/objects/conditions.ts';
import type { Decision, Effect } from '../../runtime/reconcile/controller.ts';
import { RECHECK_INTERVAL_MS } from '../retry-times.ts';
import { DELIVER_NOTIFICATION, type DeliveryOrder, type DueChannel } from './deliver.ts';
import type { NotificationStatus } from './delivery/attempts.ts';
import { isSettled } from './delivery/channel-state.ts';
import { deliveryEnd } from './delivery/delivery-end.ts';
import { planDelivery, type PlannedChannel } from './delivery/delivery-plan.ts';
import type { NotificationSeen } from './observe.ts';
import { channelsOf } from './routing/channels-of.ts';

/** Leads a notification from phase to phase: queued, sent to every channel that its routes lead to, and retried until each has it or never will. */
export function decide(seen: NotificationSeen, now: Instant): Decision {
  const phase = seen.object.status?.phase;
  switch (phase) {
    case undefined:
      return move(seen, 'Pending', now, { queuedAt: toTime(now), reason: 'Queued', message: 'waiting to be sent' });
    case 'Pending':
      return begin(seen, now);
    case 'Sending':
    case 'Retrying':
      return send(seen, now);
    case 'Sent':
    case 'PartiallySent':
    case 'Failed':
      return { effects: [] };
    default:
      return assertNever(phase);
  }
}

function begin(seen: NotificationSeen, now: Instant): Decision {
  const { receivers, channels } = channelsOf(seen.object, seen.notifications);
  const names = channels.map(({ name }) => name).join(', ');
  const message = names === '' ? `its receivers (${receivers.join(', ')}) have no channels` : `is being sent to ${names}`;
  const routed = {
    type: 'RoutingResolved',
    status: 'True',
    reason: 'Routed',
    message: `${receivers.join(', ')}: ${names || 'no channel'}`,
  } as const;
  const conditions = [...setCondition(seen.object.status?.conditions, routed, now)];
  return move(seen, 'Sending', now, { processingStartedAt: toTime(now), reason: 'Sending', message, conditions });
}

/** An order never comes with a change of status: it records its attempts under the version that was observed. */
function send(seen: NotificationSeen, now: Instant): Decision {
  const { object, notifications } = seen;
  const plan = planDelivery(seen, now);
  if (plan.every(({ state }) => isSettled(state))) {
    const { phase, ...change } = deliveryEnd(plan);
    return move(seen, phase, now, { completionTime: toTime(now), ...change });
  }
  const wakeAt = nextAttempt(plan, now);
  const due = plan.flatMap(dueIn);
  const unknown = plan.flatMap(({ channel, state }) =>
    state.kind === 'interrupted' ? [{ channel: channel.name, attempt: state.attempt }] : [],
  );
  if (due.length + unknown.length > 0) {
    const input: DeliveryOrder = { due, unknown, ...(notifications.consoleUrl !== undefined && { consoleUrl: notifications.consoleUrl }) };
    const deliver: Effect = { kind: 'Call', run: DELIVER_NOTIFICATION, key: object.metadata.uid, input };
    return { status: object.status, effects: [deliver], wakeAt };
  }
  const waits = plan.flatMap(waitText);
  if (waits.length === 0) return { status: object.status, effects: [], wakeAt };
  return { ...move(seen, 'Retrying', now, { reason: 'Retrying', message: waits.join('; ') }), wakeAt };
}

/** A channel that is due, unless an earlier message of the remediation has to be there first. */
const dueIn = ({ channel, state, thread, behind }: PlannedChannel): readonly DueChannel[] =>
  state.kind === 'due' && behind === undefined ? [{ channel, attempt: state.attempt, ...(thread !== undefined && { thread }) }] : [];

const waitText = ({ channel, state }: PlannedChannel): readonly string[] =>
  state.kind === 'waiting' ? [`${channel.name} failed and is tried again at ${toTime(state.until)}: ${state.error}`] : [];

function nextAttempt(plan: readonly PlannedChannel[], now: Instant): Instant {
  const times = plan.flatMap(({ state }) => (state.kind === 'waiting' ? [state.until] : []));
  return instant(Math.min(after(now, RECHECK_INTERVAL_MS), ...times));
}

type Change = Partial<NotificationStatus> & Required<Pick<NotificationStatus, 'reason' | 'message'>>;

/** Enters a phase, or stays in it with another message. */
function move({ object }: NotificationSeen, phase: NotificationPhase, now: Instant, change: Change): Decision {
  const isSent = phase === 'Sent';
  const isOver = isSent || phase === 'PartiallySent' || phase === 'Failed';
  const ready = { type: 'Ready', status: isSent ? 'True' : 'False', reason: change.reason, message: change.message } as const;
  const conditions = [...setCondition(change.conditions ?? object.status?.conditions, ready, now)];
  const status: NotificationStatus = {
    ...object.status,
    ...change,
    phase,
    observedGeneration: object.metadata.generation ?? 0,
    conditions,
  };
  return { status, effects: [], ...(!isOver && { wakeAt: after(now, RECHECK_INTERVAL_MS) }) };
}
