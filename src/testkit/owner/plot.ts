import { SECOND, type Random } from '../../base/index.ts';
import { checkPlan, type CheckPlan, type Gate } from '../machines/timeline.ts';

/** A host, which registers its Node by itself. */
export interface HostPlan {
  readonly name: string;
  /** Its Node carries the label of the pool all the same: it may not be touched. */
  readonly isControlPlane?: true;
  /** It is added only by an operator. */
  readonly isLate?: true;
  /** It cannot be repaired once it is unhealthy: it has to be set up again. */
  readonly isHopeless?: true;
}

export interface SetPlan {
  readonly name: string;
  readonly replicas: number;
  readonly maxInFlight?: number | string;
  /** The cluster is another one, for which a Cluster object stands: its Machines get no Node from here. */
  readonly isElsewhere?: true;
}

/** What pods are like: `guarded` ones share a disruption budget that allows one eviction at a time, `stuck` ones one that allows no eviction. */
export type PodKind = 'plain' | 'guarded' | 'stuck' | 'daemon';

export type PauseTarget =
  | { readonly what: 'set'; readonly name: string }
  | { readonly what: 'check'; readonly name: string }
  | { readonly what: 'cluster' }
  /** The Machine that has the host at that time. */
  | { readonly what: 'machine'; readonly host: string; readonly how: 'paused' | 'skip-remediation' };

/** What the world does, and when. What lasts for a while is undone after it. */
export type Act = { readonly afterMs: number } & (
  | { readonly kind: 'failNode'; readonly host: string; readonly ready: 'False' | 'Unknown'; readonly forMs?: number }
  | { readonly kind: 'loseNode'; readonly host: string }
  | { readonly kind: 'pause'; readonly target: PauseTarget; readonly forMs: number }
  | { readonly kind: 'scale'; readonly set: string; readonly replicas: number }
  | { readonly kind: 'deleteMachine'; readonly host: string }
  | { readonly kind: 'unlabel'; readonly host: string; readonly forMs: number }
  | { readonly kind: 'cordon'; readonly host: string; readonly forMs: number }
  | { readonly kind: 'bring'; readonly host: string }
  /** The object of the other cluster goes, or is there again; its Machines stay. */
  | { readonly kind: 'cluster'; readonly isThere: boolean }
);

export interface Plot {
  readonly hosts: readonly HostPlan[];
  readonly sets: readonly SetPlan[];
  readonly checks: readonly CheckPlan[];
  readonly pods: readonly PodKind[];
  readonly acts: readonly Act[];
}

/** Whether one of its sets is of another cluster: then the server has Cluster objects. */
export const hasClusters = ({ sets }: Pick<Plot, 'sets'>): boolean => sets.some(({ isElsewhere }) => isElsewhere);

/** The one form of a check that may name no cluster, and so selects Machines that name none. */
const LOCAL_GATE: Gate = { below: 3 };

const GATES: readonly Gate[] = [{ atMost: '100%' }, { atMost: '100%' }, { atMost: 2 }, { below: 3 }];
const IN_FLIGHT = [undefined, undefined, 1, '40%'] as const;
const POD_KINDS: readonly PodKind[] = ['plain', 'plain', 'guarded', 'stuck', 'daemon'];

/** A story by chance: quiet ones, and some in which much happens at once. */
export function drawPlot(random: Random): Plot {
  const names = random.pick([['a'], ['a'], ['a', 'b']]);
  const sets = names.map((name) => drawSet(name, names.length === 1 ? 2 + random.int(3) : 2, random));
  const hosts = drawHosts(sets.reduce((sum, { replicas }) => sum + replicas, 0) + random.int(3) - 1, random);
  const elsewhere: readonly SetPlan[] = random.chance(0.2) ? [{ name: 'far', replicas: 1, isElsewhere: true }] : [];
  const checks = names.map((name) => {
    const gate = random.pick(GATES);
    return checkPlan(`${name}-check`, name, { gate: elsewhere.length > 0 ? LOCAL_GATE : gate });
  });
  const rate = random.pick([0.2, 0.5, 0.9]);
  const acts = [
    ...hosts.filter(({ isLate }) => !isLate && random.chance(rate)).flatMap(({ name }) => drawTrouble(name, random)),
    ...sets.filter(() => random.chance(0.5)).flatMap((set) => drawEdit(set, random)),
    ...(elsewhere.length > 0 ? pauseCluster(random) : []),
    ...hosts.filter(({ isLate }) => isLate).map(({ name }): Act => ({ kind: 'bring', host: name, afterMs: moment(random) })),
  ];
  return {
    hosts: [...hosts, ...SPARE],
    sets: [...sets, ...elsewhere],
    checks,
    pods: Array.from({ length: random.int(6) }, () => random.pick(POD_KINDS)),
    acts,
  };
}

