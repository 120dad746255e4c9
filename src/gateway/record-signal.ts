import { keyOf } from '../api/meta.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { hasCode, messageOf, type Clock, type Instant, type Logger } from '../base/index.ts';
import type { KubeClient } from '../kube/client/client.ts';
import type { Deduplication } from './deduplication.ts';
import type { Signal } from './signal.ts';

export interface RecordDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
}

/** One signal to record on a request. */
export interface Note {
  readonly signal: Signal;
  readonly change: (request: RemediationRequest, signal: Signal, now: Instant) => Deduplication;
}

/** Webhooks of one problem come in bursts: each round of conflicts lets one of them through. */
const ATTEMPTS = 10;

/**
 * Records a signal on a request, under the version that was read, and again on a newer one after a conflict. A record that cannot be written
 * is logged and answered with undefined: the signal itself must not be lost.
 */
export async function recordSignal(
  { client, clock, log }: RecordDeps,
  read: RemediationRequest,
  { signal, change }: Note,
): Promise<Deduplication | undefined> {
  let request = read;
  try {
    for (let left = ATTEMPTS; ; left--) {
      const deduplication = change(request, signal, clock.now());
      if (await isWritten(client, request, deduplication, left > 1)) return deduplication;
      request = await client.get(RemediationRequest, keyOf(read));
    }
  } catch (error) {
    log.warn('recording a signal on its request', { request: read.metadata.name, signal: signal.name, error: messageOf(error) });
    return undefined;
  }
}

async function isWritten(
  client: KubeClient,
  request: RemediationRequest,
  deduplication: Deduplication,
  mayConflict: boolean,
): Promise<boolean> {
  const { uid, resourceVersion } = request.metadata;
  const body = { metadata: { uid, resourceVersion }, status: { deduplication } };
  try {
    await client.patchStatus(RemediationRequest, keyOf(request), { type: 'merge', body });
    return true;
  } catch (error) {
    if (mayConflict && hasCode(error, 'Conflict')) return false;
    throw error;
  }
}
