import type { Deployment, PodTemplate, ReplicaSet } from '../../src/api/builtin/index.ts';
import { sameJson } from '../../src/base/index.ts';
import type { JsonPatchOperation } from '../../src/kube/client.ts';
import { isOwnedBy } from '../../src/kube/owner-references.ts';

/** The revision that a ReplicaSet is, and the ones that it was before it was gone back to. */
const REVISION = 'deployment.kubernetes.io/revision';
const EARLIER_REVISIONS = 'deployment.kubernetes.io/revision-history';
const CHANGE_CAUSE = 'kubernetes.io/change-cause';
/** Set by the deployment controller, and different for every template. */
const TEMPLATE_HASH = 'pod-template-hash';

/** What to do about the Deployment. */
export type RollbackPlan =
  | { readonly kind: 'patch'; readonly operations: readonly JsonPatchOperation[]; readonly replicaSet: string; readonly from: string }
  | { readonly kind: 'already' }
  | { readonly kind: 'refused'; readonly why: string };

/** What is wanted of which Deployment. */
export interface RollbackOrder {
  readonly revision: number;
  /** UID of the Deployment that was meant; any of the name when absent. */
  readonly uid?: string;
}

/** How the Deployment gets back to the revision: its template, and why it was rolled out then, as kubectl rollout undo does. */
export function planRollback(deployment: Deployment, replicaSets: readonly ReplicaSet[], { revision, uid }: RollbackOrder): RollbackPlan {
  const objection = objectionTo(deployment, uid);
  if (objection !== undefined) return { kind: 'refused', why: objection };
  const own = replicaSets.filter((set) => isOwnedBy(set, deployment.metadata.uid));
  const back = own.find((set) => revisionOf(set) === revision) ?? own.find((set) => earlierRevisions(set).includes(revision));
  if (!back?.spec.template)
    return { kind: 'refused', why: `it has no revision ${revision}, only ${own.map(revisionOf).toSorted(ascending).join(', ') || 'none'}` };
  const template = withoutHash(back.spec.template);
  if (sameJson(template, withoutHash(deployment.spec.template))) return { kind: 'already' };
  const operations: readonly JsonPatchOperation[] = [
    { op: 'test', path: '/metadata/uid', value: deployment.metadata.uid },
    // Set, not tested: an older view is then a proper Conflict.
    { op: 'replace', path: '/metadata/resourceVersion', value: deployment.metadata.resourceVersion },
    { op: 'replace', path: '/spec/template', value: template },
    ...changeCause(deployment, back),
  ];
  return {
    kind: 'patch',
    operations,
    replicaSet: back.metadata.name,
    from: deployment.metadata.annotations?.[REVISION] ?? 'an unknown one',
  };
}

function objectionTo({ metadata, spec }: Deployment, uid: string | undefined): string | undefined {
  if (uid !== undefined && metadata.uid !== uid) return 'it is another one than was meant: it was deleted and created anew';
  if (metadata.deletionTimestamp !== undefined) return 'it is being deleted';
  if (spec.paused === true) return `its rollouts are paused; run "kubectl rollout resume" first`;
  return undefined;
}

const revisionOf = ({ metadata }: ReplicaSet): number => Number(metadata.annotations?.[REVISION] ?? 0);

const earlierRevisions = ({ metadata }: ReplicaSet): readonly number[] =>
  (metadata.annotations?.[EARLIER_REVISIONS] ?? '').split(',').map(Number);

const ascending = (a: number, b: number): number => a - b;

function withoutHash(template: PodTemplate): PodTemplate {
  const { [TEMPLATE_HASH]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** A template's cause goes with it; a cause that belongs to the template that is left would mislead. */
function changeCause(deployment: Deployment, { metadata }: ReplicaSet): readonly JsonPatchOperation[] {
  const path = `/metadata/annotations/${CHANGE_CAUSE.replace('/', '~1')}`;
  const [cause, annotations] = [metadata.annotations?.[CHANGE_CAUSE], deployment.metadata.annotations];
  if (cause === undefined) return annotations?.[CHANGE_CAUSE] === undefined ? [] : [{ op: 'remove', path }];
  return annotations
    ? [{ op: 'add', path, value: cause }]
    : [{ op: 'add', path: '/metadata/annotations', value: { [CHANGE_CAUSE]: cause } }];
}
