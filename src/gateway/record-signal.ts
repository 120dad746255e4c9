import { keyOf } from '../api/meta.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { hasCode, messageOf, type Clock, type Instant, type Logger } from '../base/index.ts';
import type { KubeClient } from '../kube/client/client.ts';
import type { Deduplication } from './occurrences.ts';
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
  deps: RecordDeps,
  read: RemediationRequest,
  { signal, change }: Note,
): Promise<RemediationRequest | undefined> {
  const { client, clock, log } = deps;
  let request = read;
  try {
    for (let left = ATTEMPTS; ; left--) {
      const written = await unlessConflict(write(client, request, change(request, signal, clock.now())), left > 1);
      if (written) return written;
      request = await client.get(RemediationRequest, keyOf(read));
    }
  } catch (error) {
    log.warn('recording a signal on its request', { request: read.metadata.name, signal: signal.name, error: messageOf(error) });
    return undefined;
  }
}

async function unlessConflict<T>(writing: Promise<T>, mayConflict: boolean): Promise<T | undefined> {
  try {
    return await writing;
  } catch (error) {
    if (mayConflict && hasCode(error, 'Conflict')) return undefined;
    throw error;
  }
}

/** Records a signal on a request as it is known; undefined when that cannot be done, most often since the request has changed. */
export async function recordOnce(
  { client, clock }: RecordDeps,
  known: RemediationRequest,
  { signal, change }: Note,
): Promise<RemediationRequest | undefined> {
  try {
    return await write(client, known, change(known, signal, clock.now()));
  } catch {
    // The caller reads the request and records the signal on that, and tells what goes wrong.
    return undefined;
  }
}

function write(client: KubeClient, request: RemediationRequest, deduplication: Deduplication): Promise<RemediationRequest> {
  const { uid, resourceVersion } = request.metadata;
  const body = { metadata: { uid, resourceVersion }, status: { deduplication } };
  return client.patchStatus(RemediationRequest, keyOf(request), { type: 'merge', body });
}
