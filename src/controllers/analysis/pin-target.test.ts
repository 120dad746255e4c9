import { describe, expect, test } from 'vitest';
import { aCrashingPod, aPod, aReplicaSet, evidenceOf } from '../../analyst/testing/a-deployment.ts';
import { aWorkflow } from '../../analyst/testing/a-workflow.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { ConfigMap, Deployment, Pod } from '../../api/builtin/index.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { after, SECOND, toTime } from '../../base/index.ts';
import type { Read, Reader } from '../../runtime/reconcile/controller.ts';
import { fingerprint } from '../target/index.ts';
import { aConfigMap, given, UNREADABLE, value } from '../target/testing/builders.ts';
import { decide } from './decide.ts';
import { observe } from './observe.ts';
import { anAnalysis, NOW } from './testing/an-analysis.ts';

const KEY = { namespace: 'sickbay-system', name: 'ai-rr-1' };
const container = { name: 'app', image: 'shop:3', envFrom: [{ configMapRef: { name: 'settings' } }] };
const { deployment } = evidenceOf(undefined, {
  template: { metadata: { labels: { app: 'checkout' } }, spec: { containers: [container] } },
});
const settings = value(aConfigMap({ a: '1' }));

const ownedBy = <T extends KubeObject>(owner: KubeObject, object: T): T => {
  const { apiVersion, kind, metadata } = owner;
  const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true }];
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
};

interface World {
  readonly configMap?: Read<ConfigMap>;
  readonly pod?: (name: string) => Pod;
  readonly catalogue?: readonly KubeObject[];
  /** What the signal is about, where that is not the Deployment. */
  readonly target?: AIAnalysis['spec']['analysisRequest']['signalContext']['targetResource'];
}

/** An investigation of a Deployment in its third revision whose pods are given a ConfigMap. */
async function investigate({ configMap = settings, pod = aCrashingPod, catalogue = [aWorkflow('rollback')], target }: World = {}) {
  const context = target ? { context: { targetResource: target } } : {};
  const object = anAnalysis({ status: { phase: 'Investigating', startedAt: toTime(NOW) }, ...context });
  const sets = [3, 2].map((revision) => aReplicaSet(revision, { created: revision === 3 ? 9 : 24 * 60 }));
  const lists: Readonly<Record<string, readonly KubeObject[]>> = {
    ReplicaSet: sets.map((set) => ownedBy(deployment, set)),
    Pod: ['c1', 'c2'].map((name) => ownedBy(sets[0] ?? deployment, pod(name))),
  };
  const asked: string[] = [];
  const reader = {
    get: () => value(object),
    list: () => value(catalogue),
    fetch: ({ kind }: Resource, { namespace, name }: ObjectKey) => {
      asked.push(`${kind} ${namespace}/${name}`);
      return Promise.resolve(
        kind === 'ConfigMap' ? configMap : value(lists[kind]?.find(({ metadata }) => metadata.name === name) ?? deployment),
      );
    },
    fetchList: ({ kind }: Resource) => Promise.resolve(value(lists[kind] ?? [])),
  } as unknown as Reader;
  const seen = await observe(KEY, reader, NOW);
  const decision = seen && decide(seen, NOW);
  return { asked, decision, status: decision?.status as NonNullable<AIAnalysis['status']> };
}

const target = (found: Read<ConfigMap>): KubeObject => given(deployment satisfies Deployment, { settings: found });

describe('the target of a plan', () => {
  test('is pinned with the ConfigMaps that its pods are given', async () => {
    const { asked, status } = await investigate();
    expect(asked).toEqual(['Deployment shop/checkout', 'ConfigMap shop/settings']);
    expect(status.phase).toBe('Analyzing');
    expect(status.rootCauseAnalysis?.remediationTarget).toMatchObject({
      uid: deployment.metadata.uid,
      specHash: fingerprint(target(settings)).specHash,
    });
  });

  test('[EM-251] is the Deployment where the signal is about one of its pods, and so is the spec', async () => {
    const { asked, status } = await investigate({ target: { kind: 'Pod', name: 'c1', namespace: 'shop' } });
    expect(asked.slice(0, 3)).toEqual(['Pod shop/c1', 'ReplicaSet shop/checkout-3', 'Deployment shop/checkout']);
    expect(status.rootCauseAnalysis?.remediationTarget).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: 'checkout',
      namespace: 'shop',
      uid: deployment.metadata.uid,
      specHash: fingerprint(target(settings)).specHash,
    });
  });

  test('is pinned without one that does not exist, which is a state too', async () => {
    const { status } = await investigate({ configMap: { kind: 'absent' } });
    expect(status.phase).toBe('Analyzing');
    expect(status.rootCauseAnalysis?.remediationTarget?.specHash).toBe(fingerprint(target({ kind: 'absent' })).specHash);
  });

  test('is analysed again later where one cannot be read, and the status says why', async () => {
    const { status, decision } = await investigate({ configMap: UNREADABLE });
    expect(status).toMatchObject({
      phase: 'Investigating',
      message: 'reading the ConfigMaps that the pods of Deployment shop/checkout use: ConfigMap settings cannot be read: forbidden',
      consecutiveFailures: 1,
    });
    expect(status.rootCauseAnalysis).toBeUndefined();
    expect(decision?.wakeAt).toBe(after(NOW, 10 * SECOND));
  });

  test('need not be known where there is no plan for it: manual review is requested at once', async () => {
    const { status } = await investigate({ configMap: UNREADABLE, catalogue: [] });
    expect(status).toMatchObject({ phase: 'Completed', needsHumanReview: true });
    expect(status.rootCauseAnalysis?.remediationTarget).toMatchObject({ uid: deployment.metadata.uid });
    expect(status.rootCauseAnalysis?.remediationTarget).not.toHaveProperty('specHash');
  });

  test.each([settings, UNREADABLE])('that is healthy needs no workflow, whatever is read of its ConfigMaps: %j', async (configMap) => {
    const { asked, status } = await investigate({ pod: aPod, configMap });
    expect(status).toMatchObject({ phase: 'Completed', reason: 'WorkflowNotNeeded' });
    expect(asked).toEqual(['Deployment shop/checkout', 'ConfigMap shop/settings']);
  });
});
