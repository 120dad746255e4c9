import { overallScore } from '../../api/effectiveness-assessment/overall-score.ts';
import { SECOND, type Instant } from '../../base/index.ts';
import { fires } from './alerts.ts';
import type { Check, Components, Ended } from './ended.ts';
import { hasHealth, type Deed } from './plot.ts';
import { NODE_WORTH, WORTH } from './pods.ts';
import { clockError } from './timing.ts';
import { SETTINGS } from './world.ts';

/** From when on something may have been looked at; clocks that were set may have been off. */
const sinceThen = ({ simulation }: Ended, moment: Instant): number => moment - SECOND - clockError(simulation);

/** A score is one that the pods, or the Node, were really worth; nothing else has one. */
export const health: Check = (ended, { assessmentReason }, { healthAssessed, healthScore }) => {
  const { workload } = ended;
  if (healthScore === undefined) return isClaimed('health', healthAssessed, !hasHealth(workload));
  if (assessmentReason === 'Unrecoverable' && healthScore === 0) return undefined;
  const seen = workload.kind === 'Node' ? worthOfNode(ended) : worthOfPods(ended);
  return hasHealth(workload) && seen.includes(healthScore) ? undefined : `its health ${healthScore} was never so: ${seen.join(', ')}`;
};

const worthOfPods = (ended: Ended): readonly number[] => statesOf(ended).map((state) => WORTH[state]);

const statesOf = (ended: Ended) => ended.facts.pods.during(sinceThen(ended, ended.due.check), ended.simulation.time.now());

/** After these a Node has not reported yet. */
const SILENT_AFTER: readonly Deed[] = ['remove', 'replace', 'replaceEdited', 'revert'];
/** These cordon it. */
const CORDONS: readonly Deed[] = ['edit', 'replaceEdited'];

function worthOfNode(ended: Ended): readonly number[] {
  const { workload, order, due, simulation, facts } = ended;
  const did = (deeds: readonly Deed[]): boolean => workload.deeds.some(({ to }) => deeds.includes(to));
  const calmMs = facts.pods.longest((state) => NODE_WORTH[state] === 1, simulation.time.now());
  const isSettled = calmMs + SECOND + clockError(simulation) >= order.stabilizeMs;
  const all = statesOf(ended).map((state) => NODE_WORTH[state]);
  const seen = all.filter((worth) => worth < 1 || isSettled);
  // One that never was without a fault for the stabilization window before the deadline has 0.
  const isLate = simulation.time.now() + order.stabilizeMs + clockError(simulation) >= due.deadline;
  return [...seen, ...(did(CORDONS) && all.includes(1) ? [0.5] : []), ...(did(SILENT_AFTER) || isLate ? [0] : [])];
}

/** A score is what Alertmanager really said, when it might be asked. */
export const alert: Check = (ended, { assessmentReason }, { alertAssessed, alertScore, healthScore }) => {
  const { plot, workload, order, facts, due } = ended;
  const isOff = plot.alertmanager === 'off' || !order.isNamed;
  // One that resolved is no evidence while the target is unhealthy.
  if (alertScore === undefined) return isClaimed('alert', alertAssessed, isOff || healthScore === 0);
  if (isOff) return `its alert has the score ${alertScore} though there was nobody to ask`;
  // Who asks while the same is being asked has the answer to that.
  const since = sinceThen(ended, due.alert) - SETTINGS.external.connectionTimeoutMs;
  const answers = facts.alertAnswers.filter((at) => at >= since);
  const isSaid = answers.some((at) => fires(workload, facts.alert.at(at) ?? 'silent') === (alertScore === 0));
  if (!isSaid) return `its alert has the score ${alertScore} though nobody ever said so`;
  const isTooHard = alertScore === 0 && (healthScore ?? 0) > 0 && assessmentReason !== 'AlertDecayTimeout';
  return isTooHard ? 'its alert was called firing before it had time to clear' : undefined;
};

/** A score is how much better they really were, and all of them were told. */
export const metrics: Check = (ended, _, { metricsAssessed, metricsScore }) => {
  const { plot, workload, facts, due } = ended;
  const { better } = workload.metrics;
  const isOff = plot.prometheus === 'off' || workload.kind === 'Rollout';
  if (metricsScore === undefined) return isClaimed('metrics', metricsAssessed, isOff || better === 'zero');
  const wanted = isOff || better === 'zero' ? 'none' : Math.max(0, better);
  if (metricsScore !== wanted) return `its metrics have the score ${metricsScore} instead of ${wanted}`;
  const answered = [...facts.metricAnswers.values()].filter((at) => at >= sinceThen(ended, due.check)).length;
  return answered === (workload.kind === 'Node' ? 3 : 4) ? undefined : `its metrics have a score though only ${answered} were ever told`;
};

/** Without a score only what cannot have one is called assessed. */
const isClaimed = (what: string, isAssessed: boolean | undefined, isScoreless: boolean): string | undefined =>
  isAssessed === true && !isScoreless ? `its ${what} is called assessed without a score` : undefined;

const WEIGHTS = [
  ['healthScore', 0.4],
  ['alertScore', 0.35],
  ['metricsScore', 0.25],
] as const;

/** By the weights of the specification, over what has a score; 0 where it drifted. */
export const score: Check = (_, { assessmentReason }, components) => {
  const wanted = assessmentReason === 'SpecDrift' ? 0 : weighed(components);
  const found = overallScore(components, assessmentReason);
  if (found !== undefined && !(found >= 0 && found <= 1)) return `its score is ${found}`;
  const isSame = found === undefined || wanted === undefined ? found === wanted : Math.abs(found - wanted) < 1e-6;
  return isSame ? undefined : `its score is ${found ?? 'none'} instead of ${wanted ?? 'none'}`;
};

function weighed(components: Components): number | undefined {
  const known = WEIGHTS.flatMap(([name, weight]) => (components[name] === undefined ? [] : [{ weight, part: components[name] }]));
  if (known.length === 0) return undefined;
  const sum = known.reduce((all, { weight, part }) => all + weight * part, 0);
  return sum / known.reduce((all, { weight }) => all + weight, 0);
}
