import type { PodDisruptionBudget } from '../../kube/builtin/index.ts';
import type { KubeObject } from '../../kube/meta.ts';
import { toTime } from '../../base/index.ts';
import { labelRequirements, matchesLabels } from '../../kube/selectors/index.ts';
import { draftOf, type Stored, type Work } from '../object.ts';
import { keyIn, type Server } from '../server.ts';
import { budgetIsSpent, budgetIsUnknown, forbidden, unclassified } from '../status-errors.ts';

const TABLE = 'policy/poddisruptionbudgets';
const NAMED = { group: 'policy', kind: 'PodDisruptionBudget', plural: 'poddisruptionbudget' };

type Budget = Stored & PodDisruptionBudget;

/** Takes one disruption from the PodDisruptionBudget of a pod, if it has one; throws when none is left. Controllers count the budgets. */
export function claimDisruption(server: Server, pod: Stored, dryRun: boolean): Promise<void> | undefined {
  const [budget, ...others] = budgetsOver(server, pod);
  if (!budget) return undefined;
  if (others.length > 0)
    throw unclassified('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
  if (isExempt(pod, budget)) return undefined;
  checkAllowed(budget);
  if (dryRun) return undefined;
  const { namespace, name } = budget.metadata;
  const object = lessOne(server, budget, pod.metadata.name);
  return server.store.commit({ table: server.store.table(TABLE), key: keyIn(namespace, name), object }).durable;
}

/** A selector that is empty selects every pod that has a label at all. */
function budgetsOver({ store }: Server, { metadata: { namespace, labels = {} } }: Stored): readonly Budget[] {
  const table = store.table(TABLE);
  const all = Object.keys(labels).length > 0 ? table.keys(namespace).flatMap((key) => store.latest(table, key) ?? []) : [];
  return (all as readonly KubeObject[] as readonly Budget[]).filter(
    ({ spec }) => spec.selector !== undefined && matchesLabels(labelRequirements(spec.selector), labels),
  );
}

/** A pod that is not ready may be evicted when enough others are healthy, or always where the budget allows it. */
function isExempt(pod: Stored, { spec, status: { currentHealthy = 0, desiredHealthy = 0 } = {} }: Budget): boolean {
  const { conditions = [] } = (pod['status'] ?? {}) as NonNullable<PodDisruptionBudget['status']>;
  if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) return false;
  return spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' || (desiredHealthy > 0 && currentHealthy >= desiredHealthy);
}

function checkAllowed({ metadata: { name, generation = 0 }, status = {} }: Budget): void {
  const { disruptionsAllowed = 0, observedGeneration = 0 } = status;
  if (observedGeneration < generation) throw budgetIsUnknown(name);
  if (disruptionsAllowed < 0) throw forbidden(NAMED, name, 'pdb disruptions allowed is negative');
  if (disruptionsAllowed === 0) throw budgetIsSpent(name, status);
}

function lessOne({ clock }: Server, budget: Budget, pod: string): Work {
  const now = toTime(clock.now());
  const { disruptionsAllowed = 0, disruptedPods = {}, conditions = [], ...rest } = budget.status ?? {};
  const left = disruptionsAllowed - 1;
  const spent = { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods', message: '' };
  const observedGeneration = rest.observedGeneration ?? 0;
  const others = conditions.filter(({ type }) => type !== spent.type);
  const newConditions = left > 0 ? conditions : [...others, { ...spent, observedGeneration, lastTransitionTime: now }];
  const status = { ...rest, disruptionsAllowed: left, disruptedPods: { ...disruptedPods, [pod]: now }, conditions: newConditions };
  return { ...draftOf(budget), status };
}
