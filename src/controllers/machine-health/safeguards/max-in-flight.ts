import { shortList, type RemediationBlock } from './remediation-block.ts';

/** How many more remediations may start while others run. */
export const freeSlots = (underWay: number, most: number): number => Math.max(most - underWay, 0);

/** Which Machines wait for which when the limit is reached; undefined when none has to wait. */
export function tooManyInFlight(
  { underWay, waiting }: { readonly underWay: readonly string[]; readonly waiting: readonly string[] },
  most: number,
): RemediationBlock | undefined {
  if (waiting.length === 0) return undefined;
  return {
    reason: 'TooManyInFlight',
    message: `at most ${most} remediations may run at a time. Running: ${shortList(underWay)}. Waiting: ${shortList(waiting)}`,
  };
}
