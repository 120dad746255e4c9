import { hasPods, SHOP, type AlertState, type Workload } from './plot.ts';

/** One name for all workloads of a kind, which their labels distinguish; for an unknown kind, one name each. */
export const alertName = ({ kind, name }: Workload): string => (kind === 'Rollout' ? `RolloutDegraded-${name}` : `${kind}Down`);

/** Whether the alert is about the workload as it is now. Which pods are gone is known only of what has pods. */
export const fires = (workload: Workload, state: AlertState): boolean =>
  state === 'firing' || state === 'suppressed' || (state === 'stale' && !hasPods(workload));

/** An alert as Alertmanager tells of it; undefined where it has none. */
export function alertOf(workload: Workload, state: AlertState | undefined): object | undefined {
  if (state === undefined || state === 'silent') return undefined;
  const { kind, name } = workload;
  const where = kind === 'Node' ? { node: name } : { namespace: SHOP, [kind.toLowerCase()]: name };
  const labels = { alertname: alertName(workload), ...where, ...(state === 'stale' && { pod: `${name}-gone` }) };
  return { labels, status: { state: state === 'suppressed' ? 'suppressed' : 'active' } };
}

/** By what labels the alert of a workload is found. */
export const findableBy = (workload: Workload): Readonly<Record<string, string>> =>
  workload.kind === 'Node' ? { alertname: alertName(workload), node: workload.name } : { alertname: alertName(workload), namespace: SHOP };
