import { Machine } from '../../api/machine/machine.ts';
import type { ObjectKey } from '../../api/meta.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import type { Claim, OverJudge } from '../budget/index.ts';
import { isLeaving, isToBeReplaced } from './machine-state.ts';

/** The replacement of a Machine has finished when the Machine is gone or, where it was never deleted, when its replacement is no longer requested. */
export const replacementFinished = (reader: Reader): OverJudge => ({
  look(claim) {
    const found = reader.get(Machine, keyOfClaim(claim));
    return found.kind === 'value' && isUnderWay(found.value, claim) ? 'running' : 'unsure';
  },
  async ask(claim) {
    const found = await reader.fetch(Machine, keyOfClaim(claim));
    return found.kind === 'absent' || (found.kind === 'value' && !isUnderWay(found.value, claim));
  },
});

const isUnderWay = (machine: Machine, { uid }: Claim): boolean =>
  machine.metadata.uid === uid && (isLeaving(machine) || isToBeReplaced(machine));

function keyOfClaim({ key }: Claim): ObjectKey {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, Math.max(0, slash)), name: key.slice(slash + 1) };
}

/**
 * The same for others who draw on the budget and follow no Machines. A Machine goes even where the ledger cannot be written then, so a claim
 * may outlive it: it must not keep its place from them.
 */
export const replacementFinishedLive = (reader: Reader): OverJudge => ({ ...replacementFinished(reader), look: () => 'unsure' });
