import { Pod } from '../../api/builtin/index.ts';
import { hasCode, messageOf, type Logger } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { CallHandler, Effect } from '../../runtime/index.ts';

/** The handler that asks the server to let a pod go. */
export const EVICT_POD = 'evict-pod';

interface Order {
  readonly namespace: string;
  readonly name: string;
}

/** Asks for exactly this pod, never for one that took its name since. */
export const evict = ({ metadata: { namespace = '', name, uid } }: Pod): Effect => ({
  kind: 'Call',
  run: EVICT_POD,
  key: uid,
  input: { namespace, name } satisfies Order,
});

/**
 * Evicts a pod as its disruption budget allows. A refusal is no failure: the next look asks again, until patience ends. The server answers
 * with an internal error where a pod has several budgets, which it cannot weigh: that is a refusal too.
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
      if (!NOT_NOW.some((code) => hasCode(error, code))) throw error;
      log.debug('a pod does not leave yet', { pod: `${namespace}/${name}`, why: messageOf(error) });
    }
  };

const NOT_NOW = ['NotFound', 'Conflict', 'TooManyRequests', 'Internal'] as const;
