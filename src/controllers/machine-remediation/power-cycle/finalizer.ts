import { keyOf } from '../../../api/meta.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { FINALIZERS } from '../../../api/well-known.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';

const NAME = FINALIZERS.machineRemediation;

/** As long as a request has it, its host may be off because of us, or its Node marked. */
export const hasFinalizer = ({ metadata }: PowerCycleRemediation): boolean => metadata.finalizers?.includes(NAME) === true;

/** Comes before the first command. */
export const addFinalizer = (request: PowerCycleRemediation): Effect =>
  finalizersOf(request, [...(request.metadata.finalizers ?? []), NAME]);

/** Goes when nothing is left half done. */
export const removeFinalizer = (request: PowerCycleRemediation): Effect =>
  finalizersOf(
    request,
    (request.metadata.finalizers ?? []).filter((name) => name !== NAME),
  );

const finalizersOf = (request: PowerCycleRemediation, value: readonly string[]): Effect => ({
  kind: 'Patch',
  resource: PowerCycleRemediation,
  key: keyOf(request),
  uid: request.metadata.uid,
  resourceVersion: request.metadata.resourceVersion,
  operations: [{ op: 'add', path: '/metadata/finalizers', value }],
});
