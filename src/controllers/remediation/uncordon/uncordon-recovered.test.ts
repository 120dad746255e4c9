import { describe, expect, test } from 'vitest';
import type { Node } from '../../../api/builtin/index.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { MACHINE_HEALTH, NODE_RECOVERY } from '../../../api/remediation-request/signal-source.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { MINUTE, SECOND } from '../../../base/index.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { assessmentFor } from '../children/draft-children.ts';
import { decide } from '../decide.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import type { RemediationStatus } from '../status.ts';
import { ABSENT, ago, aRequest, at, effectText, NOW, UNREADABLE, value } from '../testing/builders.ts';
import { readCordon, uncordonOnceRecovered, type SeenCordon } from './uncordon-recovered.ts';

const TARGET = { kind: 'Node', name: 'worker-1', apiVersion: 'v1' };
const drained = (status: RemediationStatus = {}, spec: Partial<RemediationRequest['spec']> = {}): RemediationRequest =>
  aRequest(
    {
      overallPhase: 'Completed',
      outcome: 'Inconclusive',
      completedAt: ago(10 * MINUTE),
      workflowExecutionRef: { name: 'we-rr' },
      remediationTarget: TARGET,
      notificationRequestRefs: [{ name: 'nr-completion-rr' }],
      ...status,
    },
    { targetResource: TARGET, signalName: 'KubeNodeNotReady', signalSource: 'prometheus', ...spec },
  );

const RECORD = { workflow: 'drain-node', execution: 'we-rr', did: 'cordoned it', undo: { workflow: 'uncordon-node', parameters: {} } };
interface NodeOptions {
  readonly ready?: 'True' | 'False' | 'Unknown';
  readonly sinceMs?: number;
  readonly cordoned?: boolean;
  readonly record?: object | undefined;
}
const aNode = ({ ready = 'True', sinceMs = 5 * MINUTE, cordoned = true, record = RECORD }: NodeOptions = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'worker-1',
    uid: 'worker-1-uid',
    resourceVersion: '3',
    creationTimestamp: ago(60 * MINUTE),
    annotations: { [ANNOTATIONS.undo]: JSON.stringify(record) },
  },
  spec: { unschedulable: cordoned },
  status: { conditions: [{ type: 'Ready', status: ready, lastTransitionTime: ago(sinceMs) }] },
});

const decided = (cordon: Partial<SeenCordon>, more: Partial<RemediationSeen> = {}) => {
  const object = more.object ?? drained();
  const siblings = { kind: 'value', value: [object] } as const;
  const seen = { ...onlyRequest(object, DEFAULT_SETTINGS), execution: ABSENT, siblings, ...more };
  const whole = { ...seen, cordon: { node: value(aNode()), uncordoning: ABSENT, ...cordon } };
  const { effects, wakeAt } = uncordonOnceRecovered(whole, { status: object.status, effects: [] }, NOW);
  const requests = effects.flatMap((effect) =>
    effect.kind === 'Create' && effect.resource.kind === 'RemediationRequest' ? [effect.object as unknown as RemediationRequest] : [],
  );
  return { requests, wakeAt };
};

