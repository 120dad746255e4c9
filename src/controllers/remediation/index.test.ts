import { describe, expect, test } from 'vitest';
import { resourceName } from '../../api/resource.ts';
import type { KubeObject } from '../../api/meta.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { createRemediationController, requestKeys } from './index.ts';
import {
  anAnalysis,
  anApproval,
  anAssessment,
  anExecution,
  aNotification,
  aProcessing,
  aRequest,
  SOMEBODY_ELSES,
} from './testing/builders.ts';

const { watches } = createRemediationController({ settings: () => DEFAULT_SETTINGS, identityIsChecked: () => true, isAudited: () => true });

const woken = (object: KubeObject) =>
  watches
    .filter(({ resource }) => resource.kind === object.kind)
    .flatMap(({ keys, namespace }) => [
      namespace,
      ...keys(
        object,
        () => [],
        () => [],
      ),
    ]);

describe('the remediation controller', () => {
  test.each<[string, KubeObject]>([
    ['[RR-212] RemediationRequest', aRequest()],
    ['[RR-213, CO-042] SignalProcessing', aProcessing()],
    ['[RR-214, CO-084] AIAnalysis', anAnalysis()],
    ['[RR-215, CO-098] RemediationApprovalRequest', anApproval()],
    ['[RR-216] WorkflowExecution', anExecution()],
    ['[RR-217] EffectivenessAssessment', anAssessment()],
    ['[RR-218] NotificationRequest', aNotification('nr-completion-rr')],
  ])('%s: a change wakes the request, in our namespace only', (_, object) =>
    expect(woken(object)).toEqual(['sickbay-system', { namespace: 'sickbay-system', name: 'rr' }]),
  );

  test('an object without an owner, or with an owner of another kind, wakes no request', () => {
    expect(requestKeys(aProcessing({}, SOMEBODY_ELSES))).toEqual([]);
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Errand', name: 'rr', uid: 'u', controller: true }];
    expect(requestKeys(aProcessing({}, { ownerReferences }))).toEqual([]);
  });

  test('watches each kind once, of others than ours the metadata alone, and no Pods', () =>
    expect(watches.map(({ resource, keep }) => [resourceName(resource), keep ?? 'whole'].join(' '))).toEqual([
      'remediationrequests.kubernaut.ai whole',
      'signalprocessings.kubernaut.ai whole',
      'aianalyses.kubernaut.ai whole',
      'remediationapprovalrequests.kubernaut.ai whole',
      'notificationrequests.kubernaut.ai whole',
      'workflowexecutions.kubernaut.ai whole',
      'leases.coordination.k8s.io whole',
      'effectivenessassessments.kubernaut.ai whole',
      'remediationworkflows.kubernaut.ai whole',
      'namespaces metadata',
      'deployments.apps metadata',
      'statefulsets.apps metadata',
      'daemonsets.apps metadata',
      'cronjobs.batch metadata',
    ]));
});
