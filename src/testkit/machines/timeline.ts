import { SECOND, type Random } from '../../base/index.ts';
import { apiVersionOf } from '../../api/resource.ts';
import { REMEDY_NAMES, TEMPLATES, type RemedyName } from './kinds.ts';

/** A Machine, and whether it can be repaired. */
export interface MachinePlan {
  readonly name: string;
  readonly group: string;
  /** Whether a MachineSet owns it, which replaces it when it is asked to. */
  readonly isOwned: boolean;
  /** Its Node shows up so late; at once when absent. */
  readonly nodeAfterMs?: number;
  /** It cannot be repaired once it is unhealthy. */
  readonly isHopeless?: true;
}

/** How a check is written: its version decides what its limit means. */
export interface CheckPlan {
  readonly name: string;
  readonly version: 'v1beta2' | 'v1alpha3';
  readonly spec: object;
}

/** An event of the world, and its time. A temporary fault ends by itself; a permanent one lasts until it is repaired. */
export type Act = { readonly afterMs: number } & (
  | { readonly kind: 'ill'; readonly machine: string; readonly ready: 'False' | 'Unknown'; readonly forMs?: number }
  | { readonly kind: 'deleteNode'; readonly machine: string; readonly forMs?: number }
  | { readonly kind: 'deleteMachine'; readonly machine: string }
  | { readonly kind: 'skip'; readonly machine: string; readonly forMs: number }
  | { readonly kind: 'edit'; readonly check: string; readonly gate: Gate }
  | { readonly kind: 'pause'; readonly check: string; readonly forMs: number }
  | { readonly kind: 'deleteCheck'; readonly check: string; readonly forMs?: number }
  | { readonly kind: 'template'; readonly remedy: RemedyName; readonly isThere: boolean }
);

/** A timeline: the objects at the start, and the events. */
export interface Plot {
  readonly machines: readonly MachinePlan[];
  readonly checks: readonly CheckPlan[];
  /** Templates that are there from the beginning. */
  readonly templates: readonly RemedyName[];
  readonly acts: readonly Act[];
}

/** A limit as a check spells it. */
export type Gate = { readonly atMost: number | string } | { readonly range: string } | { readonly below: number | string };

/** Seconds instead of minutes; Unknown lasts longer than False. */
const CONDITIONS = [
  { type: 'Ready', status: 'Unknown', timeoutSeconds: 40 },
  { type: 'Ready', status: 'False', timeoutSeconds: 30 },
];

interface CheckChoice {
  readonly gate: Gate;
  readonly remedy?: RemedyName;
  /** The Ready states that it takes as unhealthy; all states of the timeline when absent. */
  readonly statuses?: readonly string[];
}

/** A check of one group in the spelling that its limit belongs to. */
export function checkPlan(name: string, group: string, { gate, remedy, statuses }: CheckChoice): CheckPlan {
  const selector = { matchLabels: { group } };
  const conditions = CONDITIONS.filter(({ status }) => statuses?.includes(status) ?? true);
  if ('below' in gate) {
    const unhealthyConditions = conditions.map(({ type, status, timeoutSeconds }) => ({ type, status, timeout: `${timeoutSeconds}s` }));
    const template = remedy && { externalRemediationTemplate: templateRef(remedy) };
    return {
      name,
      version: 'v1alpha3',
      spec: { selector, unhealthyConditions, nodeStartupTimeout: '45s', maxUnhealthy: gate.below, ...template },
    };
  }
  const remediation = { triggerIf: triggerOf(gate), ...(remedy && { templateRef: templateRef(remedy) }) };
  const checks = { nodeStartupTimeoutSeconds: 45, unhealthyNodeConditions: conditions };
  return { name, version: 'v1beta2', spec: { clusterName: 'here', selector, checks, remediation } };
}

const templateRef = (remedy: RemedyName) => ({ apiVersion: apiVersionOf(TEMPLATES[remedy]), kind: TEMPLATES[remedy].kind, name: 'usual' });

