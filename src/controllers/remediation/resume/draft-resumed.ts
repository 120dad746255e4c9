import type { Draft } from '../../../api/meta.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { apiVersionOf } from '../../../api/resource.ts';
import { given, parseTime, toTime, type Instant } from '../../../base/index.ts';
import type { FiringAlert } from '../../../monitoring/index.ts';

/** The request that continues with an alert of an ended one: about the same target, and as the gateway would draft it from a webhook. */
export function draftResumed(
  { spec, metadata }: RemediationRequest,
  { labels, annotations = {}, startsAt, fingerprint }: FiringAlert,
  { name, now }: { readonly name: string; readonly now: Instant },
): Draft<RemediationRequest> {
  const payload = { status: 'firing', labels, annotations, startsAt, fingerprint };
  const since = parseTime(startsAt);
  return {
    apiVersion: apiVersionOf(RemediationRequest),
    kind: RemediationRequest.kind,
    metadata: { namespace: metadata.namespace ?? '', name },
    spec: {
      signalFingerprint: spec.signalFingerprint,
      signalName: labels['alertname'] ?? spec.signalName,
      severity: labels['severity'] ?? spec.severity,
      signalType: spec.signalType,
      targetType: spec.targetType,
      targetResource: spec.targetResource,
      firingTime: since === undefined ? spec.firingTime : toTime(since),
      receivedTime: toTime(now),
      signalLabels: labels,
      signalAnnotations: annotations,
      providerData: JSON.stringify({ resumes: metadata.name }),
      originalPayload: JSON.stringify(payload),
      ...given({ signalSource: spec.signalSource, clusterID: spec.clusterID }),
    },
  };
}
