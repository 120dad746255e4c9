import type { AssessmentSeen } from '../../controllers/effectiveness/index.ts';
import { after, SECOND, toTime, type Instant } from '../../base/index.ts';
import { NOT_READ } from '../../kube/client/read.ts';
import type { Controller, Decision } from '../../runtime/reconcile/controller.ts';
import type { Components, Status } from './ended.ts';

/** Monitors with one mistake each; the simulation has to catch every one. */
export type Mistake = (right: Controller<AssessmentSeen>) => Controller<AssessmentSeen>;

/** Sees something otherwise than it is. */
const seeing =
  (see: (seen: AssessmentSeen) => AssessmentSeen): Mistake =>
  (right) => ({
    ...right,
    decide: (seen, now) => right.decide(see(seen), now),
  });

/** Writes something else than it decided. */
const writing =
  (write: (status: Status, seen: AssessmentSeen, now: Instant) => Status): Mistake =>
  (right) => ({
    ...right,
    decide: (seen, now): Decision => {
      const decision = right.decide(seen, now);
      return { ...decision, status: write((decision.status ?? {}) as Status, seen, now) };
    },
  });

const withComponents = (status: Status, change: (components: Components) => Components): Status => ({
  ...status,
  components: change(status.components ?? {}),
});

/** Treats a missing answer as a good answer. */
const takesSilenceForGone = seeing((seen) =>
  seen.alerts.kind === 'unreadable' ? { ...seen, alerts: { kind: 'value', value: [] } } : seen,
);

/** Waits for what is missing, however long it takes. */
const waitsForEver: Mistake = (right) => ({
  ...right,
  decide(seen, now): Decision {
    const decision = right.decide(seen, now);
    const isMissing = (decision.status as Status | undefined)?.assessmentReason === 'MetricsTimedOut';
    return isMissing ? { status: seen.object.status, effects: [], wakeAt: after(now, 15 * SECOND) } : decision;
  },
});

/** Believes that it is later than it is. */
const hurries: Mistake = (right) => ({
  ...right,
  observe: (key, reader, now) => right.observe(key, reader, after(now, 8 * SECOND)),
  decide: (seen, now) => right.decide(seen, after(now, 8 * SECOND)),
});

/** Looks at nothing when time is up. */
const doesNotLookBack = seeing((seen) => (isOver(seen) ? { ...seen, target: NOT_READ } : seen));

/** The pods and the others are left alone only then. */
const isOver = ({ object, pods, alerts, metrics }: AssessmentSeen): boolean =>
  object.status?.phase === 'Assessing' && [pods, alerts, metrics].every((read) => read !== undefined && read.kind === 'not-read');

const without = <T extends object>(whole: T, ...names: readonly (keyof T)[]): T =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name as keyof T))) as T;

/** Measures from the state that the workflow wrote, also where another controller applies the change later. */
const expectsTooMuch = seeing((seen) => {
  const { components, ...status } = seen.object.status ?? {};
  const { appliedSpecHash } = seen.object.spec;
  if (components?.baselineSpecHash === undefined || appliedSpecHash === undefined) return seen;
  return { ...seen, object: { ...seen.object, status: { ...status, components: { ...components, baselineSpecHash: appliedSpecHash } } } };
});

interface Broken {
  readonly name: string;
  readonly controller: Mistake;
  /** What the simulation has to say about it. */
  readonly complaint: RegExp;
}

