import { CustomResourceDefinition, Deployment, Namespace } from '../../api/builtin/index.ts';
import { crdOf } from '../../api/crd-of.ts';
import {
  AIAnalysis,
  EffectivenessAssessment,
  NotificationRequest,
  RemediationApprovalRequest,
  RemediationRequest,
  RemediationWorkflow,
  SignalProcessing,
  WorkflowExecution,
} from '../../api/index.ts';
import type { Draft } from '../../api/meta.ts';
import { LABELS } from '../../api/well-known.ts';
import { deepFreeze, hasCode, toTime, type Instant } from '../../base/index.ts';
import { createHash } from 'node:crypto';
import type { KubeClient } from '../../kube/client/client.ts';

/** Where the targets live. */
export const SHOP = 'shop';

/** The children of a request, in the order of its life. */
export const CHILDREN = [
  SignalProcessing,
  AIAnalysis,
  RemediationApprovalRequest,
  WorkflowExecution,
  EffectivenessAssessment,
  NotificationRequest,
] as const;

/** Frozen, so that many simulations can share what a server makes of them. */
const CRDS = [RemediationRequest, ...CHILDREN, RemediationWorkflow].map((kind) => deepFreeze(crdOf(kind)));

/** Installs the kinds and the namespaces, and the targets, which may be worked on. */
export async function prepareWorld(client: KubeClient, system: string, targets: readonly string[]): Promise<void> {
  for (const crd of CRDS) await client.create(CustomResourceDefinition, crd);
  await openNamespace(client, system);
  await openNamespace(client, SHOP, { [LABELS.managed]: 'true' });
  for (const target of targets) await client.create(Deployment, targetDraft(target));
}

/** A namespace; one that is there stays as it is. */
export async function openNamespace(client: KubeClient, name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
  try {
    await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  } catch (error) {
    if (!hasCode(error, 'AlreadyExists')) throw error;
  }
}

/** A workload that no controller runs; it is only read and edited. */
export const targetDraft = (name: string, namespace = SHOP): Draft<Deployment> =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'sickbay.test/busybox:1' }] } },
    },
  }) as Draft<Deployment>;

/** What the gateway calls the same problem. */
export const fingerprintOf = (target: string, namespace = SHOP): string =>
  createHash('sha256').update(`${namespace}:Deployment:${target}`).digest('hex');

/** A request as the gateway opens it. */
export const requestDraft = (
  name: string,
  options: {
    readonly target: string;
    readonly system: string;
    readonly now: Instant;
    readonly dryRun?: boolean;
    readonly namespace?: string;
  },
): Draft<RemediationRequest> => ({
  apiVersion: 'kubernaut.ai/v1alpha1',
  kind: 'RemediationRequest',
  metadata: { name, namespace: options.system },
  spec: {
    signalFingerprint: fingerprintOf(options.target, options.namespace),
    signalName: 'KubePodCrashLooping',
    severity: 'critical',
    signalType: 'alert',
    signalSource: 'prometheus',
    targetType: 'kubernetes',
    targetResource: { kind: 'Deployment', name: options.target, namespace: options.namespace ?? SHOP, apiVersion: 'apps/v1' },
    firingTime: toTime(options.now),
    receivedTime: toTime(options.now),
    ...(options.dryRun === true && { dryRun: true }),
  },
});
