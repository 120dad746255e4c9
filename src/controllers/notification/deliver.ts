import { keyOf, keyText } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { hasCode, messageOf as textOf, type Clock, type Logger } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { isPatchThatDoesNotFit } from '../../kube/client/errors.ts';
import { StaleView, type CallHandler } from '../../runtime/reconcile/effects.ts';
import type { ChannelSettings } from '../notification-settings.ts';
import type { NotificationStatus } from './delivery/attempts.ts';
import type { SendOutcome } from './channels/send-outcome.ts';
import { isRepeatable } from './delivery/channel-state.ts';
import type { ChannelHealth } from './delivery/channel-health.ts';
import { attemptOf, begun, replaceStatus, withAttempts, type MadeAttempt } from './delivery/record-attempts.ts';
import { Unrecorded } from './delivery/unrecorded.ts';
import { messageOf, type Message } from './message/message.ts';
import { sendToChannel } from './send/send-to-channel.ts';

/** The name under which the wiring registers the handler. */
export const DELIVER_NOTIFICATION = 'deliver-notification';

/** What is to be sent, as the decision has it. */
export interface DeliveryOrder {
  readonly due: readonly DueChannel[];
  readonly consoleUrl?: string;
}

export interface DueChannel {
  readonly channel: ChannelSettings;
  readonly attempt: number;
  readonly thread?: string;
}

export interface DeliveryDeps {
  /** The cache's own client, so that the next pass waits for the record to show. */
  readonly client: KubeClient;
  readonly log: Logger;
  readonly clock: Clock;
  /** A monotonic clock, for time limits. */
  readonly steady: Clock;
  /** How the channels do: a channel that keeps failing rests. */
  readonly health: ChannelHealth;
  /** Makes one attempt; over real connections when absent. */
  readonly send?: typeof sendToChannel;
}

/**
 * Makes one attempt on each channel that is due, and records how they ended.
 *
 *   record that it begins (only where a repeat would be seen) ─▶ send ─▶ record the results
 *
 * A crash before the record repeats the message: unseen where the channel takes a key, and at most once where it does not. While the process lives,
 * a result that could not be recorded is kept and nothing is sent again.
 */
export function createDeliverNotification(deps: DeliveryDeps): CallHandler {
  const unrecorded = new Unrecorded();
  return async ({ subject, input }, signal) => {
    const work: Work = { ...deps, signal, request: subject as NotificationRequest };
    const { uid } = work.request.metadata;
    const known = unrecorded.of(uid);
    if (known.length > 0) await record(work.request, known, work);
    else await deliver(input as DeliveryOrder, work, unrecorded);
    unrecorded.forget(uid);
  };
}

interface Work extends DeliveryDeps {
  readonly signal: AbortSignal;
  readonly request: NotificationRequest;
}

async function deliver({ due, consoleUrl }: DeliveryOrder, work: Work, unrecorded: Unrecorded): Promise<void> {
  const { request, clock, health } = work;
  const allowed = due.filter(({ channel }) => health.allow(channel.name, clock.now()));
  if (allowed.length === 0) return;
  const begin = allowed
    .filter(({ channel }) => !isRepeatable(channel.kind))
    .map(({ channel: { name }, attempt }) => ({ channel: name, attempt }));
  const recorded = begin.length === 0 ? request : await write(request, withAttempts(request.status, begun(begin, clock.now())), work);
  const message = messageOf(request, { ...(consoleUrl !== undefined && { consoleUrl }) });
  const made = await Promise.all(allowed.map((each) => attempt(each, message, work)));
  unrecorded.keep(request.metadata.uid, made);
  await record(recorded, made, work);
}

/** One attempt on one channel. */
async function attempt({ channel, attempt: number, thread }: DueChannel, message: Message, work: Work): Promise<MadeAttempt> {
  const { clock, steady, health, log, request, send = sendToChannel } = work;
  const { name, timeoutMs } = channel;
  const startedAt = clock.now();
  const began = steady.now();
  const outgoing = { notification: request, message, ...(thread !== undefined && { thread }) };
  const outcome = await send(channel, outgoing, { ...work, timeoutMs }).catch((error: unknown): SendOutcome => {
    if (work.signal.aborted) throw error;
    // What one channel cannot do must not lose what the others did.
    return { kind: 'failed', reason: `sending: ${textOf(error)}` };
  });
  if (outcome.kind === 'delivered') health.succeeded(name);
  else {
    health.failed(name, clock.now(), outcome.reason);
    log.warn('a notification was not delivered', {
      notification: keyText(keyOf(request)),
      channel: name,
      attempt: number,
      why: outcome.reason,
    });
  }
  return { channel: name, attempt: number, startedAt, durationMs: Math.max(0, steady.now() - began), outcome };
}

async function record(request: NotificationRequest, made: readonly MadeAttempt[], work: Work): Promise<void> {
  const attempts = made.map((each) => attemptOf(each, request.spec));
  await write(request, withAttempts(request.status, attempts), work);
}

/** Writes the status, and returns the notification as it is then. */
async function write(request: NotificationRequest, status: NotificationStatus, { client, signal }: Work): Promise<NotificationRequest> {
  const key = keyOf(request);
  const body = replaceStatus(request, status);
  try {
    const { metadata } = await client.patchStatus(NotificationRequest, key, { type: 'json', body }, { signal });
    return { ...request, metadata: { ...request.metadata, resourceVersion: metadata.resourceVersion }, status };
  } catch (error) {
    throw isStale(error) ? new StaleView(`recording the delivery of ${keyText(key)}`, error) : error;
  }
}

const isStale = (error: unknown): boolean => hasCode(error, 'Conflict') || hasCode(error, 'NotFound') || isPatchThatDoesNotFit(error);
