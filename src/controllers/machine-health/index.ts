/**
 * Machine health: evaluates the Machines of each MachineHealthCheck, and requests remediation for unhealthy ones while the gate is open.
 *
 *   Node, Machine, Cluster ─▶ rules (objects alone) ─▶ verdict (at this moment) ─▶ condition HealthCheckSucceeded on the Machine
 *                                                           └─▶ count ─▶ gate ─▶ condition OwnerRemediated, or a request from a template
 *
 * Two reconcilers share the verdicts. Reading order:
 * 1. `targets/`: which Machines a check selects (`parse-check.ts`), and the Node and Cluster of each. `target-list.ts` keeps what was
 *    observed, so that an event costs only the work for its own Machine.
 * 2. `verdict/`: what makes a Machine unhealthy (`health-rules.ts`), and whether it has lasted long enough (`verdict.ts`).
 *    `evaluation-status.ts` answers, for remediators and owners, whether a Machine's health is still evaluated.
 * 3. `machine/`: the reconciler of a Machine. It alone writes HealthCheckSucceeded.
 * 4. `check/`: the reconciler of a check. It counts unhealthy Machines, applies the gate (../../api/machine-health-check/gate.ts) and
 *    plans an action for each Machine (`plan-remediation.ts`), as far as `safeguards/` permit.
 * 5. `requests/`: requesting remediation from the owner or through a template (`request-remediation.ts`), withdrawing the request after
 *    recovery (`withdraw-request.ts`), and the claim on the Machine that keeps two checks from requesting it twice (`claim.ts`).
 * 6. `owners/`: whether a controller is known to act for the owner of a Machine.
 * 7. `other-controllers/`: checks that another controller manages. Those are evaluated and logged, never written.
 * 8. `conditions/`: conditions in both styles of Cluster API. `watches/`: which events enqueue which Machines and checks.
 */
export { LOG_UNMANAGED_CHECK } from './other-controllers/decide-unmanaged-check.ts';
export { createUnmanagedCheckLogger } from './other-controllers/log-unmanaged-check.ts';
export { evaluationStatusOf, type EvaluationStatus } from './verdict/evaluation-status.ts';
export type { Definitions } from './other-controllers/managing-controller.ts';
export { createWorkloadNodes } from './targets/workload-nodes.ts';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../api/machine/machine.ts';
import { JoinedReads, SECOND, type Instant } from '../../base/index.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import type { WorkloadNodes } from '../../workload-clusters/index.ts';
import type { MachineHealthSettings } from '../settings.ts';
import { decideCheck } from './check/decide-check.ts';
import { decideUnmanagedCheck } from './other-controllers/decide-unmanaged-check.ts';
import { decideMachine, type MachineObservation } from './machine/decide-machine.ts';
import { HealthEvaluator } from './verdict/health-evaluator.ts';
import type { ClusterReads } from './targets/node-of-machine.ts';
import { observeCheck, type CheckObservation, type ObserveContext } from './check/observe-check.ts';
import { FullListTimes } from './requests/full-list-times.ts';
import { observeMachine } from './machine/observe-machine.ts';
import { managerOf, keepPausedCondition, type Definitions } from './other-controllers/managing-controller.ts';
import { mapToChecks, mapToMachines, batchDelayOfCheck, type EventMapping } from './watches/map-events.ts';
import { watchesOf } from './watches/watches.ts';

type CheckStatus = MachineHealthCheck['status'];

/** What surrounds the reconcilers. */
export interface MachineHealthOptions {
  /** Called for each Machine that is evaluated again. */
  readonly evaluated?: () => void;
  /** Sickbay's own when absent. */
  readonly definitions?: Definitions | undefined;
  /** The Nodes of other clusters; not reachable when absent. */
  readonly nodes?: WorkloadNodes | undefined;
  /** Whether Sickbay's own owner of MachineSets runs; it does not when absent. */
  readonly keepsMachineSets?: boolean;
}

/** Both reconcilers, which share verdicts. */
export function createMachineHealthControllers(
  settings: () => MachineHealthSettings,
  { evaluated, definitions = 'sickbay', nodes, keepsMachineSets = false }: MachineHealthOptions = {},
): readonly Controller[] {
  const evaluator = new HealthEvaluator(evaluated);
  const fullLists = new FullListTimes();
  const clusters: ClusterReads = new JoinedReads();
  const context = (now: Instant): ObserveContext => ({
    evaluator,
    now,
    annotationRemediates: settings().allowRemediateAnnotation,
    fullLists,
    definitions,
    nodes,
    keepsMachineSets,
    clusters,
  });
  const machine: Controller<MachineObservation> = {
    name: 'machine-health',
    primary: Machine,
    // As many as the client has connections for: nearly all that a pass takes is to write.
    workers: 32,
    ...watchesAndWakes(mapToMachines(evaluator.isCheckedType, nodes), nodes),
    observe: (key, reader, now) => observeMachine(key, reader, context(now)),
    decide: decideMachine,
  };
  const check: Controller<CheckObservation> = {
    name: 'machine-health-check',
    primary: MachineHealthCheck,
    // Changes between two passes are counted once.
    atMostEveryMs: SECOND,
    patienceMs: batchDelayOfCheck,
    ...watchesAndWakes(mapToChecks(evaluator.isCheckedType, nodes), nodes),
    observe: (key, reader, now) => observeCheck(key, reader, context(now)),
    decide(seen, now) {
      const manager = managerOf(seen.object, definitions);
      if (manager !== 'ours') return decideUnmanagedCheck(seen, manager, now);
      const decision = decideCheck(seen, now);
      // Effects on different Machines do not depend on each other.
      return { ...decision, isSplitByName: true, status: keepPausedCondition(decision.status as CheckStatus, seen.object, definitions) };
    },
  };
  return [machine, check] as readonly Controller[];
}

/** Changes of Nodes in other clusters enqueue the same Machines and checks as changes of local Nodes. */
const watchesAndWakes = (mapping: EventMapping, nodes: WorkloadNodes | undefined): Pick<Controller, 'watches' | 'wokenBy'> => ({
  watches: watchesOf(mapping),
  ...(nodes && {
    wokenBy: (wake, related, listed) =>
      nodes.onChange((change) => mapping.nodesElsewhere(change, related, listed).forEach((key) => wake(key, true))),
  }),
});
