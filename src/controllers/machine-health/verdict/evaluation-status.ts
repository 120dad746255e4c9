import { Cluster } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { Condition } from '../../../api/meta.ts';
import { getCondition, isTrue } from '../../../kube/objects/conditions.ts';
import type { Listed, Read } from '../../../kube/client/read.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { claimOf } from '../requests/claim.ts';
import { clusterNameOf, targetCluster } from '../targets/cluster-of-machine.ts';
import { whyClusterNotReady } from './health-rules.ts';
import { selectsMachine, isCheckActive, parseCheck, parseCheckSelector } from '../targets/parse-check.ts';
import { isPausedForSickbay, managerOf, type Definitions } from '../other-controllers/managing-controller.ts';

/** Whether a check still evaluates a Machine. While none does the Machine may have recovered unnoticed, so no remediation may start. */
export type EvaluationStatus =
  | { readonly kind: 'renewed' }
  /** No check evaluates it: it is paused, or no check can. */
  | { readonly kind: 'held'; readonly reason: 'Paused' | 'NotJudged'; readonly why: string }
  /** Not known, since a read failed. */
  | { readonly kind: 'unreadable'; readonly why: string };

const RENEWED: EvaluationStatus = { kind: 'renewed' };

/** From live reads, for actions that cannot be undone. The check in the claim counts; without a claim, all checks that select the Machine. */
export async function evaluationStatusOf(
  machine: Machine,
  reader: Pick<Reader, 'fetch' | 'fetchList'>,
  definitions: Definitions,
): Promise<EvaluationStatus> {
  const cluster = await readCluster(machine, reader);
  if (cluster.kind === 'unreadable') return unreadable(`whether Cluster ${clusterNameOf(machine)} is paused`, cluster.reason);
  const byCluster = heldByCluster(machine, cluster);
  if (byCluster) return byCluster;
  const checks = await readChecks(machine, reader, definitions);
  if (checks.kind === 'unreadable') return unreadable('whether its MachineHealthCheck is paused', checks.reason);
  const holding = checks.value.map((check) => heldBy(check, definitions));
  const [first = held('NotJudged', 'no MachineHealthCheck selects it')] = holding;
  return holding.includes(undefined) ? RENEWED : first;
}

const held = (reason: 'Paused' | 'NotJudged', what: string): EvaluationStatus => ({
  kind: 'held',
  reason,
  why: `${what}: the health of the Machine is not evaluated, so no remediation starts`,
});
const unreadable = (what: string, reason: string): EvaluationStatus => ({ kind: 'unreadable', why: `${what} cannot be read: ${reason}` });

/** While its Cluster is paused or not up, no check evaluates the Machine. */
function heldByCluster(machine: Machine, read: Read<Cluster>): EvaluationStatus | undefined {
  if (read.kind === 'value' && read.value.spec?.paused === true) return held('Paused', `Cluster ${read.value.metadata.name} is paused`);
  const why = whyClusterNotReady({ machine, cluster: targetCluster(clusterNameOf(machine), read) });
  return why === undefined ? undefined : held('NotJudged', why);
}

/** Undefined where the check evaluates its Machines. Whether another controller's check is valid is for that controller to report. */
function heldBy(check: MachineHealthCheck, definitions: Definitions): EvaluationStatus | undefined {
  const name = `MachineHealthCheck ${check.metadata.name}`;
  if (isPaused(check, definitions)) return held('Paused', `${name} is paused`);
  if (!isCheckActive(check)) return held('NotJudged', `${name} is being deleted`);
  if (managerOf(check, definitions) === 'ours' && !isCarriedOut(check))
    return held('NotJudged', `${name} has an invalid spec: see its condition ConfigurationValid`);
  return undefined;
}

const conditionsOf = ({ status }: MachineHealthCheck) => status?.conditions as readonly Condition[] | undefined;

/** Until the check itself reports that its pause ended, it has not evaluated again. Where Cluster API writes `Paused`, only the annotation counts. */
const isPaused = (check: MachineHealthCheck, definitions: Definitions): boolean =>
  isPausedForSickbay(check, definitions) || (definitions === 'sickbay' && isTrue(conditionsOf(check), 'Paused'));

/** Likewise, a corrected check has not evaluated again until it reports a valid spec. */
const isCarriedOut = (check: MachineHealthCheck): boolean =>
  parseCheck(check).kind === 'valid' && getCondition(conditionsOf(check), 'ConfigurationValid')?.status !== 'False';

async function readCluster(machine: Machine, reader: Pick<Reader, 'fetch'>): Promise<Read<Cluster>> {
  const name = clusterNameOf(machine);
  return name === '' ? { kind: 'absent' } : reader.fetch(Cluster, { namespace: machine.metadata.namespace ?? '', name });
}

async function readChecks(
  machine: Machine,
  reader: Pick<Reader, 'fetch' | 'fetchList'>,
  definitions: Definitions,
): Promise<Listed<MachineHealthCheck>> {
  const { namespace = '' } = machine.metadata;
  const name = claimOf(machine)?.check;
  const asking = name === undefined ? undefined : await reader.fetch<MachineHealthCheck>(MachineHealthCheck, { namespace, name });
  if (asking?.kind === 'unreadable') return asking;
  if (asking?.kind === 'value' && isAboutIt(asking.value, machine)) return { kind: 'value', value: [asking.value] };
  const listed = await reader.fetchList<MachineHealthCheck>(MachineHealthCheck, { namespace });
  if (listed.kind === 'unreadable') return listed;
  const about = listed.value.filter((check) => isAboutIt(check, machine));
  return { kind: 'value', value: whoSpeak(about, definitions) };
}

/** Where another controller manages one of the checks, only those checks write conditions of the Machine. */
function whoSpeak(about: readonly MachineHealthCheck[], definitions: Definitions): readonly MachineHealthCheck[] {
  const theirs = about.filter((check) => managerOf(check, definitions) !== 'ours');
  return theirs.length > 0 ? theirs : about;
}

function isAboutIt(check: MachineHealthCheck, machine: Machine): boolean {
  const scope = parseCheckSelector(check);
  return scope.kind === 'valid' && selectsMachine(scope, machine);
}