export const triggerOf = (gate: Exclude<Gate, { readonly below: unknown }>): object =>
  'range' in gate ? { unhealthyInRange: gate.range } : { unhealthyLessThanOrEqualTo: gate.atMost };

const LOOSE: readonly Gate[] = [{ atMost: '40%' }, { atMost: '100%' }, { atMost: 2 }, { below: '40%' }, { range: '[1-3]' }];
const EDITS: readonly Exclude<Gate, { readonly below: unknown }>[] = [{ atMost: 0 }, { atMost: 1 }, { atMost: '100%' }, { range: '[2-4]' }];
const REMEDIES: readonly (RemedyName | undefined)[] = ['Reboot', 'Swap', 'PowerCycleRemediation', undefined];

/** A random timeline: quiet ones, and some with many events at once. */
export function drawPlot(random: Random): Plot {
  const groups = random.pick([['a'], ['a'], ['a', 'b']]);
  const machines = groups.flatMap((group) => drawMachines(group, random));
  const checks = groups.flatMap((group) => drawChecks(group, random));
  const templates = REMEDY_NAMES.filter(() => random.chance(0.8));
  const rate = random.pick([0.15, 0.3, 0.6]);
  const acts = [
    ...machines.filter(() => random.chance(rate)).flatMap((machine) => drawTrouble(machine, random)),
    ...(random.chance(0.4) ? partition(machines, random) : []),
    ...checks.filter(() => random.chance(0.5)).map((check) => drawEdit(check, random)),
    ...REMEDY_NAMES.flatMap((remedy) => drawTemplate(remedy, templates.includes(remedy), random)),
  ];
  return { machines, checks, templates, acts };
}

function drawMachines(group: string, random: Random): readonly MachinePlan[] {
  const isOwned = random.chance(0.6);
  return Array.from({ length: 6 + random.int(5) }, (_, i) => ({
    name: `${group}-${i}`,
    group,
    isOwned,
    ...(random.chance(0.1) && { nodeAfterMs: random.int(120) * SECOND }),
    ...(random.chance(0.1) && { isHopeless: true as const }),
  }));
}

function drawChecks(group: string, random: Random): readonly CheckPlan[] {
  const draw = (name: string): CheckPlan => {
    const remedy = random.pick(REMEDIES);
    return checkPlan(name, group, { gate: random.pick(LOOSE), ...(remedy && { remedy }) });
  };
  return random.chance(0.35) ? [draw(`${group}-first`), draw(`${group}-second`)] : [draw(`${group}-only`)];
}

const moment = (random: Random): number => random.int(150 * SECOND);

function drawTrouble({ name, nodeAfterMs }: MachinePlan, random: Random): readonly Act[] {
  const afterMs = moment(random) + (nodeAfterMs ?? 0);
  const machine = name;
  const ready = random.pick(['False', 'Unknown'] as const);
  switch (random.int(8)) {
    case 0:
      return [{ kind: 'deleteNode', machine, afterMs }];
    case 1:
      return [{ kind: 'deleteMachine', machine, afterMs }];
    case 2:
      return [
        { kind: 'ill', machine, ready, afterMs },
        { kind: 'deleteMachine', machine, afterMs: afterMs + 30 * SECOND + random.int(30 * SECOND) },
      ];
    case 3:
      return [
        { kind: 'ill', machine, ready, afterMs },
        { kind: 'skip', machine, afterMs: afterMs + random.int(60 * SECOND), forMs: 20 * SECOND + random.int(60 * SECOND) },
      ];
    case 4:
      return flaps(machine, afterMs, random);
    case 5:
      return [{ kind: 'ill', machine, ready, afterMs, forMs: random.int(90 * SECOND) }];
    default:
      return [{ kind: 'ill', machine, ready, afterMs }];
  }
}

/** Unhealthy and healthy in turns, around the timeout that makes it fail. */
const flaps = (machine: string, from: number, random: Random): readonly Act[] =>
  Array.from({ length: 3 }, (_, i) => ({
    kind: 'ill',
    machine,
    ready: i % 2 === 0 ? 'Unknown' : 'False',
    afterMs: from + i * 60 * SECOND,
    forMs: 25 * SECOND + random.int(30 * SECOND),
  }));

