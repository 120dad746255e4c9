import { Deployment } from '../../api/builtin/index.ts';
import { breakTarget } from '../shop/break-target.ts';
import type { Fault } from '../shop/fault.ts';
import { followRemediation, type Stage } from './act.ts';
import { isRolledOut } from './story.ts';
import { until } from './until.ts';

/** Breaks the shop, and prints what becomes of it: the alert comes from the local cluster itself. True when the remediation completed. */
export async function playFault(stage: Stage, fault: Fault): Promise<boolean> {
  const { client, narrate, signal } = stage;
  const isUp = (all: readonly Deployment[]): true | undefined => (all.length > 0 && all.every(isRolledOut) ? true : undefined);
  await until(client, { resource: Deployment, namespace: 'shop' }, isUp, signal);
  narrate('the shop runs: every pod is ready');
  const request = await followRemediation(stage, async () => {
    const { did } = await breakTarget(client, fault);
    narrate(did);
    narrate('waiting for the alert, which the local cluster raises when this has lasted');
  });
  return request.status?.overallPhase === 'Completed';
}
