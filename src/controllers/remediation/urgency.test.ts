import { describe, expect, test } from 'vitest';
import type { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { decide } from './decide.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { childNames } from '../child-names.ts';
import { analysisFor, signalProcessingFor } from './children/draft-children.ts';
import { draftNotification } from './notifications/messages.ts';
import { requiredNotifications } from './notifications/required-notifications.ts';
import { onlyRequest, type RemediationSeen } from './observe.ts';
import type { RemediationStatus } from './status.ts';
import {
  ABSENT,
  ago,
  analyzing,
  anAnalysis,
  anApproval,
  aProcessing,
  aRequest,
  at,
  awaiting,
  NOW,
  pending,
  value,
} from './testing/builders.ts';
import { priorityOfRequest, severityOfRequest, severityText } from './urgency.ts';

type Alerts = NonNullable<NonNullable<RemediationStatus['deduplication']>['alerts']>;
const alert = (name: string, severity: string, resolved = false): Alerts[number] => ({
  name,
  severity,
  instance: name,
  lastSeenAt: ago(0),
  ...(resolved && { resolvedAt: ago(0) }),
});
const WARNING = { severity: 'warning' };
const JOINED = { deduplication: { alerts: [alert('KubePodCrashLooping', 'warning'), alert('CheckoutDown', 'critical')] } };
const raised = (status: RemediationStatus = {}) => aRequest({ ...status, ...JOINED }, WARNING);

/** A signal that was analysed as a warning in this environment. */
function analysedIn(environment: string, businessPriority: string) {
  const analysis = anAnalysis({ approvalRequired: true });
  const { analysisRequest } = analysis.spec;
  const signalContext = { ...analysisRequest.signalContext, environment, businessPriority };
  return { ...analysis, spec: { ...analysis.spec, analysisRequest: { ...analysisRequest, signalContext } } };
}

describe('the severity of a request (ruling 128)', () => {
  test.each([
    ['the one that opened it', [], 'warning'],
    ['a more severe one that joined', [alert('B', 'critical')], 'critical'],
    ['a more severe one that joined and resolved', [alert('B', 'critical', true)], 'critical'],
    ['a more severe one of the same name', [alert('KubePodCrashLooping', 'high')], 'high'],
    ['a less severe one that joined changes nothing', [alert('B', 'info')], 'warning'],
    ['one in the words of another source', [alert('B', 'sev1')], 'critical'],
  ])('%s', (_, alerts, want) => expect(severityOfRequest(aRequest({ deduplication: { alerts } }, WARNING))).toBe(want));

  test('keeps the words of the source as long as no signal raises it', () =>
    expect(severityText(aRequest({ deduplication: { alerts: [alert('B', 'warn')] } }, { severity: 'minor' }))).toBe('minor'));
});

describe('a critical signal that joins a warning', () => {
  test.each([
    ['Production', 'P2', 'P0'],
    ['Staging', 'P2', 'P1'],
    ['Test', 'P3', 'P3'],
    ['Unknown', 'P3', 'P3'],
    ['Production', 'P0', 'P0'],
  ])('in %s makes %s %s', (environment, before, want) => expect(priorityOfRequest(raised(), analysedIn(environment, before))).toBe(want));

  test('leaves the priority as it was assigned where it raises nothing', () =>
    expect(priorityOfRequest(aRequest({}, WARNING), analysedIn('Production', 'P3'))).toBe('P3'));

  test('before its processing is processed and analysed as critical', () => {
    expect(signalProcessingFor(raised(), at(0)).spec.signal.severity).toBe('critical');
    const classified = aProcessing({
      severity: 'warning',
      environmentClassification: { environment: 'Production', source: 'namespace-labels', classifiedAt: ago(0) } as never,
      priorityAssignment: { priority: 'P2', source: 'built-in', policyName: 'production', assignedAt: ago(0) } as never,
    });
    const { signalContext } = analysisFor(raised(), classified, { attempt: 1, timesOutAt: at(0) }).spec.analysisRequest;
    expect(signalContext).toMatchObject({ severity: 'critical', businessPriority: 'P0' });
  });

  const decidedOn = (status: RemediationStatus, seen: Partial<RemediationSeen> = {}) => {
    const object = raised(status);
    return decide({ ...onlyRequest(object, DEFAULT_SETTINGS), siblings: { kind: 'value', value: [object] }, ...seen }, NOW);
  };

  test('shows in status', () => {
    expect(decidedOn(pending, { processing: value(aProcessing({ phase: 'Enriching' })) }).status).toMatchObject({ severity: 'critical' });
    const analysis = value({ ...analysedIn('Production', 'P2'), status: { phase: 'Analyzing' } });
    expect(decidedOn(analyzing, { analysis } as never).status).toMatchObject({ severity: 'critical', priority: 'P0' });
  });

  test('and a signal that is not more severe leaves no trace there', () => {
    const object = aRequest(analyzing, WARNING);
    const seen = { ...onlyRequest(object, DEFAULT_SETTINGS), analysis: value(analysedIn('Production', 'P2')) };
    const { status } = decide(seen, NOW);
    expect(status).not.toHaveProperty('severity');
    expect(status).not.toHaveProperty('priority');
  });

  describe('while approval is awaited', () => {
    const analysis = analysedIn('Production', 'P2');
    const request = raised(awaiting);
    const names = childNames(request.metadata.name);
    const sent = (priority: NotificationRequest['spec']['priority']): NotificationRequest => {
      const [notice] = requiredNotifications(request, analysis, DEFAULT_SETTINGS);
      const draft = draftNotification({ ...(notice as NonNullable<typeof notice>), priority }, request, analysis);
      return { ...draft, metadata: { ...draft.metadata, uid: 'nr-uid' } } as NotificationRequest;
    };
    const told = (before: NotificationRequest | undefined) =>
      decidedOn(awaiting, {
        analysis: value(analysis),
        approval: value(anApproval()),
        messages: { [names.approvalNotice()]: before ? value(before) : ABSENT, [names.raisedNotice(1, 'Critical')]: ABSENT },
      }).effects.map((effect) => ('object' in effect ? effect.object : undefined) as unknown as NotificationRequest);

    test('the approvers are notified again, with the higher priority', () => {
      const [notice, ...more] = told(sent('Medium'));
      expect(more).toEqual([]);
      expect(notice).toMatchObject({ metadata: { name: 'nr-approval-rr-critical' }, spec: { priority: 'Critical', severity: 'critical' } });
      expect(notice?.spec.body).toContain('Signal: KubePodCrashLooping (critical)');
      expect(notice?.spec.body).toContain('Joined: CheckoutDown (critical)');
    });

    test('but once, where the first notification is sent after the signal joined', () => {
      expect(told(undefined)).toMatchObject([{ metadata: { name: 'nr-approval-rr' }, spec: { priority: 'Critical' } }]);
      expect(told(sent('Critical'))).toEqual([]);
    });
  });
});