describe('a Node that a drain cordoned and that has recovered (ruling 130)', () => {
  test('is uncordoned by a request of its own, without any alert', () => {
    const { requests } = decided({});
    expect(requests).toMatchObject([
      {
        metadata: { name: 'rr-uncordon-rr-uid', namespace: 'sickbay-system' },
        spec: {
          signalFingerprint: drained().spec.signalFingerprint,
          signalName: 'NodeRecovered',
          signalSource: NODE_RECOVERY,
          targetResource: TARGET,
          firingTime: ago(5 * MINUTE),
        },
      },
    ]);
  });

  test('is a part of every decision about an ended request', () => {
    const seen = { ...onlyRequest(drained(), DEFAULT_SETTINGS), execution: ABSENT, siblings: value([drained()]) as never };
    const { effects } = decide({ ...seen, cordon: { node: value(aNode()), uncordoning: ABSENT } }, NOW);
    expect(effects.map(effectText)).toContain('Create RemediationRequest rr-uncordon-rr-uid');
  });

  test.each<[string, RemediationStatus]>([
    ['is Remediated', { outcome: 'Remediated' }],
    ['failed while it drained', { overallPhase: 'Failed', outcome: 'ManualReviewRequired' }],
    ['ran out of time', { overallPhase: 'TimedOut' }],
  ])('also where the drain %s', (_, status) => expect(decided({}, { object: drained(status) }).requests).toHaveLength(1));

  test.each<[string, Partial<SeenCordon>]>([
    ['its request exists already, even if a person rejected it', { uncordoning: value(aRequest()) }],
    ['it is not cordoned', { node: value(aNode({ cordoned: false })) }],
    ['no workflow cordoned it', { node: value(aNode({ record: {} })) }],
    ['another run cordoned it', { node: value(aNode({ record: { ...RECORD, execution: 'we-other' } })) }],
    ['another workflow changed it last', { node: value(aNode({ record: { ...RECORD, workflow: 'uncordon-node' } })) }],
    ['it no longer exists', { node: ABSENT }],
  ])('is left alone, and not read again, where %s', (_, cordon) => {
    expect(decided(cordon)).toEqual({ requests: [], wakeAt: undefined });
  });

  test.each<[string, Partial<SeenCordon>, number]>([
    ['it is not Ready', { node: value(aNode({ ready: 'False' })) }, MINUTE],
    ['its kubelet is silent', { node: value(aNode({ ready: 'Unknown' })) }, MINUTE],
    ['it has been Ready for less than a minute', { node: value(aNode({ sinceMs: 50 * SECOND })) }, 10 * SECOND],
    ['it cannot be read', { node: UNREADABLE }, MINUTE],
    ['it is not known whether its request exists', { uncordoning: UNREADABLE }, MINUTE],
  ])('is read again later where %s', (_, cordon, laterMs) => expect(decided(cordon)).toEqual({ requests: [], wakeAt: at(laterMs) }));

  test.each<[string, RemediationSeen['siblings']]>([
    [
      'is remediated again',
      value([drained(), { ...aRequest({ overallPhase: 'Analyzing' }), metadata: { ...aRequest().metadata, uid: 'x' } }]) as never,
    ],
    ['may be remediated again', UNREADABLE],
  ])('waits while the Node %s', (_, siblings) => expect(decided({}, { siblings })).toEqual({ requests: [], wakeAt: at(MINUTE) }));

  test('its request stands for no alert: its assessment does not ask for one', () => {
    const [request] = decided({}).requests;
    const { apiVersion, kind, metadata } = aRequest();
    const spec = assessmentFor(
      { apiVersion, kind, metadata, spec: request!.spec },
      { phase: 'Verifying', config: { stabilizationWindow: '5m' } },
    ).spec;
    expect(spec).not.toHaveProperty('signalName');
  });
});

describe('for which requests the Node is read', () => {
  const reads = async (object: RemediationRequest): Promise<boolean> => {
    const reader = { fetch: () => Promise.resolve(value(aNode())), get: () => ABSENT } as unknown as Reader;
    return (await readCordon(reader, object)) !== undefined;
  };
  test.each<[string, RemediationRequest, boolean]>([
    ['one that has ended', drained(), true],
    [
      'one that has not ended',
      aRequest({ overallPhase: 'Verifying', workflowExecutionRef: { name: 'we-rr' }, remediationTarget: TARGET }),
      false,
    ],
    ['one that never ran', aRequest({ overallPhase: 'Failed', remediationTarget: TARGET }), false],
    ['one about a Deployment', aRequest({ overallPhase: 'Completed', workflowExecutionRef: { name: 'we-rr' } }), false],
    ['one for a Machine, whose controller uncordons it', drained({}, { signalSource: MACHINE_HEALTH }), false],
  ])('%s: %s', async (_, object, want) => expect(await reads(object)).toBe(want));
});
