import { Node } from '../../src/api/builtin/index.ts';
import { carryOut } from '../change.ts';
import { given, required, shaped, yesOrNo, type Environment } from '../environment.ts';
import { invalidParameter } from '../refusal.ts';
import { targetOf } from '../target.ts';
import type { Workflow } from '../workflow.ts';
import { CORDON, planNode, type OpenOrder } from './plan.ts';
import { EFFECTS, isOfTheCluster, parseTaint, type Taint } from './taints.ts';

const KEY = /^[A-Za-z0-9][A-Za-z0-9./_-]{0,252}$/;

/** The workflow `uncordon-node`: uncordons a healthy node, and removes a taint. */
export const uncordonNode: Workflow = async (client, env, how) => {
  const target = targetOf(env, ['Node']);
  const order = orderOf(env);
  return carryOut({
    client,
    resource: Node,
    target,
    workflow: 'uncordon-node',
    done: 'opened',
    how,
    plan: (node) => planNode(node, order),
  });
};

function orderOf(env: Environment): OpenOrder {
  const restore = given(env, 'RESTORE');
  if (restore !== undefined) return closing(restore.split(','));
  const uncordon = given(env, 'UNCORDON') === undefined || yesOrNo(env, 'UNCORDON');
  const key = shaped(env, 'TAINT_KEY', KEY);
  if (key === undefined && !uncordon) throw invalidParameter('UNCORDON is false and TAINT_KEY is not set, so there is nothing to do');
  if (key !== undefined && isOfTheCluster(key))
    throw invalidParameter(`TAINT_KEY is ${key}, a taint that the cluster itself sets and removes`);
  const effect = given(env, 'TAINT_EFFECT') === undefined ? undefined : required(env, 'TAINT_EFFECT', EFFECTS);
  return { kind: 'open', uncordon, ...(key === undefined ? {} : { taint: { key, effect } }) };
}

function closing(parts: readonly string[]): OpenOrder {
  const taints = parts.filter((part) => part !== CORDON).map(taint);
  if (new Set(taints.map(({ key }) => key)).size > 1)
    throw invalidParameter('RESTORE has taints of several keys; one run restores one key');
  return { kind: 'close', cordon: parts.includes(CORDON), taints };
}

function taint(text: string): Taint {
  const parsed = parseTaint(text);
  if (!parsed || isOfTheCluster(parsed.key))
    throw invalidParameter(`RESTORE has ${JSON.stringify(text)}; it must be ${CORDON} or a taint such as dedicated=gpu:NoSchedule`);
  return parsed;
}