/** The network fails for four Nodes out of ten. */
function partition(machines: readonly MachinePlan[], random: Random): readonly Act[] {
  const afterMs = moment(random);
  const forMs = 60 * SECOND + random.int(60 * SECOND);
  const cut = machines.filter(({ nodeAfterMs }) => nodeAfterMs === undefined).slice(0, Math.ceil(machines.length * 0.4));
  return cut.map(({ name }) => ({ kind: 'ill', machine: name, ready: 'Unknown', afterMs, forMs }));
}

function drawEdit({ name, version }: CheckPlan, random: Random): Act {
  const afterMs = moment(random);
  switch (random.int(4)) {
    case 0:
      return { kind: 'pause', check: name, afterMs, forMs: 20 * SECOND + random.int(60 * SECOND) };
    case 1:
      return { kind: 'deleteCheck', check: name, afterMs, ...(random.chance(0.7) && { forMs: 5 * SECOND + random.int(40 * SECOND) }) };
    default:
      return {
        kind: 'edit',
        check: name,
        afterMs,
        gate: version === 'v1alpha3' ? { below: random.pick([0, 1, '80%']) } : random.pick(EDITS),
      };
  }
}

function drawTemplate(remedy: RemedyName, isThere: boolean, random: Random): readonly Act[] {
  if (!isThere) return [{ kind: 'template', remedy, isThere: true, afterMs: moment(random) }];
  if (!random.chance(0.2)) return [];
  const afterMs = moment(random);
  return [
    { kind: 'template', remedy, isThere: false, afterMs },
    { kind: 'template', remedy, isThere: true, afterMs: afterMs + 40 * SECOND },
  ];
}

/** The shortest timeline with an event of every kind: for trying every fault at every step. */
export const FEW: Plot = {
  machines: ['a-0', 'a-1', 'a-2', 'a-3', 'a-4'].map((name, i) => ({
    name,
    group: 'a',
    isOwned: false,
    ...(i === 4 && { isHopeless: true }),
  })),
  checks: [
    checkPlan('a-first', 'a', { gate: { atMost: 2 }, remedy: 'Reboot' }),
    checkPlan('a-second', 'a', { gate: { atMost: '40%' }, remedy: 'Swap' }),
  ],
  templates: ['Reboot', 'Swap'],
  acts: [
    { kind: 'ill', machine: 'a-0', ready: 'False', afterMs: 2 * SECOND },
    { kind: 'ill', machine: 'a-4', ready: 'Unknown', afterMs: 5 * SECOND },
    { kind: 'ill', machine: 'a-1', ready: 'Unknown', afterMs: 80 * SECOND, forMs: 70 * SECOND },
    { kind: 'ill', machine: 'a-2', ready: 'Unknown', afterMs: 80 * SECOND, forMs: 70 * SECOND },
    { kind: 'deleteMachine', machine: 'a-3', afterMs: 100 * SECOND },
  ],
};

/** Hosts that are power-cycled, more than there are slots: one recovers during its power cycle, and the Machine of another is deleted. */
export const POWER: Plot = {
  machines: ['a-0', 'a-1', 'a-2', 'a-3'].map((name) => ({ name, group: 'a', isOwned: false })),
  checks: [checkPlan('a-only', 'a', { gate: { atMost: '100%' }, remedy: 'PowerCycleRemediation' })],
  templates: ['PowerCycleRemediation'],
  acts: [
    { kind: 'ill', machine: 'a-0', ready: 'False', afterMs: 2 * SECOND },
    { kind: 'ill', machine: 'a-1', ready: 'Unknown', afterMs: 2 * SECOND, forMs: 50 * SECOND },
    { kind: 'ill', machine: 'a-2', ready: 'False', afterMs: 2 * SECOND },
    { kind: 'ill', machine: 'a-3', ready: 'False', afterMs: 2 * SECOND },
    { kind: 'deleteMachine', machine: 'a-2', afterMs: 45 * SECOND },
  ],
};
