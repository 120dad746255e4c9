/**
 * Machine health: which Machines fail their check, and asking somebody to mend them while not too many do.
 *
 *   Node, Machine, Cluster ─▶ prognosis (objects alone) ─▶ verdict (at this moment) ─▶ HealthCheckSucceeded on the Machine
 *                                                              └─▶ headcount ─▶ gate ─▶ OwnerRemediated, or a request from a template
 *
 * - `prognosis.ts` and `verdict.ts` are the rules of what is unhealthy; `judge.ts` remembers prognoses and `roll.ts` who
 *   is well, so that an event costs its own Machine.
 * - `decide-machine.ts` is the reconciler of a Machine: it alone says whether it is healthy.
 * - `decide-check.ts` is the reconciler of a check: it counts and holds the gate (../../api/machine-health-check/gate.ts). `courses.ts` is what
 *   becomes of each Machine: who is on record goes on, others begin as far as `safeguards/` allow. It alone asks for remediation (`hand-out.ts`)
 *   and takes that back (`take-back.ts`); `claim.ts` is who was asked, as the Machine says it, `held-elsewhere.ts` as other checks do;
 *   `template-available.ts` whether there is what requests are made from. It deletes nothing but the requests that it made.
 * - `whose-check.ts` is on which checks we work; `decide-observed.ts` what we do about the others: tell of them.
 * - `renewal.ts` is whether anybody still says how a Machine is, for those who act on what it says.
 * - `watches.ts` and `waking.ts` are who is woken by what; `read-check.ts` which Machines a check is about; `statement.ts` writes conditions in both styles of Cluster API.
 * Start with prognosis.ts.
 */
export { TELL_OBSERVED } from './decide-observed.ts';
export { createTellObserved } from './tell-observed.ts';
export { renewalOf, type Renewal } from './renewal.ts';
export type { Definitions } from './whose-check.ts';
export { createWorkloadNodes } from './workload-nodes.ts';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../api/machine/machine.ts';
import { JoinedReads, SECOND, type Instant } from '../../base/index.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import type { WorkloadNodes } from '../../workload-clusters/index.ts';
import type { MachineHealthSettings } from '../settings.ts';
import { decideCheck } from './decide-check.ts';
import { decideObserved } from './decide-observed.ts';
import { decideMachine, type MachineSeen } from './decide-machine.ts';
import { Judge, type ClusterReads } from './judge.ts';
import { observeCheck, type CheckSeen, type How } from './observe-check.ts';
import type { Sweeps } from './observe-requests.ts';
import { observeMachine } from './observe-machine.ts';
import { whoseCheck, withTheirWord, type Definitions } from './whose-check.ts';
import { checkWaking, machineWaking, patienceOfCheck, type Waking } from './waking.ts';
import { watchesOf } from './watches.ts';

type CheckStatus = MachineHealthCheck['status'];

/** Both reconcilers, which judge alike. `evaluated` is told of every Machine that had to be looked at anew; `nodes` are those of other clusters. */
export function createMachineHealthControllers(
  settings: () => MachineHealthSettings,
  evaluated?: () => void,
  definitions: Definitions = 'sickbay',
  nodes?: WorkloadNodes,
): readonly Controller[] {
  const judge = new Judge(evaluated);
  const sweeps: Sweeps = new Map();
  const clusters: ClusterReads = new JoinedReads();
  const how = (now: Instant): How => ({
    judge,
    now,
    annotationRemediates: settings().allowRemediateAnnotation,
    sweeps,
    definitions,
    nodes,
    clusters,
  });
  const machine: Controller<MachineSeen> = {
    name: 'machine-health',
    primary: Machine,
    // As many as the client has connections for: nearly all that a pass takes is to write.
    workers: 32,
    ...wokenAs(machineWaking(judge.isAsked, nodes), nodes),
    observe: (key, reader, now) => observeMachine(key, reader, how(now)),
    decide: decideMachine,
  };
  const check: Controller<CheckSeen> = {
    name: 'machine-health-check',
    primary: MachineHealthCheck,
    // What changes between two passes is counted once.
    atMostEveryMs: SECOND,
    patienceMs: patienceOfCheck,
    ...wokenAs(checkWaking(judge.isAsked, nodes), nodes),
    observe: (key, reader, now) => observeCheck(key, reader, how(now)),
    decide(seen, now) {
      const whose = whoseCheck(seen.object, definitions);
      if (whose !== 'ours') return decideObserved(seen, whose, now);
      const decision = decideCheck(seen, now);
      // What is done about one Machine has nothing to do with another.
      return { ...decision, isSplitByName: true, status: withTheirWord(decision.status as CheckStatus, seen.object, definitions) };
    },
  };
  return [machine, check] as readonly Controller[];
}

/** Nodes of other clusters wake like those of ours. */
const wokenAs = (waking: Waking, nodes: WorkloadNodes | undefined): Pick<Controller, 'watches' | 'wokenBy'> => ({
  watches: watchesOf(waking),
  ...(nodes && {
    wokenBy: (wake, related, listed) =>
      nodes.onChange((change) => waking.elsewhere(change, related, listed).forEach((key) => wake(key, true))),
  }),
});
