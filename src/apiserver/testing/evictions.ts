import type { ApiRequest } from '../../kube/client/transport.ts';
import type { Query } from './harness.ts';

/** Pods, disruption budgets for them, and an eviction, on any server. */
export interface EvictionCase {
  readonly reason: string;
  readonly pods?: readonly PodSketch[];
  /** Specs of budgets by name; their selectors are filled in. */
  readonly budgets?: Readonly<Record<string, object>>;
  readonly body?: unknown;
  readonly query?: Query;
  readonly method?: ApiRequest['method'];
  /** Which pod; `web-0` when absent. */
  readonly pod?: string;
}

export interface PodSketch {
  readonly phase?: 'Running' | 'Pending' | 'Succeeded' | 'Failed';
  readonly ready?: boolean;
  readonly finalizers?: readonly string[];
}

const UP: PodSketch = { phase: 'Running', ready: true };
const eviction = (more: object = {}, metadata: object = { name: 'web-0' }): object => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata,
  ...more,
});

/** What the two servers must agree on. */
export const EVICTIONS: readonly EvictionCase[] = [
  { reason: 'no budget' },
  { reason: 'a body that says only whom', body: { metadata: { name: 'web-0' } } },
  { reason: 'a budget with room', pods: [UP, UP], budgets: { web: { minAvailable: 1 } } },
  { reason: 'a budget with more room', pods: [UP, UP, UP], budgets: { web: { minAvailable: 1 } } },
  { reason: 'a budget without room', budgets: { web: { minAvailable: 1 } } },
  {
    reason: 'a budget without room, and a pod that is held',
    pods: [{ ...UP, finalizers: ['x.y/z'] }],
    budgets: { web: { minAvailable: 1 } },
  },
  { reason: 'a pod that is held', pods: [{ ...UP, finalizers: ['x.y/z'] }] },
  { reason: 'two budgets', budgets: { one: { minAvailable: 0 }, other: { minAvailable: 0 } } },
  { reason: 'two budgets over a pod that has not begun', pods: [{}], budgets: { one: { minAvailable: 1 }, other: { minAvailable: 1 } } },
  ...(['Pending', 'Succeeded', 'Failed'] as const).map((phase) => ({
    reason: `a pod that is ${phase} under a budget without room`,
    pods: [{ phase }],
    budgets: { web: { minAvailable: 1 } },
  })),
  { reason: 'a pod that is not ready, too few others', pods: [{ phase: 'Running' }], budgets: { web: { minAvailable: 1 } } },
  { reason: 'a pod that is not ready, enough others', pods: [{ phase: 'Running' }, UP], budgets: { web: { minAvailable: 1 } } },
  { reason: 'a pod that is not ready, none needed', pods: [{ phase: 'Running' }], budgets: { web: { minAvailable: 0 } } },
  {
    reason: 'a pod that is not ready and may always go',
    pods: [{ phase: 'Running' }],
    budgets: { web: { minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
  },
  {
    reason: 'a pod that is ready where others may always go',
    budgets: { web: { minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
  },
  { reason: 'tried dry by the query', query: { dryRun: 'All' } },
  { reason: 'tried dry by its options', body: eviction({ deleteOptions: { dryRun: ['All'] } }) },
  { reason: 'tried dry under a budget with room', pods: [UP, UP], budgets: { web: { minAvailable: 1 } }, query: { dryRun: 'All' } },
  { reason: 'tried dry under a budget without room', budgets: { web: { minAvailable: 1 } }, query: { dryRun: 'All' } },
  { reason: 'another UID', body: eviction({ deleteOptions: { preconditions: { uid: 'older' } } }) },
  { reason: 'another UID, tried dry', body: eviction({ deleteOptions: { dryRun: ['All'], preconditions: { uid: 'older' } } }) },
  { reason: 'another version', body: eviction({ deleteOptions: { preconditions: { resourceVersion: '1' } } }) },
  { reason: 'no such pod', pod: 'none', body: eviction({}, { name: 'none' }) },
  { reason: 'another name', body: eviction({}, { name: 'other' }) },
  { reason: 'no name', body: eviction({}, {}) },
  { reason: 'another namespace', body: eviction({}, { name: 'web-0', namespace: 'default' }) },
  { reason: 'another kind', body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-0' } } },
  { reason: 'no object', body: [] },
  { reason: 'a dry run that is none', query: { dryRun: 'Some' } },
  ...(['GET', 'PUT', 'DELETE'] as const).map((method) => ({ reason: `${method} instead of POST`, method })),
];

/** The body to send: by default an eviction of `web-0`. */
export const bodyOf = ({ body = eviction(), method = 'POST' }: EvictionCase): unknown =>
  method === 'GET' || method === 'DELETE' ? undefined : body;

/** The pods to create: by default one that is ready. */
export const podsOf = ({ pods = [UP] }: EvictionCase): readonly PodSketch[] => pods;

/** The pod of a sketch, and its status. */
export function podOf({ phase = 'Pending', ready = false, finalizers }: PodSketch, nth: number) {
  const metadata = { name: `web-${nth}`, labels: { app: 'web' }, ...(finalizers && { finalizers }) };
  const draft = { metadata, spec: { containers: [{ name: 'web', image: 'web:1' }], terminationGracePeriodSeconds: 0 } };
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2026-01-01T00:00:00Z' }];
  return { draft, status: { phase, conditions } };
}
