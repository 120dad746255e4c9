import { Pod } from '../../../api/builtin/index.ts';
import { hasCode, messageOf, type Logger } from '../../../base/index.ts';
import type { KubeClient } from '../../../kube/client/client.ts';
import { ApiError } from '../../../kube/client/errors.ts';
import type { CallHandler, Effect } from '../../../runtime/index.ts';

/** The name of the handler that evicts a pod. */
export const EVICT_POD = 'evict-pod';

interface Order {
  readonly namespace: string;
  readonly name: string;
}

/** Evicts exactly this pod, never a later one with the same name. */
export const evictEffect = ({ metadata: { namespace = '', name, uid } }: Pod): Effect => ({
  kind: 'Call',
  run: EVICT_POD,
  key: uid,
  input: { namespace, name } satisfies Order,
});

/**
 * Evicts a pod as its disruption budget allows. A refusal is no failure: the next pass tries again until the drain timeout, and the pods after it
 * are evicted all the same. The server answers with an internal error where a pod has several budgets, which it cannot weigh: that is a refusal
 * too. What says nothing about this one pod is a failure: no answer, a server in trouble, an account that it does not know.
 */
export const createEvictPod =
  ({ client, log }: { readonly client: KubeClient; readonly log: Logger }): CallHandler =>
  async ({ key: uid, input }, signal) => {
    const { namespace, name } = input as Order;
    const body = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace },
      deleteOptions: { preconditions: { uid } },
    };
    try {
      await client.subresource(Pod, { namespace, name }, { name: 'eviction', body }, { signal });
    } catch (error) {
      const said = { pod: `${namespace}/${name}`, why: messageOf(error) };
      if (NOT_NOW.some((code) => hasCode(error, code))) log.debug('a pod is not evicted yet', said);
      else if (isDenied(error))
        log.warn('the eviction of a pod is denied: remove the cause, or its Node is deleted with the pod after drainTimeout', said);
      else throw error;
    }
  };

const NOT_NOW = ['NotFound', 'Conflict', 'TooManyRequests', 'Internal'] as const;

/** Denied by a webhook or for lack of permission: an operator has to act. */
const isDenied = (error: unknown): boolean =>
  error instanceof ApiError && error.httpCode >= 400 && error.httpCode < 500 && error.httpCode !== 401;
