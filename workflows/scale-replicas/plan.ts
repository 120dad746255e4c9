import type { HorizontalPodAutoscaler } from '../../src/api/builtin/index.ts';
import type { Plan } from '../change.ts';
import { nameOf, type Target } from '../target.ts';
import type { Workload } from '../workloads.ts';

/** From one replica, so that no workload is ever scaled to zero, to the most that one run may set. */
export const REPLICAS = { least: 1, most: 50 } as const;

/** What the plan is made for. */
export interface ScaleOrder {
  readonly target: Target;
  readonly replicas: number;
}

/** How the workload gets the number of replicas. */
export function planScale(workload: Workload, autoscalers: readonly HorizontalPodAutoscaler[], { target, replicas }: ScaleOrder): Plan {
  const before = workload.spec.replicas ?? 1;
  if (before === 0) return { kind: 'refused', why: 'it has no replicas, and may be scaled to zero on purpose; scale it by hand if not' };
  const autoscaler = autoscalers.find(({ spec }) => spec.scaleTargetRef.kind === target.kind && spec.scaleTargetRef.name === target.name);
  if (autoscaler)
    return {
      kind: 'refused',
      why: `HorizontalPodAutoscaler ${autoscaler.metadata.name} sets the replicas of ${nameOf(target)}; change its bounds instead`,
    };
  if (before === replicas) return { kind: 'already', why: `already has ${replicas} replicas` };
  return {
    kind: 'change',
    operations: [{ op: 'add', path: '/spec/replicas', value: replicas }],
    did: `scaled from ${before} to ${replicas} replicas`,
    undo: { workflow: 'scale-replicas', parameters: { REPLICAS: String(before) } },
  };
}
