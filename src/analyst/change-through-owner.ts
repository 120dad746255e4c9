import type { KubeObject } from '../api/meta.ts';
import { controllerOf } from '../kube/objects/owner-references.ts';
import { managedBy } from '../scope/index.ts';
import type { Diagnosis } from './diagnosis.ts';
import { targetName } from './evidence.ts';

/** Actions that leave the spec of a workload as its owner wants it. */
const KEEPS_SPEC: ReadonlySet<string> = new Set(['RestartWorkload', 'DeleteStuckPod', 'DrainNode', 'UncordonNode']);

/**
 * A target that another tool applies is changed through that tool: a change behind its back is undone with the next sync, or hides that the source
 * is broken. So the cause is handed over, with how the owner is changed.
 */
export function throughOwner(diagnosis: Diagnosis, object: KubeObject): Diagnosis {
  if (diagnosis.kind !== 'Diagnosed' || KEEPS_SPEC.has(diagnosis.actionType)) return diagnosis;
  const owner = ownerOf(object);
  if (!owner) return diagnosis;
  return {
    kind: 'Unclear',
    reason: `${diagnosis.cause}. ${targetName(diagnosis.target)} is not changed here: it is managed by ${owner.text} (${owner.shownBy})`,
    advice: owner.changeThrough,
  };
}

interface Owner {
  readonly text: string;
  readonly shownBy: string;
  readonly changeThrough: string;
}

function ownerOf(object: KubeObject): Owner | undefined {
  const manager = managedBy(object);
  if (manager) return manager;
  const controller = controllerOf(object);
  if (!controller) return undefined;
  const text = `${controller.kind} ${controller.name}`;
  const namespace = object.metadata.namespace === undefined ? '' : ` -n ${object.metadata.namespace}`;
  return {
    text,
    shownBy: 'its controller reference',
    changeThrough: `change the spec of ${text}: kubectl edit${namespace} ${controller.kind.toLowerCase()} ${controller.name}`,
  };
}
