import { describe, expect, test } from 'vitest';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { MINUTE, type Instant } from '../../base/index.ts';
import type { Reader } from '../../runtime/controller.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { createEffectivenessController } from './index.ts';
import { observe } from './observe.ts';
import { ABSENT, aDeployment, anAssessment, aPod, at, UNREADABLE } from './testing/builders.ts';

const seenAt = (now: Instant) => ({ now, settings: DEFAULT_SETTINGS, monitoring: {} });

const KEY = { namespace: 'sickbay-system', name: 'ea-rr' };

interface Answers {
  readonly assessment?: KubeObject;
  readonly target?: unknown;
}

/** A reader that writes down what the server was asked. */
function reading({ assessment, target = { kind: 'value', value: aDeployment() } }: Answers): { reader: Reader; asked: string[] } {
  const asked: string[] = [];
  const reader = {
    get: () => (assessment ? { kind: 'value', value: assessment } : ABSENT),
    fetch: ({ kind }: Resource, { namespace, name }: ObjectKey) => {
      asked.push(`${kind} ${namespace}/${name}`);
      return Promise.resolve(target);
    },
    fetchList: ({ kind }: Resource, { namespace, labelSelector }: { namespace: string; labelSelector: string }) => {
      asked.push(`${kind} ${namespace} ${labelSelector}`);
      return Promise.resolve({ kind: 'value', value: [aPod('a')] });
    },
  } as unknown as Reader;
  return { reader, asked };
}

const assessing = (kind = 'Deployment', apiVersion?: string) =>
  anAssessment(
    { phase: 'Assessing' },
    { remediationTarget: { kind, name: 'checkout', namespace: 'shop', ...(apiVersion !== undefined && { apiVersion }) } },
  );

describe('observe', () => {
  test.each(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'])('[EM-249] %s: it, and its pods by its selector', async (kind) => {
    const { reader, asked } = reading({ assessment: assessing(kind) });
    const seen = await observe(KEY, reader, seenAt(at(6 * MINUTE)));
    expect(asked).toEqual([`${kind} shop/checkout`, 'Pod shop app=checkout']);
    expect(seen?.pods).toMatchObject({ kind: 'value', value: [{ metadata: { name: 'a' } }] });
  });

  test('a selector of several terms is written as the API reads it', async () => {
    const deployment = aDeployment();
    const matchExpressions = [{ key: 'tier', operator: 'In', values: ['web', 'api'] }];
    const value = { ...deployment, spec: { ...deployment.spec, selector: { matchLabels: { app: 'x' }, matchExpressions } } };
    const { reader, asked } = reading({ assessment: assessing(), target: { kind: 'value', value } });
    await observe(KEY, reader, seenAt(at(6 * MINUTE)));
    expect(asked[1]).toBe('Pod shop app=x,tier in (web,api)');
  });

  test('a Pod is its own pod', async () => {
    const { reader, asked } = reading({ assessment: assessing('Pod'), target: { kind: 'value', value: aPod('checkout') } });
    const seen = await observe(KEY, reader, seenAt(at(6 * MINUTE)));
    expect(asked).toEqual(['Pod shop/checkout']);
    expect(seen?.pods).toMatchObject({ kind: 'value', value: [{ metadata: { name: 'checkout' } }] });
  });

  test('a Service has no pods of its own, and a Node no namespace', async () => {
    expect((await observe(KEY, reading({ assessment: assessing('Service') }).reader, seenAt(at(6 * MINUTE))))?.pods).toBeUndefined();
    const { reader, asked } = reading({ assessment: assessing('Node') });
    await observe(KEY, reader, seenAt(at(6 * MINUTE)));
    expect(asked).toEqual(['Node /checkout']);
  });

  test('without the target its pods are not known', async () => {
    const { reader, asked } = reading({ assessment: assessing(), target: UNREADABLE });
    expect(await observe(KEY, reader, seenAt(at(6 * MINUTE)))).toMatchObject({
      target: UNREADABLE,
      pods: { kind: 'unreadable' },
    });
    expect(asked).toHaveLength(1);
  });

  test('a kind that we do not know is unreadable, never absent', async () => {
    const { reader, asked } = reading({ assessment: assessing('Rollout', 'argoproj.io/v1alpha1') });
    const seen = await observe(KEY, reader, seenAt(at(6 * MINUTE)));
    expect(seen?.target).toEqual({ kind: 'unreadable', reason: 'Rollout is not a kind that can be read' });
    expect(asked).toEqual([]);
  });

  test.each([
    ['before it is assessing', anAssessment({ phase: 'Stabilizing' }), 4 * MINUTE],
    ['after it has ended', anAssessment({ phase: 'Completed' }), 6 * MINUTE],
    ['at the deadline', assessing(), 30 * MINUTE],
  ])('nothing is read %s', async (_, assessment, atMs) => {
    const { reader, asked } = reading({ assessment });
    expect(await observe(KEY, reader, seenAt(at(atMs)))).toMatchObject({ target: { kind: 'unreadable' } });
    expect(asked).toEqual([]);
  });

  const config = { stabilizationWindow: '5m', hashComputeDelay: '4m' };
  test.each([
    ['WaitingForPropagation', 4 * MINUTE - 1, undefined, 0],
    ['WaitingForPropagation', 4 * MINUTE, undefined, 1],
    ['Stabilizing', 5 * MINUTE, undefined, 1],
    ['Stabilizing', 5 * MINUTE, { baselineSpecHash: 'sha256:…' }, 0],
    ['Stabilizing', 9 * MINUTE, undefined, 0],
  ] as const)('of what others apply, in %s at %i ms with %j, the target is read %i times', async (phase, atMs, components, times) => {
    const { reader, asked } = reading({ assessment: anAssessment({ phase, ...(components && { components }) }, { config }) });
    await observe(KEY, reader, seenAt(at(atMs)));
    expect(asked).toHaveLength(times);
  });

  test('what is gone is gone', async () => expect(await observe(KEY, reading({}).reader, seenAt(at(0)))).toBeUndefined());

  test('each pass rests on the settings of its own time', async () => {
    let settings = DEFAULT_SETTINGS;
    const controller = createEffectivenessController(() => settings);
    const { reader } = reading({ assessment: anAssessment({ phase: 'Stabilizing' }) });
    settings = { ...DEFAULT_SETTINGS, validityMs: MINUTE };
    expect((await controller.observe(KEY, reader, at(0)))?.settings).toBe(settings);
  });

  test('the controller follows the assessments of our namespace, and their requests', () => {
    const { watches } = createEffectivenessController(() => DEFAULT_SETTINGS);
    expect(watches.map(({ resource, namespace }) => [resource.kind, namespace])).toEqual([
      ['EffectivenessAssessment', 'sickbay-system'],
      ['RemediationRequest', 'sickbay-system'],
    ]);
    expect(watches[0]?.keys(anAssessment(), () => [])).toEqual([KEY]);
  });
});
