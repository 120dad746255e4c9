import { keyOf } from '../../../api/meta.ts';
import { PipelineRemediation } from '../../../api/pipeline-remediation/pipeline-remediation.ts';
import { FINALIZERS } from '../../../api/well-known.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';

const { machineRemediation: FINALIZER } = FINALIZERS;

/** Whether the server keeps the request, should somebody delete it, until nothing is left half done. */
export const isKept = ({ metadata }: PipelineRemediation): boolean => metadata.finalizers?.includes(FINALIZER) ?? false;

export const keep = (object: PipelineRemediation): Effect => write(object, [...(object.metadata.finalizers ?? []), FINALIZER]);

export const letGo = (object: PipelineRemediation): Effect =>
  write(
    object,
    (object.metadata.finalizers ?? []).filter((other) => other !== FINALIZER),
  );

/** Under the version that was seen: the list may hold the finalizers of others. */
function write(object: PipelineRemediation, finalizers: readonly string[]): Effect {
  const { uid, resourceVersion } = object.metadata;
  const operations = [{ op: 'add', path: '/metadata/finalizers', value: finalizers }] as const;
  return { kind: 'Patch', resource: PipelineRemediation, key: keyOf(object), uid, resourceVersion, operations };
}
