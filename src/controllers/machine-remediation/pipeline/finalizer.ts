import { PipelineRemediation } from '../../../api/pipeline-remediation/pipeline-remediation.ts';
import { FINALIZERS } from '../../../api/well-known.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import { addFinalizer, hasFinalizer, removeFinalizer } from '../../../runtime/reconcile/finalizers.ts';

const { machineRemediation: FINALIZER } = FINALIZERS;

/** Whether a deleted request stays until nothing is left half done. */
export const isKept = (object: PipelineRemediation): boolean => hasFinalizer(object, FINALIZER);

export const keep = (object: PipelineRemediation): Effect => addFinalizer(PipelineRemediation, object, FINALIZER);

export const releaseRequest = (object: PipelineRemediation): Effect => removeFinalizer(PipelineRemediation, object, FINALIZER);
