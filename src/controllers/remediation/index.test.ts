import { describe, expect, test } from 'vitest';
import { resourceName } from '../../api/resource.ts';
import type { KubeObject } from '../../api/meta.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { createRemediationController, requestKeys } from './index.ts';
import { anAnalysis, anAssessment, anExecution, aNotification, aProcessing, aRequest, SOMEBODY_ELSES } from './testing/builders.ts';

const { watches } = createRemediationController(DEFAULT_SETTINGS);

const woken = (object: KubeObject) =>
  watches.filter(({ resource }) => resource.kind === object.kind).flatMap(({ keys, namespace }) => [namespace, ...keys(object, () => [])]);

describe('the remediation controller', () => {
  test.each<[string, KubeObject]>([
    ['[RR-212] RemediationRequest', aRequest()],
    ['[RR-213, CO-042] SignalProcessing', aProcessing()],
    ['[RR-214, CO-084] AIAnalysis', anAnalysis()],
    ['[RR-216] WorkflowExecution', anExecution()],
    ['[RR-217] EffectivenessAssessment', anAssessment()],
    ['[RR-218] NotificationRequest', aNotification('nr-completion-rr')],
  ])('%s: a change wakes the request, in our namespace only', (_, object) =>
    expect(woken(object)).toEqual(['sickbay-system', { namespace: 'sickbay-system', name: 'rr' }]),
  );

  test('what nobody controls, or something else does, wakes nobody', () => {
    expect(requestKeys(aProcessing({}, SOMEBODY_ELSES))).toEqual([]);
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Errand', name: 'rr', uid: 'u', controller: true }];
    expect(requestKeys(aProcessing({}, { ownerReferences }))).toEqual([]);
  });

  test('watches each kind once: neither Pods nor workloads are kept', () =>
    expect(watches.map(({ resource }) => resourceName(resource))).toEqual([
      'remediationrequests.kubernaut.ai',
      'signalprocessings.kubernaut.ai',
      'aianalyses.kubernaut.ai',
      'workflowexecutions.kubernaut.ai',
      'effectivenessassessments.kubernaut.ai',
      'notificationrequests.kubernaut.ai',
    ]));
});
