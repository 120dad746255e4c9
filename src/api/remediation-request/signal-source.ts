/** `spec.signalSource` of requests for the Nodes of unhealthy Machines. They stand for no alert, so Alertmanager cannot be queried whether it still fires. */
export const MACHINE_HEALTH = 'machine-health';

/** In `spec.signalAnnotations`: what the check of the Machine says is wrong, where the Node itself shows nothing of it. */
export const MACHINE_FAULT = 'remediation.sickbay.dev/fault';
