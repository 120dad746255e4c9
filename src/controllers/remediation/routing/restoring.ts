import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { NODE_RECOVERY } from '../../../api/remediation-request/signal-source.ts';
import { uncordonsMachine } from '../../../api/remediation-request/uncordons-machine.ts';

/** Whether a request only restores what Sickbay changed: it undoes a change that did not help, or uncordons a Node that has recovered. No freeze holds that back. */
export const isRestoring = (request: RemediationRequest): boolean =>
  request.spec.undoOf !== undefined || request.spec.signalSource === NODE_RECOVERY || uncordonsMachine(request);
