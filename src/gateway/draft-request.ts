import type { Draft } from '../api/meta.ts';
import type { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { RemediationRequest as KIND } from '../api/remediation-request/remediation-request.ts';
import { apiVersionOf } from '../api/resource.ts';
import { toTime, type Instant } from '../base/index.ts';
import type { Target } from './find-target.ts';
import { CONSEQUENCE } from '../api/remediation-request/signal-source.ts';
import type { Signal } from './signal.ts';
import type { RequestName } from './signal-verdict.ts';

/** What is known when a request is opened. */
export interface Opening {
  readonly signal: Signal;
  readonly target: Target;
  readonly fingerprint: string;
  /** Name of this cluster in alerts; empty when it has no name. */
  readonly clusterID: string;
  /** The workload that the signal is about, where the failure of the target, a Node, made it unhealthy. */
  readonly consequence?: string;
}

/** The request that a signal opens. */
export function draftRequest(
  { signal, target, fingerprint, clusterID, consequence }: Opening,
  named: RequestName,
  now: Instant,
): Draft<RemediationRequest> {
  const { kind, name, namespace, apiVersion } = target;
  return {
    apiVersion: apiVersionOf(KIND),
    kind: KIND.kind,
    metadata: named,
    spec: {
      signalFingerprint: fingerprint,
      signalName: signal.name,
      severity: signal.severity,
      signalType: 'alert',
      signalSource: signal.source,
      targetType: 'kubernetes',
      targetResource: { kind, name, apiVersion, ...(namespace === '' ? {} : { namespace }) },
      firingTime: toTime(signal.startsAt),
      receivedTime: toTime(now),
      signalLabels: signal.labels,
      signalAnnotations: { ...signal.annotations, ...(consequence !== undefined && { [CONSEQUENCE]: consequence }) },
      providerData: signal.providerData,
      originalPayload: signal.payload,
      ...(clusterID === '' ? {} : { clusterID }),
    },
  };
}
