/** `spec.signalSource` of requests for the Nodes of unhealthy Machines. They stand for no alert, so Alertmanager cannot be queried whether it still fires. */
export const MACHINE_HEALTH = 'machine-health';

/** In `spec.signalAnnotations`: what the check of the Machine says is wrong, where the Node itself shows nothing of it. */
export const MACHINE_FAULT = 'remediation.sickbay.dev/fault';

/** In `spec.signalAnnotations`: the check of the Machine waited for its timeout before it asked, so what the Node shows is not new. */
export const MACHINE_FAULT_LASTED = 'remediation.sickbay.dev/fault-lasted';

/** `spec.signalSource` of requests that uncordon a Node which a workflow drained and which has recovered. They stand for no alert. */
export const NODE_RECOVERY = 'node-recovery';

/** `spec.signalSource` of requests that an Event of Kubernetes opened. Alertmanager knows nothing of it. */
export const KUBERNETES_EVENTS = 'kubernetes-events';

/** `spec.signalSource` of requests that an alert of Grafana opened. Grafana evaluates it itself: the Alertmanager that is asked knows nothing of it. */
export const GRAFANA = 'grafana';

const NO_ALERTS: readonly (string | undefined)[] = [MACHINE_HEALTH, NODE_RECOVERY, KUBERNETES_EVENTS, GRAFANA];

/** In `spec.signalAnnotations` of a request for a failed Node: the workload that its alert is about. Such an alert does not name the Node. */
export const CONSEQUENCE = 'remediation.sickbay.dev/consequence';

interface SignalOrigin {
  readonly signalSource?: string;
  readonly signalAnnotations?: Readonly<Record<string, string>>;
}

/** Whether a request stands for an alert about its target that Alertmanager can be queried for. */
export const standsForAlert = ({ signalSource, signalAnnotations }: SignalOrigin): boolean =>
  !NO_ALERTS.includes(signalSource) && signalAnnotations?.[CONSEQUENCE] === undefined;
