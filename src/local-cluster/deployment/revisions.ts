import { Deployment, ReplicaSet } from '../../api/builtin/index.ts';
import { keyOf, type Draft, type KubeObject } from '../../api/meta.ts';
import type { JsonPatchOperation } from '../../kube/client/client.ts';
import { ownerReference } from '../../kube/objects/owner-references.ts';
import type { Effect } from '../../runtime/reconcile/controller.ts';
import { TEMPLATE_HASH, templateHash } from './template-hash.ts';

/** Where Deployments and their ReplicaSets say which revision they are at. */
const REVISION = 'deployment.kubernetes.io/revision';
/** The revisions that a ReplicaSet was before it was taken up again. */
const HISTORY = 'deployment.kubernetes.io/revision-history';

export const revisionOf = ({ metadata }: KubeObject): number => Number(metadata.annotations?.[REVISION] ?? 0) || 0;

/** The ReplicaSet of the current template is one past the others, be it new or taken up again. */
export const nextRevision = (old: readonly ReplicaSet[]): number => Math.max(0, ...old.map(revisionOf)) + 1;

export const replicaSetName = ({ metadata, spec }: Deployment): string => `${metadata.name}-${templateHash(spec.template)}`;

/** A ReplicaSet for the current template. */
export function createReplicaSet(deployment: Deployment, options: { readonly replicas: number; readonly revision: number }): Effect {
  const { metadata, spec } = deployment;
  const hash = { [TEMPLATE_HASH]: templateHash(spec.template) };
  const labels = { ...spec.template.metadata?.labels, ...hash };
  const object: Draft<ReplicaSet> = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: replicaSetName(deployment),
      namespace: metadata.namespace ?? '',
      labels,
      annotations: { ...ownAnnotations(metadata.annotations), [REVISION]: String(options.revision) },
      ownerReferences: [ownerReference(deployment, { controller: true, blockOwnerDeletion: true })],
    },
    spec: {
      replicas: options.replicas,
      ...(spec.minReadySeconds !== undefined && { minReadySeconds: spec.minReadySeconds }),
      selector: { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, ...hash } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
  return { kind: 'Create', resource: ReplicaSet, object };
}

/** What people noted on the Deployment goes along, what tools keep for themselves does not. */
function ownAnnotations(annotations: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const kept = Object.entries(annotations).filter(
    ([name]) => !name.startsWith('deployment.kubernetes.io/') && !name.startsWith('kubectl.kubernetes.io/'),
  );
  return Object.fromEntries(kept);
}

/** Numbers the ReplicaSet of the current template, and the Deployment after it, where they are behind. */
export function numberRevisions(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): readonly Effect[] {
  const revision = Math.max(nextRevision(old), revisionOf(current));
  const isRevised = deployment.metadata.annotations?.[REVISION] === String(revision);
  return [
    ...(revisionOf(current) < revision ? [annotate(ReplicaSet, current, { [REVISION]: String(revision), ...historyOf(current) })] : []),
    ...(isRevised ? [] : [annotate(Deployment, deployment, { [REVISION]: String(revision) })]),
  ];
}

/** How long a pod must be ready is no part of the template: it is handed on to the ReplicaSet that there is. */
export function handOnReadiness({ spec }: Deployment, current: ReplicaSet): readonly Effect[] {
  const value = spec.minReadySeconds ?? 0;
  if ((current.spec.minReadySeconds ?? 0) === value) return [];
  const { uid, resourceVersion } = current.metadata;
  const operations = [{ op: 'add', path: '/spec/minReadySeconds', value }] as const;
  return [{ kind: 'Patch', resource: ReplicaSet, key: keyOf(current), uid, resourceVersion, operations }];
}

function historyOf(current: ReplicaSet): Readonly<Record<string, string>> {
  const before = current.metadata.annotations?.[HISTORY];
  const was = revisionOf(current);
  return was === 0 ? {} : { [HISTORY]: before === undefined ? String(was) : `${before},${was}` };
}

function annotate(
  resource: typeof ReplicaSet | typeof Deployment,
  object: KubeObject,
  annotations: Readonly<Record<string, string>>,
): Effect {
  const operations: readonly JsonPatchOperation[] =
    object.metadata.annotations === undefined
      ? [{ op: 'add', path: '/metadata/annotations', value: annotations }]
      : Object.entries(annotations).map(([name, value]) => ({
          op: 'add',
          path: `/metadata/annotations/${name.replaceAll('/', '~1')}`,
          value,
        }));
  return {
    kind: 'Patch',
    resource,
    key: keyOf(object),
    uid: object.metadata.uid,
    resourceVersion: object.metadata.resourceVersion,
    operations,
    // The annotations of a Deployment count as its wishes, except where its own controller writes them.
    ...(resource === Deployment && { subresource: 'status' as const }),
  };
}
