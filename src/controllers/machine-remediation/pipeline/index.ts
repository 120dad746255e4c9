/**
 * The pipeline remediator: an unhealthy Machine goes the way of every other problem. For each PipelineRemediation that a MachineHealthCheck makes it
 * opens a RemediationRequest for the Machine's Node, and the next one when that did not help; the pipeline does the rest: analysis, approval, a
 * workflow under the budget, verification.
 *
 *   Pending ─▶ Requested ⇄ Succeeded │ Failed          deleted:    Ending ─▶ gone
 *
 * Reading order:
 * - `decide.ts` dispatches on the phase and opens RemediationRequests one after the other; `observe.ts` is the only reader.
 * - `eligibility.ts` decides why a Machine is not remediated: the safety rules are there.
 * - `draft-request.ts` is the RemediationRequest, `create-request.ts` creates it. Its fingerprint and name are those that an alert about the Node would
 *   lead to (api/remediation-request), so that there is one remediation for a Node at a time: an open one is waited for.
 * - `decide-deletion.ts` is what happens when the Machine is healthy again: `cancel-request.ts` cancels what does not run yet, and a Node that a
 *   workflow cordoned (`cordon.ts`) is uncordoned by a request of its own.
 */
import { Machine } from '../../../api/machine/machine.ts';
import { keyOf, keyText } from '../../../api/meta.ts';
import { PipelineRemediation } from '../../../api/pipeline-remediation/pipeline-remediation.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { Controller, Watch } from '../../../runtime/reconcile/controller.ts';
import type { SettingsSource } from '../../settings.ts';
import { decide } from './decide.ts';
import { observe, type PipelineContext, type PipelineSeen } from './observe.ts';

const BY_REQUEST = 'request';
const BY_KEY = 'key';

/** Hands the Nodes of unhealthy Machines to the pipeline. `account` is who we are to the API server, `isLocalCluster` which Clusters stand for this one,
 * `definitions` the kinds of checks that report the health of Machines. */
export function createPipelineRemediationController(
  settings: SettingsSource,
  account: string,
  { isLocalCluster = () => false, definitions = 'sickbay' }: Partial<Pick<PipelineContext, 'isLocalCluster' | 'definitions'>> = {},
): Controller<PipelineSeen> {
  const own: Watch<PipelineRemediation> = {
    resource: PipelineRemediation,
    indexes: {
      [BY_REQUEST]: ({ status }) => [status?.remediationRequestRef?.name, status?.reopeningRef?.name].filter((name) => name !== undefined),
      [BY_KEY]: (object) => [keyText(keyOf(object))],
    },
    keys: (object) => [keyOf(object)],
  };
  const requests: Watch<RemediationRequest> = {
    resource: RemediationRequest,
    namespace: settings().namespace,
    keys: ({ metadata }, related) => related(PipelineRemediation, { index: BY_REQUEST, value: metadata.name }),
  };
  const machines: Watch<Machine> = {
    resource: Machine,
    // Most Machines have no PipelineRemediation.
    keys: (machine, related) => related(PipelineRemediation, { index: BY_KEY, value: keyText(keyOf(machine)) }),
  };
  return {
    name: 'pipeline-remediation',
    primary: PipelineRemediation,
    watches: [own, requests, machines] as readonly unknown[] as readonly Watch[],
    observe: (key, reader) => observe(key, reader, { settings: settings(), account, isLocalCluster, definitions }),
    decide,
  };
}
