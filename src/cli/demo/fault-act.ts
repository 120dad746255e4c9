import { Deployment, Node } from '../../api/builtin/index.ts';
import type { KubeObject } from '../../api/meta.ts';
import { PlatformError } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { ask } from '../../kube/client/read-live.ts';
import { breakTarget } from '../shop/break-target.ts';
import { targetText, type Fault } from '../shop/fault.ts';
import { followRemediation, type Stage } from './act.ts';
import { isRolledOut } from './story.ts';
import { until } from './until.ts';

/** Refuses at once what would only be waited for: a state folder may be without what its user deleted. */
async function demandTarget(client: KubeClient, fault: Fault): Promise<void> {
  const [resource, key] = fault.kind === 'node' ? [Node, { namespace: '', ...fault.target }] : [Deployment, fault.target];
  const target = await ask(() => client.get<KubeObject>(resource, key));
  if (target.kind === 'absent')
    throw new PlatformError(
      'NotFound',
      `there is no ${resource.kind} ${targetText(fault)} to break: create it, or start without --state or with another folder`,
    );
}

/** Breaks the shop, and prints what becomes of it: the alert comes from the local cluster itself. True when the remediation completed. */
export async function playFault(stage: Stage, fault: Fault): Promise<boolean> {
  const { client, narrate, signal } = stage;
  await demandTarget(client, fault);
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
