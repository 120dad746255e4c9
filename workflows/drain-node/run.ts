import { Node } from '../../src/api/builtin/index.ts';
import { after, SECOND, systemClock } from '../../src/base/index.ts';
import { carryOut } from '../change.ts';
import { wholeNumberWithin, yesOrNo } from '../environment.ts';
import { podName } from '../pods.ts';
import { targetOf } from '../target.ts';
import type { Workflow } from '../workflow.ts';
import { evictAll, podsOn } from './evict.ts';
import { mustLeave, planCordon } from './plan.ts';

/** The workflow `drain-node`: cordons a node and evicts its pods, as their disruption budgets allow. */
export const drainNode: Workflow = async (client, env, how = {}) => {
  const target = targetOf(env, ['Node']);
  const node = target.name;
  const clock = how.clock ?? systemClock;
  const order = { deleteEmptyDirData: yesOrNo(env, 'DELETE_EMPTYDIR_DATA') };
  const deadline = after(clock.now(), (wholeNumberWithin(env, 'TIMEOUT_SECONDS', { least: 1, most: 3_600 }) ?? 300) * SECOND);
  const cordoned = await carryOut({
    client,
    resource: Node,
    target,
    workflow: 'drain-node',
    done: 'drained',
    how,
    plan: async (found) => planCordon(found, await podsOn(client, node), order),
  });
  if (how.dryRun === true) return [cordoned, ...mustLeave(await podsOn(client, node)).map((pod) => `- Pod ${podName(pod)}`)].join('\n');
  const evicted = await evictAll({ client, clock, node, deadline, report: how.report ?? (() => {}) });
  return evicted === 0 ? `${cordoned}, and has no pods that must leave` : `${cordoned} and drained of ${evicted} pods`;
};
