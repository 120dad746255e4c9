import { shortList, type RemediationBlock } from './remediation-block.ts';

/** Requests no remediation, and names the Machines for which it would. */
export function observeOnly(isOn: boolean, wouldBegin: readonly string[]): RemediationBlock | undefined {
  if (!isOn) return undefined;
  const who =
    wouldBegin.length === 0 ? 'no remediation would be requested now' : `remediation would be requested for ${shortList(wouldBegin)}`;
  return { reason: 'ObserveOnly', message: `spec.safeguards.observeOnly is set: ${who}` };
}
