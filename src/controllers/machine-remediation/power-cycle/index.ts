/**
 * The power-cycle remediator: acts on PowerCycleRemediation, which a MachineHealthCheck creates for an unhealthy Machine, by switching its host off and
 * on through its management controller (room `redfish`).
 *
 *   pending ─▶ power-off ─▶ freeing ─▶ power-on ─▶ waiting ─▶ backoff ─▶ power-off …          the check deletes the request when the Node is healthy
 *                                                               └─▶ escalated                 with the strategy `escalate`, after the retries
 *
 * Reading order:
 * - `decide.ts` dispatches on the phase; `observe.ts` is the only reader; `observed.ts` are the types that they share.
 * - `eligibility.ts` decides whether the Machine may be power-cycled at all.
 * - `attempt/` is one attempt: `start-attempt.ts` (what must hold first), `attempt-phases.ts` (off, freeing, on, waiting), `cancel-attempt.ts`,
 *   `failed-attempt.ts` (retry or escalate), `restore-power.ts` (a host that was switched off must be seen on again before anything ends),
 *   `out-of-service.ts` (the taint that frees workloads) and `wrong-host.ts` (the Secret points to the host of another Machine).
 * - `decide-deletion.ts` is what is undone before a deleted request goes.
 * - `host/` is the host and its management controller: `power-command.ts` is recorded in status before `power-calls.ts` sends it;
 *   `host-identity.ts` decides which host it is, `bmc-secret.ts` how it is reached.
 * - `budget/` is the request's claim in the action budget.
 * - `clamp-timestamps.ts` corrects times in the future after a clock was set back.
 */
import { ConfigMap } from '../../../api/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { keyOf, keyText, type ObjectKey } from '../../../api/meta.ts';
import { PowerCycleRemediation } from '../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { sameJson } from '../../../base/index.ts';
import type { Controller, Watch } from '../../../runtime/reconcile/controller.ts';
import type { BmcClient } from '../../../redfish/index.ts';
import { LEDGER_SELECTOR } from '../../budget/index.ts';
import type { Definitions } from '../../machine-health/index.ts';
import type { WorkloadNodes } from '../../../workload-clusters/index.ts';
import type { SettingsSource } from '../../settings.ts';
import { BY_BUDGET_ROLE, powerCycleBudgetRole, WAITING_FOR_BUDGET } from './budget/budget-claims.ts';
import { decide } from './decide.ts';
import { observe } from './observe.ts';
import type { CommandFailures } from './host/command-failures.ts';
import type { PowerCycleSeen } from './observed.ts';

export { POWER_CALL } from './host/power-command.ts';
export { createPowerCalls } from './host/power-calls.ts';
export { CommandFailures } from './host/command-failures.ts';

/** The name of the controller. Management controllers may answer slowly, so that it needs many workers. */
export const POWER_CYCLE = 'power-cycle';
export const POWER_CYCLE_WORKERS = 32;

const BY_MACHINE = 'machine';

export interface PowerCycleDeps {
  readonly settings: SettingsSource;
  /** Reads and switches hosts. */
  readonly bmc: BmcClient;
  /** Shared with the handler of power commands. */
  readonly failures: CommandFailures;
  /** Whether a Cluster object represents the cluster that Sickbay runs in, undefined while that is not known; none does when absent. */
  readonly isLocalCluster?: ((cluster: ObjectKey) => boolean | undefined) | undefined;
  /** Nodes of other clusters, as the health checks read them; taken to be readable when absent. */
  readonly nodeOf?: WorkloadNodes['get'] | undefined;
  /** Which controller's MachineHealthChecks evaluate Machines; Sickbay's when absent. */
  readonly definitions?: Definitions;
}

/** Power-cycles the hosts of unhealthy Machines; `createPowerCalls` belongs to it. */
export function createPowerCycleController(deps: PowerCycleDeps): Controller<PowerCycleSeen> {
  const { settings, bmc, failures, isLocalCluster = () => false, nodeOf, definitions = 'sickbay' } = deps;
  const { namespace } = settings();
  const requests: Watch<PowerCycleRemediation> = {
    resource: PowerCycleRemediation,
    indexes: { [BY_MACHINE]: (request) => [keyText(keyOf(request))], [BY_BUDGET_ROLE]: powerCycleBudgetRole },
    keys: (request) => [keyOf(request)],
  };
  const machines: Watch<Machine> = {
    resource: Machine,
    keys: (machine, related) => related(PowerCycleRemediation, { index: BY_MACHINE, value: keyText(keyOf(machine)) }),
    concerns: (before, now) => !sameJson(watchedState(before), watchedState(now)),
  };
  const ledger: Watch<ConfigMap> = {
    resource: ConfigMap,
    namespace,
    labelSelector: LEDGER_SELECTOR,
    keys: (_, related) => related(PowerCycleRemediation, WAITING_FOR_BUDGET),
  };
  return {
    name: POWER_CYCLE,
    primary: PowerCycleRemediation,
    watches: [requests, machines, ledger] as readonly Watch[],
    observe: (key, reader, now) => observe(key, reader, { now, settings: settings(), bmc, failures, isLocalCluster, nodeOf, definitions }),
    decide,
  };
}

const watchedState = ({ metadata, status }: Machine): unknown => [
  ...(status?.conditions ?? []).flatMap((one) => (one.type === 'HealthCheckSucceeded' ? [one.status, one.lastTransitionTime] : [])),
  status?.conditions?.find(({ type }) => type === 'ExternallyRemediated')?.message,
  metadata.annotations,
  metadata.deletionTimestamp,
];
