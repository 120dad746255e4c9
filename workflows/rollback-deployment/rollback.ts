import { Deployment, ReplicaSet } from '../../src/api/builtin/index.ts';
import { hasCode, PlatformError } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { formatLabelSelector, labelRequirements } from '../../src/kube/selectors/index.ts';
import { planRollback, type RollbackOrder } from './plan.ts';

/** Status writes of a Deployment in trouble come thick and fast; each one makes our view old. */
const MOST_ATTEMPTS = 5;

export interface Rollback extends RollbackOrder {
  readonly namespace: string;
  readonly name: string;
}

/** Puts a Deployment back to an earlier revision, under the version that was looked at, and says what was done. Doing it twice does it once. */
export async function rollBack(client: KubeClient, rollback: Rollback): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryOnce(client, rollback);
    } catch (error) {
      if (!hasCode(error, 'Conflict') || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

async function tryOnce(client: KubeClient, rollback: Rollback): Promise<string> {
  const { namespace, name, revision } = rollback;
  const what = `Deployment ${namespace}/${name}`;
  const deployment = await read(client, rollback, what);
  const labelSelector = formatLabelSelector(labelRequirements(deployment.spec.selector));
  const { items } = await client.list(ReplicaSet, { namespace, labelSelector });
  const plan = planRollback(deployment, items, rollback);
  if (plan.kind === 'refused') throw refusal(`${what} is not rolled back: ${plan.why}`);
  if (plan.kind === 'already') return `${what} already has the template of revision ${revision}`;
  await client.patch(Deployment, { namespace, name }, { type: 'json', body: plan.operations });
  return `${what} rolled back from revision ${plan.from} to the template of revision ${revision} (ReplicaSet ${plan.replicaSet})`;
}

async function read(client: KubeClient, { namespace, name }: Rollback, what: string): Promise<Deployment> {
  try {
    return await client.get(Deployment, { namespace, name });
  } catch (error) {
    throw hasCode(error, 'NotFound') ? refusal(`${what} is not rolled back: it does not exist`) : error;
  }
}

const refusal = (message: string): PlatformError => new PlatformError('Terminal', message, { retry: 'never' });
