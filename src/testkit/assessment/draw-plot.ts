import { SECOND, type Random } from '../../base/index.ts';
import {
  LAST_ORDER_MS,
  type AlertState,
  type Deed,
  type Metrics,
  type Mischief,
  type Order,
  type Plot,
  type PodState,
  type ServerPlot,
  type Storm,
  type Turn,
  type Workload,
} from './plot.ts';
import { spansOf } from './timing.ts';

/** None is a part of another: what is asked about one is not about the other. */
const NAMES = ['checkout', 'cart', 'mail', 'search', 'stock', 'login'] as const;
const KINDS: readonly Workload['kind'][] = ['Deployment', 'Deployment', 'Deployment', 'Deployment', 'StatefulSet', 'Node', 'Rollout'];
const POD_STATES: readonly PodState[] = ['ready', 'ready', 'ready', 'half', 'unready', 'looping', 'restarted', 'killed', 'none'];
const DEEDS: readonly Deed[] = ['edit', 'edit', 'settings', 'settings', 'dropSettings', 'remove', 'replace', 'replaceEdited', 'touch'];
const MISCHIEFS: readonly Mischief[] = ['down', 'slow', 'silent', 'garbage', 'page', 'other', 'moved', 'anything'];
/** Assessments are ordered in the first part of it; all that comes from outside comes within. */
const SPAN_MS = 120 * SECOND;
const NEVER_OVER_MS = 24 * 3_600 * SECOND;

/** A plot by chance, drawn whole before anything happens. */
export function drawPlot(random: Random): Plot {
  return {
    workloads: NAMES.slice(0, 3 + random.int(4)).map((name) => drawWorkload(random, name)),
    alertmanager: drawServer(random),
    prometheus: drawServer(random),
  };
}

function drawWorkload(random: Random, name: string): Workload {
  const kind = random.pick(KINDS);
  const orders = Array.from({ length: random.chance(0.25) ? 2 : 1 }, () => drawOrder(random, kind));
  return {
    name,
    kind,
    pods: turns(random, 1 + random.int(3), () => random.pick(POD_STATES)),
    alert: drawAlert(random),
    metrics: drawMetrics(random),
    deeds: [...drawDeeds(random, orders), ...orders.flatMap((order) => arrival(random, order))],
    orders,
  };
}

function turns<T>(random: Random, count: number, draw: () => T): readonly Turn<T>[] {
  const all = Array.from({ length: count }, (_, index) => ({ atMs: index === 0 ? 0 : random.int(SPAN_MS), to: draw() }));
  return all.toSorted((a, b) => a.atMs - b.atMs);
}

/** It is gone from the start, goes at some time, comes and goes, or stays. */
function drawAlert(random: Random): readonly Turn<AlertState>[] {
  const fires = random.pick(['firing', 'firing', 'suppressed'] as const);
  const first = { atMs: 0, to: fires };
  switch (random.int(5)) {
    case 0:
      return [{ atMs: 0, to: random.pick(['silent', 'stale'] as const) }];
    case 1:
      return [first];
    case 2:
      return turns(random, 6, () => random.pick([fires, 'silent']));
    default:
      return [first, { atMs: random.int(SPAN_MS), to: random.pick(['silent', 'silent', 'stale'] as const) }];
  }
}

const drawMetrics = (random: Random): Metrics => ({
  better: random.pick([-1, 0, 0.25, 0.5, 1, 'zero'] as const),
  fromMs: random.pick([0, 0, 0, random.int(SPAN_MS), NEVER_OVER_MS]),
  isOld: random.chance(0.9),
});

/** Most workloads are not changed; a change may come at the last moment, and may be undone. */
function drawDeeds(random: Random, orders: readonly Order[]): readonly Turn<Deed>[] {
  if (random.chance(0.5)) return [];
  const order = random.pick(orders);
  const last = order.atMs + spansOf(order).deadline;
  const deed = { atMs: random.chance(0.3) ? last - random.int(25 * SECOND) : random.int(SPAN_MS), to: random.pick(DEEDS) };
  return random.chance(0.25) ? [deed, { atMs: deed.atMs + 1 + random.int(40 * SECOND), to: 'revert' }] : [deed];
}

/** Another controller applies the change that the workflow wrote: in time, or later than expected. */
const arrival = (random: Random, { atMs, propagateMs }: Order): readonly Turn<Deed>[] =>
  propagateMs === 0 ? [] : [{ atMs: atMs + Math.floor(propagateMs * random.pick([0.3, 0.8, 1.2])), to: 'edit' }];

const drawOrder = (random: Random, kind: Workload['kind']): Order => ({
  atMs: random.int(LAST_ORDER_MS),
  stabilizeMs: random.pick([10, 20, 30, 70]) * SECOND,
  propagateMs: random.pick([0, 0, 0, 15, 25]) * SECOND,
  alertDelayMs: random.pick([0, 0, 10]) * SECOND,
  isNamed: random.chance(0.9),
  isApplied: random.chance(0.8),
  ran: random.pick(['well', 'well', 'well', 'well', 'badly', 'never'] as const),
  isPlaceless: kind !== 'Node' && kind !== 'Rollout' && random.chance(0.04),
});

function drawServer(random: Random): ServerPlot {
  if (random.chance(0.12)) return 'off';
  return Array.from({ length: random.pick([0, 0, 1, 2]) }, () => drawStorm(random));
}

function drawStorm(random: Random): Storm {
  const fromMs = random.int(SPAN_MS);
  return {
    fromMs,
    toMs: random.chance(0.25) ? NEVER_OVER_MS : fromMs + 5 * SECOND + random.int(60 * SECOND),
    brings: random.pick(MISCHIEFS),
  };
}
