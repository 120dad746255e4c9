import { keyOf, keyText } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { hasCode, messageOf as textOf, sameJson, type Clock, type Instant, type Logger } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { isPatchThatDoesNotFit } from '../../kube/client/errors.ts';
import { StaleView, type CallHandler } from '../../runtime/reconcile/effects.ts';
import type { ChannelSettings } from '../notification-settings.ts';
import type { NotificationStatus } from './delivery/attempts.ts';
import type { SendOutcome } from './channels/send-outcome.ts';
import { isRepeatable } from './delivery/channel-state.ts';
import type { ChannelHealth } from './delivery/channel-health.ts';
import { attemptOf, begun, interrupted, replaceStatus, withAttempts, type MadeAttempt } from './delivery/record-attempts.ts';
import { withRest, type RestingChannel } from './delivery/resting.ts';
import { Unrecorded } from './delivery/unrecorded.ts';
import { messageOf, type Message } from './message/message.ts';
import { sendToChannel } from './send/send-to-channel.ts';
import { Turns } from './send/turns.ts';

/** The name under which the wiring registers the handler. */
export const DELIVER_NOTIFICATION = 'deliver-notification';

/** What is to be sent, as the decision has it. */
export interface DeliveryOrder {
  readonly due: readonly DueChannel[];
  /** Attempts that have no result and are the last: unless this process knows how they ended, they are recorded as interrupted. */
  readonly unknown?: readonly { readonly channel: string; readonly attempt: number }[];
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
 * Makes one attempt on each channel that is due, and records how they ended, each as it ends: a channel that hangs does not lose the results of the others.
 *
 *   record that it begins (only where a repeat would be seen) ─▶ send ─▶ record the result
 *
 * A crash before the record repeats the message: unseen where the channel takes a key, and at most once where it does not. While the process lives,
 * a result that could not be recorded is kept and nothing is sent again.
 */
export function createDeliverNotification(deps: DeliveryDeps): CallHandler {
  const unrecorded = new Unrecorded();
  const turns = new Turns();
  return async ({ subject, input }, signal) => {
    const work: Work = { ...deps, turns, signal, unrecorded, request: subject as NotificationRequest };
    if (unrecorded.of(work.request.metadata.uid).length > 0) return await new Recorder(work.request, work).record();
    await deliver(input as DeliveryOrder, work);
  };
}

interface Work extends DeliveryDeps {
  readonly turns: Turns;
  readonly signal: AbortSignal;
  readonly unrecorded: Unrecorded;
  readonly request: NotificationRequest;
}

async function deliver({ due, unknown = [], consoleUrl }: DeliveryOrder, work: Work): Promise<void> {
  const { request, clock, health, unrecorded } = work;
  const { uid } = request.metadata;
  const now = clock.now();
  for (const { channel, attempt: number } of unknown) unrecorded.keep(uid, interrupted(channel, number, now));
  const allowed = due.filter(({ channel }) => health.allow(channel.name, now));
  const recorder = new Recorder(await announce(due, allowed, work), work);
  if (unknown.length > 0) await recorder.record();
  const message = messageOf(request, { ...(consoleUrl !== undefined && { consoleUrl }) });
  const sendAndRecord = async (each: DueChannel): Promise<void> => {
    unrecorded.keep(uid, await attempt(each, message, work));
    await recorder.record();
  };
  const ends = await Promise.allSettled(allowed.map(sendAndRecord));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
}

/** Says in status which channels rest, and which attempts begin. Returns the notification as it is then. */
function announce(due: readonly DueChannel[], allowed: readonly DueChannel[], work: Work): Promise<NotificationRequest> {
  const { request, clock } = work;
  const now = clock.now();
  const resting = restingOf(
    due.filter((each) => !allowed.includes(each)),
    work,
  );
  const status = begunStatus(withRest(request.status, resting, now), allowed, now) ?? {};
  return sameJson(status, request.status ?? {}) ? Promise.resolve(request) : write(request, status, work);
}

/** Where a repeat would be seen, status says that the attempt begins. */
function begunStatus(status: NotificationStatus | undefined, allowed: readonly DueChannel[], now: Instant): NotificationStatus | undefined {
  const begin = allowed
    .filter(({ channel }) => !isRepeatable(channel.kind))
    .map(({ channel: { name }, attempt: number }) => ({ channel: name, attempt: number }));
  return begin.length === 0 ? status : withAttempts(status, begun(begin, now));
}

const restingOf = (due: readonly DueChannel[], { health, clock }: Work): readonly RestingChannel[] =>
  due.flatMap(({ channel: { name } }) => {
    const rest = health.restOf(name, clock.now());
    return rest ? [{ channel: name, ...rest }] : [];
  });

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

/** Records results one after the other, each on top of the version that the one before left. */
class Recorder {
  readonly #work: Work;
  #request: NotificationRequest;
  #writing: Promise<void> = Promise.resolve();

  constructor(request: NotificationRequest, work: Work) {
    this.#request = request;
    this.#work = work;
  }

  /** Records all results that are known by the time when its turn comes. After a write that failed the view is no longer known, and all that follow fail. */
  record(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#recordNow());
    return this.#writing;
  }

  async #recordNow(): Promise<void> {
    const { unrecorded } = this.#work;
    const { spec, status, metadata } = this.#request;
    const made = unrecorded.of(metadata.uid);
    if (made.length === 0) return;
    const attempts = made.map((each) => attemptOf(each, spec));
    this.#request = await write(this.#request, withAttempts(status, attempts), this.#work);
    unrecorded.forget(metadata.uid, made);
  }
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
