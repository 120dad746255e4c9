import { Deployment, ReplicaSet } from '../../src/api/builtin/index.ts';
import { formatLabelSelector, labelRequirements } from '../../src/kube/selectors/index.ts';
import { carryOut } from '../change.ts';
import { wholeNumber } from '../environment.ts';
import { targetOf } from '../target.ts';
import type { Workflow } from '../workflow.ts';
import { planRollback } from './plan.ts';

/** The workflow `rollback-deployment`: rolls a Deployment back to an earlier revision. */
export const rollbackDeployment: Workflow = async (client, env, how) => {
  const target = targetOf(env, ['Deployment']);
  const revision = wholeNumber(env, 'REVISION');
  return carryOut({
    client,
    resource: Deployment,
    target,
    workflow: 'rollback-deployment',
    done: 'rolled back',
    how,
    plan: async (deployment) => {
      const labelSelector = formatLabelSelector(labelRequirements(deployment.spec.selector));
      const { items } = await client.list(ReplicaSet, { namespace: target.namespace, labelSelector });
      return planRollback(deployment, items, revision);
    },
  });
};
