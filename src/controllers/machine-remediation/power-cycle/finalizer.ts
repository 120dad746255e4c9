import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { FINALIZERS } from '../../../api/well-known.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import * as finalizers from '../../../runtime/reconcile/finalizers.ts';

const { machineRemediation: FINALIZER } = FINALIZERS;

/** As long as a request has it, its host may be off or its Node tainted because of this request. */
export const hasFinalizer = (request: PowerCycleRemediation): boolean => finalizers.hasFinalizer(request, FINALIZER);

/** Comes before the first command to the host. */
export const addFinalizer = (request: PowerCycleRemediation): Effect => finalizers.addFinalizer(PowerCycleRemediation, request, FINALIZER);

/** Comes when nothing is left half done. */
export const removeFinalizer = (request: PowerCycleRemediation): Effect =>
  finalizers.removeFinalizer(PowerCycleRemediation, request, FINALIZER);
