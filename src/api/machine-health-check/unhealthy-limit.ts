import { assertNever } from '../../base/index.ts';

/** A number of Machines, or a share of those that are watched; `atLeast` so many pass, however few Machines there are. */
export type Limit =
  { readonly unit: 'machines'; readonly count: number } | { readonly unit: 'percent'; readonly percent: number; readonly atLeast?: number };

/**
 * When remediation may go on. `atMost` allows up to the limit and rounds shares down; `below` stops at the limit and compares shares exactly
 * (1 of 3 is below 40 %); `range` allows from min to max, both included.
 */
export type Gate =
  | { readonly kind: 'atMost'; readonly limit: Limit }
  | { readonly kind: 'below'; readonly limit: Limit }
  | { readonly kind: 'range'; readonly min: number; readonly max: number };

/** What a gate judges: Machines that are watched, and those among them that are not known to be healthy. */
export interface Headcount {
  readonly total: number;
  readonly unhealthy: number;
}

/** Whether unhealthy Machines may be remediated. */
export const gateAllows = (gate: Gate, count: Headcount): boolean =>
  count.unhealthy <= mostAllowed(gate, count.total) && (gate.kind !== 'range' || count.unhealthy >= gate.min);

/** How many more Machines may turn unhealthy before the gate closes; 0 when it is closed. */
export const remediationsLeft = (gate: Gate, count: Headcount): number =>
  gateAllows(gate, count) ? mostAllowed(gate, count.total) - count.unhealthy : 0;

/** A threshold whose share is raised where that of a small group would allow no remediation. 0% still allows none. */
export function atLeast(gate: Gate, few: number | undefined): Gate {
  if (few === undefined || gate.kind === 'range' || gate.limit.unit === 'machines' || gate.limit.percent === 0) return gate;
  return { ...gate, limit: { ...gate.limit, atLeast: few } };
}

/** Whether more Machines are unhealthy than the gate lets pass, and not too few of them. */
export const isStorm = (gate: Gate, count: Headcount): boolean => count.unhealthy > mostAllowed(gate, count.total);

/** The largest number of unhealthy Machines that the gate lets pass; -1 when it lets none pass at all. */
export function mostAllowed(gate: Gate, total: number): number {
  switch (gate.kind) {
    case 'atMost':
      if (gate.limit.unit === 'machines') return gate.limit.count;
      return Math.max(Math.floor((gate.limit.percent * total) / 100), gate.limit.atLeast ?? 0);
    case 'below':
      if (gate.limit.unit === 'machines') return gate.limit.count - 1;
      return Math.max(mostBelow(gate.limit.percent, total), gate.limit.atLeast ?? -1);
    case 'range':
      return gate.max;
    default:
      return assertNever(gate);
  }
}

/** The largest n with n/total under the percentage. Of no Machines at all none is unhealthy, which is under any percentage but 0. */
const mostBelow = (percent: number, total: number): number => (total === 0 && percent > 0 ? 0 : Math.ceil((percent * total) / 100) - 1);
