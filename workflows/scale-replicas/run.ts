import { HorizontalPodAutoscaler } from '../../src/api/builtin/index.ts';
import { hasCode } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/kube/client/client.ts';
import { carryOut } from '../change.ts';
import { required, wholeNumberWithin } from '../environment.ts';
import { targetOf } from '../target.ts';
import type { Workflow } from '../workflow.ts';
import { workloadOf } from '../workloads.ts';
import { planScale, REPLICAS } from './plan.ts';

/** The workflow `scale-replicas`: sets the replicas of a Deployment or StatefulSet. */
export const scaleReplicas: Workflow = async (client, env, how) => {
  const target = targetOf(env, ['Deployment', 'StatefulSet']);
  required(env, 'REPLICAS');
  const replicas = wholeNumberWithin(env, 'REPLICAS', REPLICAS) ?? REPLICAS.least;
  return carryOut({
    client,
    resource: workloadOf(target.kind),
    target,
    workflow: 'scale-replicas',
    done: 'scaled',
    how,
    plan: async (workload) => planScale(workload, await autoscalersIn(client, target.namespace), { target, replicas }),
  });
};

/** None where the server does not know the kind at all. */
async function autoscalersIn(client: KubeClient, namespace: string): Promise<readonly HorizontalPodAutoscaler[]> {
  try {
    return (await client.list(HorizontalPodAutoscaler, { namespace })).items;
  } catch (error) {
    if (hasCode(error, 'NotFound')) return [];
    throw error;
  }
}
