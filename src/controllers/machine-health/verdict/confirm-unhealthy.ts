import { unhealthySince } from '../requests/request-remediation.ts';
import { withLiveNode } from '../targets/node-of-machine.ts';
import type { ObserveContext, TargetObservation } from '../check/observe-check.ts';
import { gateMayBeOpen } from '../requests/observe-requests.ts';
import type { ParsedCheck } from '../targets/parse-check.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import type { ListedTargets } from '../targets/target-list.ts';

/**
 * Reads the Node live for each target whose remediation may be requested for the first time now. After a network outage watches show recovered
 * Nodes one by one; the first of them open the gate for Machines that have recovered too but whose Nodes the watch has not shown yet.
 */
export async function confirmUnhealthy(
  { names, targets }: ListedTargets,
  read: ParsedCheck,
  { reader, how }: { readonly reader: Reader; readonly how: ObserveContext },
): Promise<readonly TargetObservation[]> {
  if (read.check.safeguards.observeOnly || !gateMayBeOpen(read, { names, targets })) return targets;
  return Promise.all(
    targets.map(async (seen) => {
      if (!mayBeRequested(seen)) return seen;
      return { ...seen, ...how.evaluator.evaluate(read, await withLiveNode(seen.target, reader, how), how) };
    }),
  );
}

const mayBeRequested = ({ verdict, entry, request, target }: TargetObservation): boolean =>
  verdict.kind === 'unhealthy' &&
  !entry &&
  unhealthySince(target.machine) !== undefined &&
  (request.kind === 'not-read' || request.kind === 'absent');