/** All of them. */
export const MISTAKES: readonly Broken[] = [
  { name: 'waits for ever', controller: waitsForEver, complaint: /past its deadline/ },
  {
    name: 'does not mind drift',
    controller: writing((status) => (status.assessmentReason === 'SpecDrift' ? { ...status, assessmentReason: 'Partial' } : status)),
    complaint: /though somebody else had changed the target|before its time/,
  },
  {
    name: 'measures drift from the first look alone',
    controller: seeing((seen) => ({ ...seen, object: { ...seen.object, spec: without(seen.object.spec, 'appliedSpecHash') } })),
    complaint: /though somebody else had changed the target/,
  },
  { name: 'does not look back at the deadline', controller: doesNotLookBack, complaint: /though somebody else had changed the target/ },
  { name: 'takes what others apply for drift', controller: expectsTooMuch, complaint: /baselineSpecHash was changed/ },
  {
    name: 'calls every end drift',
    controller: writing((status) => (status.assessmentReason === 'Full' ? { ...status, assessmentReason: 'SpecDrift' } : status)),
    complaint: /though nobody changed anything/,
  },
  { name: 'takes silence for gone', controller: takesSilenceForGone, complaint: /alert has the score 1 though nobody ever said so/ },
  {
    name: 'takes no metrics for good ones',
    controller: writing((status) =>
      status.phase === 'Completed' && status.components?.metricsScore === undefined
        ? withComponents(status, (known) => ({ ...known, metricsAssessed: true, metricsScore: 1 }))
        : status,
    ),
    complaint: /metrics have the score 1 instead of|metrics have a score though/,
  },
  {
    name: 'calls assessed what it never read',
    controller: writing((status) =>
      status.phase === 'Completed' ? withComponents(status, (known) => ({ ...known, alertAssessed: true })) : status,
    ),
    complaint: /alert is called assessed without a score/,
  },
  {
    name: 'takes every pod for ready',
    controller: writing((status) =>
      status.components?.healthScore === undefined ? status : withComponents(status, (known) => ({ ...known, healthScore: 1 })),
    ),
    complaint: /health 1 was never so/,
  },
  {
    name: 'gives an alert no time to clear',
    controller: writing((status, _, now) =>
      status.components?.alertDecayRetries === undefined || status.phase !== 'Assessing'
        ? status
        : {
            ...withComponents(status, (known) => ({ ...known, alertAssessed: true, alertScore: 0, metricsAssessed: true })),
            phase: 'Completed',
            assessmentReason: 'Full',
            message: 'it still fires',
            completedAt: toTime(now),
          },
    ),
    complaint: /before it had time to clear/,
  },
  { name: 'hurries', controller: hurries, complaint: /before its time/ },
  {
    name: 'goes back',
    controller: writing((status, seen) =>
      status.phase === 'Assessing' && seen.object.status?.phase === 'Assessing' ? { ...status, phase: 'Stabilizing' } : status,
    ),
    complaint: /Assessing → Stabilizing/,
  },
  {
    name: 'moves its deadline',
    controller: writing((status, _, now) =>
      status.phase === 'Assessing' ? { ...status, validityDeadline: toTime(after(now, 60 * SECOND)) } : status,
    ),
    complaint: /its validityDeadline was moved/,
  },
  {
    name: 'counts from the moment of the look',
    controller: writing((status, { object }, now) =>
      object.status?.phase === 'Pending' && status.phase !== 'Failed'
        ? { ...status, prometheusCheckAfter: toTime(after(now, 10_000 * SECOND)) }
        : status,
    ),
    complaint: /its prometheusCheckAfter is .* instead of/,
  },
  {
    name: 'changes its mind after the end',
    controller: writing((status, { object }, now) =>
      object.status?.phase === 'Completed' ? { ...status, completedAt: toTime(now), message: 'on second thoughts' } : status,
    ),
    complaint: /it changed after its end/,
  },
  {
    name: 'forgets what it found',
    controller: writing((status, seen) =>
      status.phase === 'Assessing' && seen.object.status?.components?.metricsAssessed === true
        ? withComponents(status, (known) => without(known, 'metricsAssessed', 'metricsScore'))
        : status,
    ),
    complaint: /its metricsScore was changed|its metricsAssessed was taken back/,
  },
  {
    name: 'ends without a reason',
    controller: writing((status) => without(status, 'assessmentReason')),
    complaint: /it ended without a reason/,
  },
  {
    name: 'takes a run that never began for one',
    controller: seeing((seen) => ({ ...seen, execution: NOT_READ })),
    complaint: /though nothing ever ran/,
  },
  {
    name: 'gives up a target that is there',
    controller: seeing((seen) =>
      seen.target.kind === 'value' && (seen.alerts.kind === 'unreadable' || seen.alerts.kind === 'not-read')
        ? { ...seen, target: { kind: 'absent' } }
        : seen,
    ),
    complaint: /Unrecoverable does not fit/,
  },
];
