import { ACCOUNT, bindClusterRole, bindRole, type Grant, type Places } from './grant.ts';

const MONITORING = 'openshift-monitoring';

/** On OpenShift the platform's Prometheus and Alertmanager sit behind proxies that ask what an account may do; these roles are there. */
export const openShiftRights = (places: Places): readonly Grant[] => [
  bindClusterRole(`${ACCOUNT}-cluster-monitoring-view`, 'cluster-monitoring-view', places),
  bindRole({ name: `${ACCOUNT}-alertmanager-view`, namespace: MONITORING }, 'monitoring-alertmanager-view', places),
];
