import type { Node } from '../../api/builtin/index.ts';
import type { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import type { Machine } from '../../api/machine/machine.ts';
import { parseTime, SECOND } from '../../base/index.ts';

/**
 * The simulation's own rules of health and of gates, written from the requirements and independent of the product's code. They cover only
 * what the timelines use: one condition of Nodes, the startup timeout, Nodes that are gone.
 */
export type Health = 'well' | 'failing' | 'pending' | 'unknown';

interface Spec {
  readonly writtenAs?: string;
  readonly selector: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly unhealthyConditions?: readonly { readonly status: string; readonly timeout: string }[];
  readonly maxUnhealthy?: number | string;
  readonly checks?: { readonly unhealthyNodeConditions?: readonly { readonly status: string; readonly timeoutSeconds: number }[] };
  readonly remediation?: {
    readonly triggerIf?: { readonly unhealthyLessThanOrEqualTo?: number | string; readonly unhealthyInRange?: string };
  };
}

const specOf = (check: MachineHealthCheck): Spec => check.spec as unknown as Spec;

const STARTUP_SECONDS = 45;
const OPT_OUTS = ['cluster.x-k8s.io/paused', 'cluster.x-k8s.io/skip-remediation'];

/** Whether the check is about the Machine. */
export const covers = (check: MachineHealthCheck, { metadata }: Machine): boolean =>
  Object.entries(specOf(check).selector.matchLabels ?? {}).every(([name, value]) => metadata.labels?.[name] === value) &&
  OPT_OUTS.every((name) => metadata.annotations?.[name] === undefined);

export const isPaused = ({ metadata }: MachineHealthCheck): boolean => metadata.annotations?.[OPT_OUTS[0]!] !== undefined;

/** How a Machine is at that time; only `well` counts as healthy. */
export function healthOf(check: MachineHealthCheck, machine: Machine, node: Node | undefined, now: number): Health {
  if (!machine.status?.nodeRef?.name) return expired(machine.metadata.creationTimestamp, STARTUP_SECONDS, now);
  if (!node) return 'failing';
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  const limit = limits(specOf(check)).find(({ status }) => status === ready?.status);
  if (limit) return expired(ready?.lastTransitionTime, limit.seconds, now);
  return machine.metadata.deletionTimestamp === undefined ? 'well' : 'unknown';
}

function expired(since: string | undefined, seconds: number, now: number): Health {
  const from = parseTime(since);
  return from !== undefined && from + seconds * SECOND < now ? 'failing' : 'pending';
}

const limits = (spec: Spec): readonly { readonly status: string; readonly seconds: number }[] => [
  ...(spec.unhealthyConditions ?? []).map(({ status, timeout }) => ({ status, seconds: Number.parseInt(timeout, 10) })),
  ...(spec.checks?.unhealthyNodeConditions ?? []).map(({ status, timeoutSeconds }) => ({ status, seconds: timeoutSeconds })),
];

/** Whether the check allows remediation while that many of the Machines are not healthy. */
export function isOpen(check: MachineHealthCheck, bad: number, total: number): boolean {
  const { maxUnhealthy, remediation, writtenAs } = specOf(check);
  const { unhealthyInRange = '', unhealthyLessThanOrEqualTo: most = '100%' } = remediation?.triggerIf ?? {};
  if (maxUnhealthy !== undefined) return isBelow(maxUnhealthy, bad, writtenAs === 'v1alpha3' ? total : Number.NaN);
  const range = /^\[(\d+)-(\d+)\]$/.exec(unhealthyInRange);
  if (range) return bad >= Number(range[1]) && bad <= Number(range[2]);
  return bad <= (typeof most === 'number' ? most : Math.floor((Number.parseInt(most, 10) * total) / 100));
}

/** The oldest form: a percentage is compared without rounding; with no Machines, zero is below any limit. */
function isBelow(limit: number | string, bad: number, total: number): boolean {
  if (typeof limit === 'number') return bad < limit;
  const share = Number.parseInt(limit, 10);
  return total === 0 ? share > 0 : bad * 100 < share * total;
}

/** The verdicts of a check on its Machines at one moment. */
export interface Census {
  readonly total: number;
  readonly bad: number;
  readonly open: boolean;
}

export interface Seen {
  readonly machine: Machine;
  readonly node: Node | undefined;
}

export function census(check: MachineHealthCheck, seen: readonly Seen[]): Census {
  const own = seen.filter(({ machine }) => covers(check, machine));
  // What is not well now is not well at any time that a clock may show.
  const bad = own.filter(({ machine, node }) => healthOf(check, machine, node, 0) !== 'well').length;
  return { total: own.length, bad, open: isOpen(check, bad, own.length) };
}
