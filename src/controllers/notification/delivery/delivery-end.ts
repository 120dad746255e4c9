import type { NotificationPhase } from '../../../api/notification-request/phases.ts';
import type { PlannedChannel } from './delivery-plan.ts';

/** How the delivery of a notification ended. */
export interface DeliveryEnd {
  readonly phase: Extract<NotificationPhase, 'Sent' | 'PartiallySent' | 'Failed'>;
  readonly reason: 'Delivered' | 'Dropped' | 'PartiallyDelivered' | 'AllDeliveriesFailed' | 'MaxRetriesExhausted';
  readonly message: string;
}

/** The end that follows from the ends of all channels. A receiver without channels drops what it is sent, as in Alertmanager. */
export function deliveryEnd(plan: readonly PlannedChannel[]): DeliveryEnd {
  if (plan.length === 0) return { phase: 'Sent', reason: 'Dropped', message: 'its receivers have no channels: nothing is sent' };
  const arrived = plan.filter(({ state }) => state.kind === 'delivered').map(({ channel }) => channel.name);
  const lost = plan.flatMap(({ channel, state }) => ('error' in state ? [`${channel.name}: ${state.error}`] : []));
  const delivered = `delivered to ${arrived.join(', ')}`;
  const undelivered = `not delivered to ${lost.join('; ')}`;
  if (lost.length === 0) return { phase: 'Sent', reason: 'Delivered', message: delivered };
  if (arrived.length > 0) return { phase: 'PartiallySent', reason: 'PartiallyDelivered', message: `${delivered}; ${undelivered}` };
  const isRefused = plan.every(({ state }) => state.kind === 'refused');
  return { phase: 'Failed', reason: isRefused ? 'AllDeliveriesFailed' : 'MaxRetriesExhausted', message: undelivered };
}