/** Enough for all Machines: an operator adds them when he repairs everything. */
const SPARE: readonly HostPlan[] = ['s-0', 's-1', 's-2', 's-3'].map((name) => ({ name, isLate: true }));

function drawSet(name: string, replicas: number, random: Random): SetPlan {
  const maxInFlight = random.pick(IN_FLIGHT);
  return { name, replicas, ...(maxInFlight !== undefined && { maxInFlight }) };
}

const drawHosts = (count: number, random: Random): readonly HostPlan[] => [
  ...Array.from({ length: count }, (_, i): HostPlan => ({
    name: `h-${i}`,
    ...(i === 0 && { isHopeless: true }),
    ...(random.chance(0.15) && { isLate: true }),
  })),
  ...(random.chance(0.3) ? [{ name: 'cp-0', isControlPlane: true } as const] : []),
];

const moment = (random: Random): number => random.int(100 * SECOND);
const aWhile = (random: Random): number => 20 * SECOND + random.int(60 * SECOND);

function drawTrouble(host: string, random: Random): readonly Act[] {
  const afterMs = moment(random);
  const ready = random.pick(['False', 'Unknown'] as const);
  const fail: Act = { kind: 'failNode', host, ready, afterMs };
  const soon = afterMs + random.int(70 * SECOND);
  switch (random.int(10)) {
    case 0:
      return [{ kind: 'loseNode', host, afterMs }];
    case 1:
      return [{ kind: 'deleteMachine', host, afterMs }];
    case 2:
      return [fail, { kind: 'deleteMachine', host, afterMs: soon }];
    case 3:
      return [fail, { kind: 'pause', target: pausedMachine(host, random), afterMs: soon, forMs: aWhile(random) }];
    case 4:
      return [fail, { kind: 'unlabel', host, afterMs: soon, forMs: aWhile(random) }];
    case 5:
      return [fail, { kind: 'cordon', host, afterMs: soon, forMs: aWhile(random) }];
    case 6:
      return [{ ...fail, forMs: 25 * SECOND + random.int(60 * SECOND) }];
    default:
      return [fail];
  }
}

const pausedMachine = (host: string, random: Random): PauseTarget => ({
  what: 'machine',
  host,
  how: random.pick(['paused', 'skip-remediation'] as const),
});

function drawEdit({ name, replicas }: SetPlan, random: Random): readonly Act[] {
  const afterMs = moment(random);
  const forMs = aWhile(random);
  switch (random.int(5)) {
    case 0:
      return [{ kind: 'pause', target: { what: 'set', name }, afterMs, forMs }];
    case 1:
      return [{ kind: 'pause', target: { what: 'check', name: `${name}-check` }, afterMs, forMs }];
    case 2:
      return [{ kind: 'scale', set: name, replicas: replicas - 1, afterMs }];
    case 3:
      return [{ kind: 'scale', set: name, replicas: replicas + 1, afterMs }];
    default:
      return [
        { kind: 'scale', set: name, replicas: replicas - 1, afterMs },
        { kind: 'scale', set: name, replicas, afterMs: afterMs + forMs },
      ];
  }
}

const pauseCluster = (random: Random): readonly Act[] => {
  const afterMs = random.int(60 * SECOND);
  if (random.chance(0.5)) return loseCluster(afterMs, random);
  return [
    { kind: 'pause', target: { what: 'cluster' }, afterMs, forMs: aWhile(random) },
    { kind: 'scale', set: 'far', replicas: 2, afterMs: afterMs + 5 * SECOND },
  ];
};

/** It goes, while its set makes another Machine, and comes back or not. */
const loseCluster = (afterMs: number, random: Random): readonly Act[] => [
  { kind: 'cluster', isThere: false, afterMs },
  { kind: 'scale', set: 'far', replicas: 2, afterMs: afterMs + 5 * SECOND },
  ...(random.chance(0.7) ? [{ kind: 'cluster', isThere: true, afterMs: afterMs + aWhile(random) } as const] : []),
];

/** The shortest story with something of everything: for trying every fault at every step. */
export const FEW: Plot = {
  hosts: [{ name: 'h-0', isHopeless: true }, { name: 'h-1' }, { name: 'h-2' }],
  sets: [{ name: 'a', replicas: 2, maxInFlight: 1 }],
  checks: [checkPlan('a-check', 'a', { gate: { atMost: '100%' } })],
  pods: ['stuck', 'guarded'],
  acts: [
    { kind: 'failNode', host: 'h-0', ready: 'False', afterMs: 10 * SECOND },
    { kind: 'failNode', host: 'h-1', ready: 'Unknown', afterMs: 10 * SECOND, forMs: 60 * SECOND },
  ],
};
