import { ConfigMap } from '../../src/api/builtin/index.ts';
import { keyOf, type Draft } from '../../src/api/meta.ts';
import { hasCode } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/kube/client/client.ts';
import { carryOut } from '../change.ts';
import { shaped } from '../environment.ts';
import { notMet } from '../refusal.ts';
import { nameOf, targetOf } from '../target.ts';
import type { Workflow } from '../workflow.ts';
import { planRestore, sameContent, VERSION_OF } from './plan.ts';

const NAME = /^[a-z0-9][a-z0-9.-]{0,252}$/;

/** The workflow `restore-configmap`: gives a ConfigMap the content of one of its kept versions. */
export const restoreConfigMap: Workflow = async (client, env, how) => {
  const target = targetOf(env, ['ConfigMap']);
  const source = shaped(env, 'SOURCE', NAME) ?? `${target.name}-last-good`;
  return carryOut({
    client,
    resource: ConfigMap,
    target,
    workflow: 'restore-configmap',
    done: 'restored',
    how,
    plan: async (current) => {
      const version = await versionNamed(client, target.namespace, source);
      if (!version) throw notMet(`${nameOf(target)} is not restored: there is no ConfigMap ${target.namespace}/${source} to restore from`);
      return planRestore(current, version, (copy) => keep(client, copy));
    },
  });
};

async function versionNamed(client: KubeClient, namespace: string, name: string): Promise<ConfigMap | undefined> {
  try {
    return await client.get(ConfigMap, { namespace, name });
  } catch (error) {
    if (hasCode(error, 'NotFound')) return undefined;
    throw error;
  }
}

async function keep(client: KubeClient, copy: Draft<ConfigMap>): Promise<void> {
  try {
    await client.create(ConfigMap, copy);
  } catch (error) {
    if (!hasCode(error, 'AlreadyExists')) throw error;
    const found = await client.get(ConfigMap, keyOf(copy));
    const isIt = sameContent(found, copy) && found.metadata.annotations?.[VERSION_OF] === copy.metadata.annotations?.[VERSION_OF];
    if (!isIt) throw notMet(`ConfigMap ${found.metadata.name}, which would keep the former content, belongs to something else`);
  }
}
