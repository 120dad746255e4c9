import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../api/meta.ts';
import { diagnose } from './diagnose.ts';
import type { Diagnosis } from './diagnosis.ts';
import type { ObjectEvidence } from './evidence.ts';
import { aCrashingPod, aPod, NOW } from './testing/a-deployment.ts';

const AROUND = { events: [], logs: [], claims: [], dependencies: [], gaps: [] };

function objectEvidence(kind: string, more: object, pods: ObjectEvidence['pods'] = [], jobs: ObjectEvidence['jobs'] = []): ObjectEvidence {
  const metadata = { name: 'it', namespace: 'shop', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-01T00:00:00Z' };
  const object = { apiVersion: 'v1', kind, metadata, ...more } as KubeObject;
  return { kind: 'Object', target: { kind, name: 'it', namespace: 'shop' }, object, jobs, pods, around: AROUND };
}

const failed = { conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'Job has reached the limit' }] };
const job = (status: object) => objectEvidence('Job', { spec: {}, status }).object as ObjectEvidence['jobs'][number];

const cases: readonly { name: string; evidence: ObjectEvidence; alert?: string; kind: Diagnosis['kind']; says: RegExp }[] = [
  {
    name: 'a StatefulSet with a pod that crashes',
    evidence: objectEvidence('StatefulSet', { spec: { replicas: 2 } }, [aPod('it-0'), aCrashingPod('it-1')]),
    kind: 'Unclear',
    says: /1 of 2 pods ready; not ready: it-1/,
  },
  {
    name: 'a StatefulSet that is well',
    evidence: objectEvidence('StatefulSet', { spec: { replicas: 1 } }, [aPod('it-0')]),
    kind: 'NothingWrong',
    says: /1 of 1 pods ready/,
  },
  {
    name: 'a StatefulSet that is well, for an alert that its pods do not show',
    evidence: objectEvidence('StatefulSet', { spec: { replicas: 1 } }, [aPod('it-0')]),
    alert: 'HighErrorRate',
    kind: 'Unclear',
    says: /no proof/,
  },
  {
    name: 'a StatefulSet of none',
    evidence: objectEvidence('StatefulSet', { spec: { replicas: 0 } }),
    kind: 'NothingWrong',
    says: /scaled to zero/,
  },
  {
    name: 'a DaemonSet that lacks a pod',
    evidence: objectEvidence('DaemonSet', { status: { desiredNumberScheduled: 2 } }, [aPod('a')]),
    kind: 'Unclear',
    says: /1 of 2/,
  },
  {
    name: 'a Job that failed',
    evidence: objectEvidence('Job', { spec: {}, status: failed }),
    kind: 'Unclear',
    says: /BackoffLimitExceeded: Job has reached the limit/,
  },
  {
    name: 'a Job that completed',
    evidence: objectEvidence('Job', { spec: {}, status: { conditions: [{ type: 'Complete', status: 'True' }] } }),
    alert: 'KubeJobFailed',
    kind: 'NothingWrong',
    says: /completed/,
  },
  {
    name: 'a CronJob whose newest Job failed',
    evidence: objectEvidence('CronJob', { spec: { schedule: '* * * * *' } }, [], [job(failed)]),
    kind: 'Unclear',
    says: /newest Job it failed/,
  },
  { name: 'a suspended CronJob', evidence: objectEvidence('CronJob', { spec: { suspend: true } }), kind: 'Unclear', says: /suspended/ },
  {
    name: 'a claim that is not bound',
    evidence: objectEvidence('PersistentVolumeClaim', { spec: { storageClassName: 'fast' }, status: { phase: 'Pending' } }),
    kind: 'Unclear',
    says: /Pending \(storage class fast\)/,
  },
  {
    name: 'a claim that is bound by now',
    evidence: objectEvidence('PersistentVolumeClaim', { status: { phase: 'Bound' } }),
    alert: 'KubePersistentVolumeClaimPending',
    kind: 'NothingWrong',
    says: /bound/,
  },
  {
    name: 'a claim that is bound but fills up',
    evidence: objectEvidence('PersistentVolumeClaim', { status: { phase: 'Bound' } }),
    alert: 'KubePersistentVolumeFillingUp',
    kind: 'Unclear',
    says: /no proof/,
  },
  {
    name: 'a Service that selects nothing',
    evidence: objectEvidence('Service', { spec: { selector: { app: 'typo' } } }),
    kind: 'Unclear',
    says: /selects no pod.*app=typo/,
  },
  {
    name: 'a Service whose pods are not ready',
    evidence: objectEvidence('Service', { spec: { selector: { app: 'a' } } }, [aCrashingPod('c')]),
    kind: 'Unclear',
    says: /no ready endpoint: 0 of 1/,
  },
  {
    name: 'a Service with a wrong port',
    evidence: objectEvidence('Service', { spec: { selector: { app: 'a' }, ports: [{ port: 80, targetPort: 'web' }] } }, [aPod('p')]),
    kind: 'Unclear',
    says: /no container of its pods has a port named web/,
  },
  {
    name: 'an autoscaler at its maximum',
    evidence: objectEvidence('HorizontalPodAutoscaler', {
      spec: { maxReplicas: 4, scaleTargetRef: { kind: 'Deployment', name: 'web' } },
      status: { currentReplicas: 4, desiredReplicas: 4 },
    }),
    kind: 'Unclear',
    says: /at its maximum: 4 replicas of Deployment web/,
  },
  {
    name: 'a budget that allows nothing',
    evidence: objectEvidence('PodDisruptionBudget', {
      spec: { minAvailable: 2 },
      status: { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 },
    }),
    kind: 'Unclear',
    says: /allows 0 disruptions \(minAvailable 2/,
  },
  {
    name: 'a pod that has a finalizer',
    evidence: objectEvidence('Pod', {
      metadata: { name: 'it', namespace: 'shop', uid: 'u', deletionTimestamp: '2026-11-15T03:00:00Z', finalizers: ['x.io/hold'] },
      spec: { containers: [] },
    }),
    kind: 'Unclear',
    says: /held by finalizers x\.io\/hold/,
  },
  {
    name: 'a certificate that is not renewed',
    evidence: objectEvidence('Certificate', {
      status: {
        notAfter: '2026-11-16T00:00:00Z',
        conditions: [{ type: 'Ready', status: 'False', reason: 'Failed', message: 'issuer not found' }],
      },
    }),
    kind: 'Unclear',
    says: /not renewed: Failed: issuer not found; the present one is valid until 2026-11-16/,
  },
  {
    name: 'an Ingress to a Service that is not there',
    evidence: { ...objectEvidence('Ingress', {}), around: { ...AROUND, dependencies: [{ service: 'web', exists: false }] } },
    kind: 'Unclear',
    says: /sends traffic to Service web, which does not exist/,
  },
  { name: 'a kind without a judge', evidence: objectEvidence('ConfigMap', {}), kind: 'Unclear', says: /does not show in its own state/ },
];

describe('judgeObject', () => {
  test.each(cases)('$name: $kind', ({ evidence, alert, kind, says }) => {
    const diagnosis = diagnose(evidence, NOW, alert);
    expect(diagnosis.kind).toBe(kind);
    expect(diagnosis.kind === 'Diagnosed' ? diagnosis.cause : diagnosis.reason).toMatch(says);
  });

  test('a hand-over has the findings of its pods', () =>
    expect(diagnose(objectEvidence('StatefulSet', { spec: { replicas: 1 } }, [aCrashingPod('it-0')]), NOW)).toMatchObject({
      facts: [expect.stringContaining('pod it-0: container app waits (CrashLoopBackOff)')],
      likely: expect.arrayContaining([
        expect.objectContaining({ check: expect.stringContaining('kubectl logs -n shop it-0 -c app --previous') as string }),
      ]) as unknown[],
    }));
});
