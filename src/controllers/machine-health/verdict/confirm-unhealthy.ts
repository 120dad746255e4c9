import { markedAt } from '../requests/request-remediation.ts';
import { confirmed } from './health-evaluator.ts';
import type { How, TargetSeen } from '../check/observe-check.ts';
import { couldBeOpen } from '../requests/observe-requests.ts';
import type { ReadCheck } from '../targets/parse-check.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import type { Called } from '../targets/target-list.ts';

/**
 * The targets, with the Nodes of those on the server's word of whom somebody may be asked for the first time now. When a network comes back
 * its Nodes are shown one after the other, and the first of them open the gate for those that are well again too and were not shown yet.
 */
export async function confirmIll(
  { names, targets }: Called,
  read: ReadCheck,
  { reader, how }: { readonly reader: Reader; readonly how: How },
): Promise<readonly TargetSeen[]> {
  if (read.check.safeguards.observeOnly || !couldBeOpen(read, { names, targets })) return targets;
  return Promise.all(
    targets.map(async (seen) => {
      if (!mayBeHandedOut(seen)) return seen;
      return { ...seen, ...how.judge.judge(read, await confirmed(seen.target, reader, how), how) };
    }),
  );
}

const mayBeHandedOut = ({ verdict, entry, request, target }: TargetSeen): boolean =>
  verdict.kind === 'unhealthy' && !entry && markedAt(target.machine) !== undefined && (request === undefined || request.kind === 'absent');
