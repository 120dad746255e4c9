import { unhealthySince } from '../requests/request-remediation.ts';
import { withLiveNode } from '../targets/node-of-machine.ts';
import type { ObserveContext, TargetObservation } from '../check/observe-check.ts';
import { gateMayBeOpen } from '../requests/observe-requests.ts';
import type { ParsedCheck } from '../targets/parse-check.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import type { ListedTargets } from '../targets/target-list.ts';

/**
 * The targets, with the Nodes of those on the server's word of whom somebody may be asked for the first time now. When a network comes back
 * its Nodes are shown one after the other, and the first of them open the gate for those that are well again too and were not shown yet.
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
