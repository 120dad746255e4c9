import { canReportFault, isCordoned, nodeFaults, type Node } from '../../../api/builtin/index.ts';
import { after, formatDuration, instant, parseTime, toTime, type Instant } from '../../../base/index.ts';
import type { Health } from './health.ts';

/** When a Node is scored, and how long it must have been without a fault by then. */
export interface NodeHealthTiming {
  readonly now: Instant;
  readonly stabilizationMs: number;
  /** Nothing is scored from then on. */
  readonly deadline: Instant;
}

/** A Node that has no fault now, and had one too recently. */
export interface Unsettled {
  readonly what: string;
  readonly until: Instant;
}

/**
 * 1 for a Node that has been Ready and without a fault for the stabilization window, 0.5 where it is Ready but cordoned or has a fault, e.g. a
 * pressure, and 0 otherwise. One that became so only lately is judged at the end of its window; a Node that never stays so until the deadline has 0.
 */
export function scoreNodeHealth(node: Node, { now, stabilizationMs, deadline }: NodeHealthTiming): Health | Unsettled {
  const faults = nodeFaults(node);
  const told = faults.map(({ text }) => text).join(', ');
  if (faults.some(({ type }) => type === 'Ready')) return { score: 0, message: `not Ready: ${told}` };
  const flaws = [...(isCordoned(node) ? ['it is cordoned'] : []), ...faults.map(({ text }) => text)];
  if (flaws.length > 0) return { score: 0.5, message: `Ready, but ${flaws.join(', ')}` };
  const since = faultFreeSince(node);
  const settledAt = after(since, stabilizationMs);
  if (now >= settledAt) return { score: 1, message: 'Ready and without pressure' };
  if (settledAt < deadline) return { what: `its health: Ready and without pressure only since ${toTime(since)}`, until: settledAt };
  return { score: 0, message: `Ready, but never for ${formatDuration(stabilizationMs)} without a change` };
}

/** The last change of a condition that can report a fault; a condition without a time has never changed. */
const faultFreeSince = ({ status }: Node): Instant =>
  instant(
    Math.max(
      0,
      ...(status?.conditions ?? [])
        .filter(({ type }) => canReportFault(type))
        .map(({ lastTransitionTime }) => parseTime(lastTransitionTime) ?? 0),
    ),
  );
