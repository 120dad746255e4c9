import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../api/machine/machine.ts';
import { keyOf, type KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { PowerCycleRemediation } from '../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { ANNOTATIONS, FINALIZERS } from '../../api/well-known.ts';
import { after, MINUTE, SECOND, toTime } from '../../base/index.ts';
import type { CheckObservation, TargetObservation } from '../../controllers/machine-health/check/observe-check.ts';
import type { PowerCommand } from '../../controllers/machine-remediation/power-cycle/host/power-command.ts';
import type { PowerCycleSeen } from '../../controllers/machine-remediation/power-cycle/observed.ts';
import type { Controller, Decision, Effect, Listed, Read, Reader } from '../../runtime/reconcile/controller.ts';
import { SIMULATION_START } from '../../simulation/index.ts';
import { REMEDIES } from './kinds.ts';
import { FEW, POWER, type Plot } from './timeline.ts';
import type { Mistake } from './scenario.ts';

/** Changes the reconciler of checks, or of Machines, and leaves the other one as it is. */
const only =
  (primary: Resource, change: (right: Controller) => Controller): Mistake =>
  (right) =>
    right.map((controller) => (controller.primary === primary ? change(controller) : controller));

/** Observes something that is not so. */
const seeing = (see: (seen: CheckObservation) => CheckObservation): Mistake =>
  only(MachineHealthCheck, (right) => ({ ...right, decide: (seen, now) => right.decide(see(seen as CheckObservation), now) }));

const targets = (see: (target: TargetObservation) => TargetObservation): Mistake =>
  seeing((seen) => ({ ...seen, targets: seen.targets.map(see) }));

/** Does something else than it decided. */
const doing = (change: (decision: Decision, seen: CheckObservation) => Decision): Mistake =>
  only(MachineHealthCheck, (right) => ({
    ...right,
    decide: (seen, now) => change(right.decide(seen, now), seen as CheckObservation),
  }));

const withStatus = (change: (status: Status, seen: CheckObservation) => object): Mistake =>
  doing((decision, seen) => ({ ...decision, status: change(decision.status as Status, seen) }));

interface Status {
  readonly currentHealthy?: number;
  readonly remediations?: readonly object[];
}

/** Reads objects without an annotation that a person set. */
const blindTo =
  (resource: Resource, annotation: string): Mistake =>
  (right) =>
    right.map((controller) => ({
      ...controller,
      observe: (key, reader, now) => controller.observe(key, without(reader, resource, annotation), now),
    }));

/** Believes that it is later, or earlier, than it is. */
const shifted =
  (ms: number) =>
  (right: Controller): Controller => ({
    ...right,
    observe: (key, reader, now) => right.observe(key, reader, after(now, ms)),
    decide: (seen, now) => right.decide(seen, after(now, ms)),
  });

function without(reader: Reader, from: Resource, annotation: string): Reader {
  const known = new WeakMap<KubeObject, KubeObject>();
  const strip = <T extends KubeObject>(object: T): T => {
    const { [annotation]: _, ...annotations } = object.metadata.annotations ?? {};
    const made = known.get(object) ?? { ...object, metadata: { ...object.metadata, annotations } };
    known.set(object, made);
    return made as T;
  };
  const one = <T extends KubeObject>(read: Read<T>): Read<T> => (read.kind === 'value' ? { ...read, value: strip(read.value) } : read);
  const all = <T extends KubeObject>(read: Listed<T>): Listed<T> =>
    read.kind === 'value' ? { ...read, value: read.value.map(strip) } : read;
  return {
    ...reader,
    get: (resource, key) => (resource.kind === from.kind ? one(reader.get(resource, key)) : reader.get(resource, key)),
    list: (resource, by) => (resource.kind === from.kind ? all(reader.list(resource, by)) : reader.list(resource, by)),
  };
}

const ignoresTheGate = seeing((seen) =>
  seen.parsed.kind === 'valid'
    ? {
        ...seen,
        parsed: { ...seen.parsed, check: { ...seen.parsed.check, gate: { kind: 'atMost', limit: { unit: 'percent', percent: 100 } } } },
      }
    : seen,
);

const countsThoseWhoseTimeRunsAsWell = targets((target) =>
  target.verdict.kind === 'waiting' ? { ...target, verdict: { kind: 'healthy' } } : target,
);

const doesNotWait: Mistake = (right) => right.map(shifted(20 * SECOND));

const stripped = (machine: Machine, types: readonly string[]): Machine => ({
  ...machine,
  status: { ...machine.status, conditions: (machine.status?.conditions ?? []).filter(({ type }) => !types.includes(type)) },
});

/** Observes a wrong state of a Machine, in the cache and on the server. */
const seenAs = (target: TargetObservation, see: (machine: Machine) => Machine): TargetObservation => ({
  ...target,
  target: { ...target.target, machine: see(target.target.machine) },
  ...(target.liveMachine.kind === 'value' && { liveMachine: { ...target.liveMachine, value: see(target.liveMachine.value) } }),
});

/** Ignores the requests of other checks. */
const asksWhoeverElseIsAsked = targets((target) =>
  seenAs({ ...target, others: target.others.map(({ name, allows }) => ({ name, allows })), otherRequestMayBeOpen: false }, (machine) =>
    stripped(machine, ['ExternallyRemediated', 'OwnerRemediated']),
  ),
);

const failed = {
  type: 'HealthCheckSucceeded',
  status: 'False' as const,
  lastTransitionTime: toTime(after(SIMULATION_START, -MINUTE)),
};

/** Requests remediation for failing Machines before their conditions report the failure, which comes late. */
const doesNotWaitForTheMark: Mistake = (right) =>
  only(MachineHealthCheck, (check) => ({
    ...check,
    decide(seen, now) {
      const all = (seen as CheckObservation).targets.map((target) =>
        target.verdict.kind === 'unhealthy' ? seenAs(target, markedLong) : target,
      );
      const deluded: CheckObservation = { ...(seen as CheckObservation), targets: all };
      const { effects, ...decision } = check.decide(deluded, now);
      // What it writes of the Machine is the truth, as far as it knows it.
      return {
        ...decision,
        effects: effects.map((effect) => (effect.kind === 'PatchStatus' ? asSeen(effect, seen as CheckObservation) : effect)),
      };
    },
  }))(only(Machine, shifted(-30 * SECOND))(right));

function markedLong(machine: Machine): Machine {
  const plain = stripped(machine, ['HealthCheckSucceeded']);
  return { ...plain, status: { ...plain.status, conditions: [...(plain.status?.conditions ?? []), failed] } };
}

function asSeen(effect: Extract<Effect, { readonly kind: 'PatchStatus' }>, { targets: all }: CheckObservation): Effect {
  const machine = all.find(({ target }) => target.machine.metadata.name === effect.key.name)?.target.machine;
  const { conditions = [], ...status } = effect.status as NonNullable<Machine['status']>;
  const real = machine?.status?.conditions?.filter(({ type }) => type === 'HealthCheckSucceeded') ?? [];
  return { ...effect, status: { ...status, conditions: [...real, ...conditions.filter(({ type }) => type !== 'HealthCheckSucceeded')] } };
}

const takesBackWhatIsNeeded = doing((decision, { targets: all }) => ({
  ...decision,
  effects: [
    ...decision.effects,
    ...all.flatMap(({ request, verdict }): readonly Effect[] => {
      const resource = request.kind === 'value' && Object.values(REMEDIES).find(({ kind }) => kind === request.value.kind);
      if (!resource || verdict.kind !== 'unhealthy' || request.kind !== 'value') return [];
      return [{ kind: 'Delete', resource, key: keyOf(request.value), uid: request.value.metadata.uid }];
    }),
  ],
}));

const failing = ({ targets: all }: CheckObservation): readonly Machine[] =>
  all.filter(({ verdict }) => verdict.kind === 'unhealthy').map(({ target }) => target.machine);

const deletesMachines = doing((decision, seen) => ({
  ...decision,
  effects: [
    ...decision.effects,
    ...failing(seen).map((machine): Effect => ({ kind: 'Delete', resource: Machine, key: keyOf(machine), uid: machine.metadata.uid })),
  ],
}));

const patched = (machine: Machine, status: unknown): Effect => ({
  kind: 'PatchStatus',
  resource: Machine,
  key: keyOf(machine),
  resourceVersion: machine.metadata.resourceVersion,
  status,
});

const writesAgain = doing((decision, seen) => ({
  ...decision,
  effects: [...decision.effects, ...failing(seen).map((one) => patched(one, one.status))],
}));

const saysItself = doing((decision, seen) => ({
  ...decision,
  effects: [...decision.effects, ...failing(seen).map((one) => patched(one, stripped(one, ['HealthCheckSucceeded']).status))],
}));

const callsAllWell: Mistake = only(Machine, (right) => ({
  ...right,
  decide: (seen, now) => {
    const { verdicts } = seen as unknown as { readonly verdicts: readonly { readonly check: string }[] };
    const well = verdicts.map(({ check }) => ({ check, verdict: { kind: 'healthy' } }));
    return right.decide({ ...seen, verdicts: well } as typeof seen, now);
  },
}));

const withoutEffects = (drops: (effect: Effect) => boolean): Mistake =>
  doing((decision) => ({ ...decision, effects: decision.effects.filter((effect) => !drops(effect)) }));

/** Observes a wrong state of a request of Sickbay's own kind. */
const requests = (see: (seen: PowerCycleSeen) => PowerCycleSeen): Mistake =>
  only(PowerCycleRemediation, (right) => ({
    ...right,
    decide: (seen, now) => right.decide(see(seen as unknown as PowerCycleSeen), now),
  }));

const held = (object: PowerCycleRemediation): PowerCycleRemediation => ({
  ...object,
  metadata: { ...object.metadata, finalizers: [FINALIZERS.machineRemediation] },
});

/** Takes every host as switched on and without any earlier command. */
const leavesHostsOff = requests((seen) =>
  seen.object.metadata.deletionTimestamp === undefined ? seen : { ...seen, object: { ...seen.object, status: { phase: 'pending' } } },
);

const neverSwitchesOn: Mistake = only(PowerCycleRemediation, (right) => ({
  ...right,
  decide(seen, now) {
    const { effects, ...decision } = right.decide(seen, now);
    return { ...decision, effects: effects.filter((effect) => effect.kind !== 'Call' || (effect.input as PowerCommand).power !== 'on') };
  },
}));

const knowsNoBudget = requests((seen) => ({
  ...seen,
  settings: { ...seen.settings, budget: { ...seen.settings.budget, running: { cluster: 9, namespace: 9, node: 9 } } },
}));

interface Caught {
  readonly make: Mistake;
  readonly complaint: RegExp;
  /** Where chance brings it about too seldom. */
  readonly plot?: Plot;
}

/** Six hosts fail at the same moment. */
const ALL_AT_ONCE: Plot = {
  ...POWER,
  machines: Array.from({ length: 6 }, (_, i) => ({ name: `a-${i}`, group: 'a', isOwned: false })),
  acts: Array.from({ length: 6 }, (_, i) => ({ kind: 'ill', machine: `a-${i}`, ready: 'False', afterMs: 2 * SECOND })),
};

/** A check is paused before any Machine becomes unhealthy, and for a long time. */
const PAUSED: Plot = {
  ...FEW,
  acts: [...FEW.acts, ...FEW.checks.map(({ name }) => ({ kind: 'pause' as const, check: name, afterMs: SECOND, forMs: 70 * SECOND }))],
};

const UNSETTLED = /not settled/;

/** Controllers with one mistake each, and the invariant that detects it. */
export const MISTAKES: Readonly<Record<string, Caught>> = {
  'ignores its gate': { make: ignoresTheGate, complaint: /the gate is closed/ },
  'counts those whose time runs as well': { make: countsThoseWhoseTimeRunsAsWell, complaint: /the gate is closed/ },
  'does not wait until a Node has been ill for long': { make: doesNotWait, complaint: /it was seen to be pending/ },
  'hands out before the Machine says that it fails': { make: doesNotWaitForTheMark, complaint: /the mark comes before the request/ },
  'keeps no record': { make: withStatus((status) => ({ ...status, remediations: [] })), complaint: /whoever is handed out is on record/ },
  'never clears its record': {
    make: withStatus((status, { object }) => ({ ...status, remediations: [...(status.remediations ?? []), ...goneFrom(status, object)] })),
    complaint: UNSETTLED,
  },
  'asks whoever else is asked': { make: asksWhoeverElseIsAsked, complaint: /one remediator per Machine/ },
  "ignores other checks' gates": {
    make: targets((target) => ({ ...target, others: target.others.map((other) => ({ ...other, allows: true })) })),
    complaint: /every gate over a Machine was open/,
  },
  'does not mind a pause': {
    make: blindTo(MachineHealthCheck, ANNOTATIONS.paused),
    complaint: /a check that is paused hands out nobody/,
    plot: PAUSED,
  },
  'does not mind who is to be left alone': { make: blindTo(Machine, ANNOTATIONS.skipRemediation), complaint: /it was not seen|left alone/ },
  'never takes a request back': { make: withoutEffects(({ kind }) => kind === 'Delete'), complaint: UNSETTLED },
  'takes back what is still needed': { make: takesBackWhatIsNeeded, complaint: /a request goes only when its Machine is well or gone/ },
  'asks nobody': { make: withoutEffects(({ kind }) => kind === 'Create'), complaint: UNSETTLED },
  'deletes Machines': { make: deletesMachines, complaint: /deletes machines/ },
  'writes what is there already': { make: writesAgain, complaint: /that it has/ },
  'says itself whether a Machine is healthy': { make: saysItself, complaint: /without having judged it/ },
  'calls every Machine well': { make: callsAllWell, complaint: UNSETTLED },
  miscounts: {
    make: withStatus((status) => ({
      ...status,
      ...(status.currentHealthy !== undefined && { currentHealthy: status.currentHealthy + 1 }),
    })),
    complaint: UNSETTLED,
  },
  'switches off before its finalizer is there': {
    make: requests((seen) => ({ ...seen, object: held(seen.object) })),
    complaint: /no request for it is held/,
    plot: POWER,
  },
  'lets a request go whose host is off': { make: leavesHostsOff, complaint: /a request goes only when its host is on/, plot: POWER },
  'never switches a host on again': { make: neverSwitchesOn, complaint: UNSETTLED, plot: POWER },
  'knows no budget': { make: knowsNoBudget, complaint: /never more hosts at a time than the budget/, plot: ALL_AT_ONCE },
  'overlooks Machines without a Node': {
    make: seeing((seen) => ({ ...seen, targets: seen.targets.filter(({ target }) => target.node.kind !== 'missing') })),
    complaint: UNSETTLED,
  },
};

/** Entries that were recorded in status and no longer are. */
function goneFrom({ remediations = [] }: Status, { status }: MachineHealthCheck): readonly object[] {
  const names = new Set((remediations as readonly { readonly machine?: string }[]).map(({ machine }) => machine));
  return (status?.remediations ?? []).filter(({ machine }) => !names.has(machine));
}
