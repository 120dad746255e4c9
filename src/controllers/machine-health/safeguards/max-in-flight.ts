import { shortList, type RemediationBlock } from './remediation-block.ts';

/** How many more remediations may begin while others are under way. */
export const freeSlots = (underWay: number, most: number): number => Math.max(most - underWay, 0);

/** Who waits for whom, when no more may be under way; undefined when nobody has to wait. */
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
