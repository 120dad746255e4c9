import type { Deployment, PodTemplate, ReplicaSet } from '../../src/api/builtin/index.ts';
import { sameJson } from '../../src/base/index.ts';
import type { JsonPatchOperation } from '../../src/kube/client/client.ts';
import { isOwnedBy } from '../../src/kube/objects/owner-references.ts';
import type { Plan } from '../change.ts';
import { pointer } from '../pointer.ts';
import type { WayBack } from '../../src/api/undo-record.ts';

/** The revision of a ReplicaSet, and its earlier revisions when it was rolled back to. */
const REVISION = 'deployment.kubernetes.io/revision';
const EARLIER_REVISIONS = 'deployment.kubernetes.io/revision-history';
const CHANGE_CAUSE = 'kubernetes.io/change-cause';
/** Set by the deployment controller, and different for every template. */
const TEMPLATE_HASH = 'pod-template-hash';

/** How the Deployment is rolled back: the template of the revision and its change cause, as kubectl rollout undo does. */
export function planRollback(deployment: Deployment, replicaSets: readonly ReplicaSet[], revision: number): Plan {
  if (deployment.spec.paused === true) return { kind: 'refused', why: 'its rollouts are paused; run "kubectl rollout resume" first' };
  const own = replicaSets.filter((set) => isOwnedBy(set, deployment.metadata.uid));
  const back = own.find((set) => revisionOf(set) === revision) ?? own.find((set) => earlierRevisions(set).includes(revision));
  if (!back?.spec.template)
    return { kind: 'refused', why: `it has no revision ${revision}, only ${own.map(revisionOf).toSorted(ascending).join(', ') || 'none'}` };
  const template = withoutHash(back.spec.template);
  if (sameJson(template, withoutHash(deployment.spec.template)))
    return { kind: 'already', why: `already has the template of revision ${revision}` };
  const from = deployment.metadata.annotations?.[REVISION];
  return {
    kind: 'change',
    operations: [{ op: 'replace', path: '/spec/template', value: template }, ...changeCause(deployment, back)],
    did: `rolled back from revision ${from ?? '(unknown)'} to the template of revision ${revision} (ReplicaSet ${back.metadata.name})`,
    undo: wayBack(from),
  };
}

const wayBack = (from: string | undefined): WayBack =>
  from === undefined
    ? { none: 'the Deployment did not say which revision it was at' }
    : { workflow: 'rollback-deployment', parameters: { REVISION: from } };

const revisionOf = ({ metadata }: ReplicaSet): number => Number(metadata.annotations?.[REVISION] ?? 0);

const earlierRevisions = ({ metadata }: ReplicaSet): readonly number[] =>
  (metadata.annotations?.[EARLIER_REVISIONS] ?? '').split(',').map(Number);

const ascending = (a: number, b: number): number => a - b;

function withoutHash(template: PodTemplate): PodTemplate {
  const { [TEMPLATE_HASH]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** A template's change cause goes with it; the cause of the present template would mislead. Annotations exist by then. */
function changeCause(deployment: Deployment, { metadata }: ReplicaSet): readonly JsonPatchOperation[] {
  const path = pointer('metadata', 'annotations', CHANGE_CAUSE);
  const cause = metadata.annotations?.[CHANGE_CAUSE];
  if (cause !== undefined) return [{ op: 'add', path, value: cause }];
  return deployment.metadata.annotations?.[CHANGE_CAUSE] === undefined ? [] : [{ op: 'remove', path }];
}
