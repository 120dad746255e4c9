import { describe, expect, test } from 'vitest';
import { Deployment, Namespace } from '../../../api/builtin/index.ts';
import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { keyText, type KubeObject } from '../../../api/meta.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { resourceName, type Resource } from '../../../api/resource.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { silent } from '../../../base/index.ts';
import { ObjectStore } from '../../../kube/cache/object-store.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { createObservationReader } from '../../../runtime/reconcile/observation-reader.ts';
import { anObject, fakeClient } from '../../../testkit/fake-client.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { gatherEvidence, type GatherOptions } from './gather-evidence.ts';
import { assessmentIndexes, executionIndexes, requestIndexes } from './indexes.ts';
import { SCOPE_KINDS } from './read-scope.ts';
import { anAssessment, anExecution, aRequest, TARGET, WORKFLOW } from './testing/builders.ts';

const SETTINGS = DEFAULT_SETTINGS;
const MANAGED = { 'kubernaut.ai/managed': 'true' };
const PLAN = { workflowId: WORKFLOW, target: TARGET, specHash: 'sha256:1' };
const done = { overallPhase: 'Completed', remediationTarget: TARGET, workflowExecutionRef: { name: 'we' } } as const;

/** A cache with these objects, and a server with those; `asked` is what was read there. */
function aWorld(cached: readonly KubeObject[], served: readonly KubeObject[] = [], unreadable: readonly Resource[] = []) {
  const stores = new Map<string, ObjectStore<KubeObject>>();
  const follow = (resource: Resource, indexes: object = {}): void => {
    const store = new ObjectStore<KubeObject>({ resource }, silent);
    store.addIndexes(indexes as Record<string, (object: KubeObject) => readonly string[]>);
    store.replace(
      cached.filter(({ kind }) => kind === resource.kind),
      '9',
    );
    if (unreadable.includes(resource)) store.unreadable = 'forbidden';
    stores.set(resourceName(resource), store);
  };
  follow(RemediationRequest, requestIndexes);
  follow(WorkflowExecution, executionIndexes);
  follow(EffectivenessAssessment, assessmentIndexes);
  for (const resource of SCOPE_KINDS) follow(resource);
  const asked: string[] = [];
  const lists: string[] = [];
  const reader = createObservationReader({ stores, client: fakeClient().client, signal: new AbortController().signal });
  const noting: Reader = {
    ...reader,
    list: (resource, by) => {
      lists.push(`${resource.kind} by ${by?.index ?? 'nothing'}`);
      return reader.list(resource, by);
    },
    fetch: <T extends KubeObject>(resource: Resource<T>, key: { namespace: string; name: string }): Promise<Read<T>> => {
      asked.push(`${resource.kind} ${keyText(key)}`);
      const found = served.find(({ kind, metadata }) => kind === resource.kind && metadata.name === key.name);
      return Promise.resolve(found ? { kind: 'value', value: found as T } : { kind: 'absent' });
    },
  };
  return {
    asked,
    lists,
    gather: (request: RemediationRequest, more: Partial<GatherOptions> = {}) =>
      gatherEvidence(noting, request, { settings: SETTINGS, ...more }),
  };
}

const deployment = (labels?: object) => anObject('Deployment', { metadata: { namespace: 'shop', name: 'checkout', labels } });
const namespace = (labels?: object) => anObject('Namespace', { metadata: { namespace: undefined, name: 'shop', labels } });
const namesIn = (listed: { readonly kind: string; readonly value?: readonly KubeObject[] } | undefined) =>
  listed?.value?.map(({ metadata }) => metadata.name);

describe('the evidence', () => {
  const another = { spec: { signalFingerprint: 'c'.repeat(64) } };

  test('before the analysis: the other requests of the fingerprint, and nothing of a plan', async () => {
    const world = aWorld([aRequest('rr'), aRequest('twin'), aRequest('stranger', {}, another)], [deployment(MANAGED)]);
    const evidence = await world.gather(aRequest('rr'));
    expect(namesIn(evidence.others)).toEqual(['twin']);
    expect(evidence).toMatchObject({ scope: { kind: 'in' }, routing: SETTINGS.routing });
    expect(evidence).not.toHaveProperty('planned');
    expect(evidence).not.toHaveProperty('blockingExecution');
  });

  test('after it: what was done to the target before, whatever the fingerprint', async () => {
    const world = aWorld(
      [
        aRequest('rr'),
        aRequest('before', done, another),
        aRequest('elsewhere', { ...done, remediationTarget: { ...TARGET, name: 'cart' } }),
        anExecution('before', {}),
        anExecution('elsewhere', {}, { targetResource: 'shop/Deployment/cart' }),
        anAssessment('before', {}),
        anAssessment('elsewhere', {}),
      ],
      [deployment(MANAGED)],
    );
    const { planned } = await world.gather(aRequest('rr'), { plan: PLAN });
    expect(planned).toMatchObject({ ...PLAN, scope: { kind: 'in' } });
    expect(namesIn(planned?.executions)).toEqual(['we-before']);
    expect(namesIn(planned?.history)).toEqual(['before']);
    expect(namesIn(planned?.assessments)).toEqual(['ea-before']);
  });

  test('after it: the assessments of all that was done to the target', async () => {
    const past = ['one', 'two'].flatMap((name) => [aRequest(name, done, another), anAssessment(name, {})]);
    const { planned } = await aWorld([aRequest('rr'), ...past], [deployment(MANAGED)]).gather(aRequest('rr'), { plan: PLAN });
    expect(planned?.assessments.kind).toBe('value');
    expect(namesIn(planned?.assessments)?.toSorted()).toEqual(['ea-one', 'ea-two']);
  });

  test('of a blocked request: the recorded plan, and the execution that it waits for', async () => {
    const status = { overallPhase: 'Blocked', blockReason: 'ResourceBusy', blockingWorkflowExecution: 'we-other' } as const;
    const selectedWorkflowRef = { workflowId: WORKFLOW, version: '1.0.0', executionBundle: 'b:1' };
    const request = aRequest('rr', { ...status, remediationTarget: TARGET, selectedWorkflowRef });
    const world = aWorld([request, anExecution('other', {})], [deployment(MANAGED)]);
    const evidence = await world.gather(request);
    expect(evidence.planned).toMatchObject({ workflowId: WORKFLOW, target: TARGET });
    expect(evidence.blockingExecution).toMatchObject({ kind: 'value', value: { metadata: { name: 'we-other' } } });
    const gone = await aWorld([request]).gather(request);
    expect(gone.blockingExecution).toEqual({ kind: 'absent' });
  });

  test('is found by indexes alone', async () => {
    const world = aWorld([aRequest('rr'), aRequest('before', done), anAssessment('before', {})], [deployment(MANAGED)]);
    await world.gather(aRequest('rr'), { plan: PLAN });
    expect(world.lists).toEqual([
      'RemediationRequest by fingerprint',
      'RemediationRequest by remediated',
      'WorkflowExecution by target',
      'EffectivenessAssessment by request',
    ]);
  });

  test('of a kind that cannot be read is unreadable, never empty', async () => {
    const read = async (kind: Resource) => await aWorld([aRequest('before', done)], [], [kind]).gather(aRequest('rr'), { plan: PLAN });
    const noRequests = await read(RemediationRequest);
    expect(noRequests.others.kind).toBe('unreadable');
    expect(noRequests.planned?.history.kind).toBe('unreadable');
    expect(noRequests.planned?.assessments.kind).toBe('unreadable');
    expect((await read(WorkflowExecution)).planned?.executions.kind).toBe('unreadable');
    expect((await read(EffectivenessAssessment)).planned?.assessments.kind).toBe('unreadable');
  });
});

describe('the scope', () => {
  const scopeIn = async (world: ReturnType<typeof aWorld>, more: Partial<GatherOptions> = {}, request = aRequest('rr')) =>
    (await world.gather(request, more)).scope;

  test('is asked of the server, the namespace only where it matters', async () => {
    const labelled = aWorld([], [deployment(MANAGED)]);
    expect(await scopeIn(labelled)).toEqual({ kind: 'in' });
    expect(labelled.asked).toEqual(['Deployment shop/checkout']);
    const silentOne = aWorld([], [deployment(), namespace(MANAGED)]);
    expect(await scopeIn(silentOne)).toEqual({ kind: 'in' });
    expect(silentOne.asked).toEqual(['Deployment shop/checkout', 'Namespace shop']);
    expect(await scopeIn(aWorld([], [deployment(), namespace()]))).toMatchObject({ kind: 'out' });
  });

  test('is read from the cache for kinds that are followed', async () => {
    const world = aWorld([deployment(), namespace(MANAGED)]);
    expect(await scopeIn(world, { followed: [Namespace, Deployment] })).toEqual({ kind: 'in' });
    expect(world.asked).toEqual([]);
    const half = aWorld([namespace(MANAGED)], [deployment()]);
    expect(await scopeIn(half, { followed: [Namespace] })).toEqual({ kind: 'in' });
    expect(half.asked).toEqual(['Deployment shop/checkout']);
  });

  test('is asked of the server where the cache cannot read the kind', async () => {
    const world = aWorld([], [deployment(MANAGED)], [Deployment]);
    expect(await scopeIn(world, { followed: [Deployment] })).toEqual({ kind: 'in' });
    expect(world.asked).toEqual(['Deployment shop/checkout']);
  });

  test('of a kind that we cannot read is a no that says so', async () => {
    const targetResource = { kind: 'Database', name: 'orders', namespace: 'shop', apiVersion: 'db.example/v1' };
    const world = aWorld([], [namespace(MANAGED)]);
    expect(await scopeIn(world, {}, aRequest('rr', {}, { spec: { targetResource } }))).toEqual({
      kind: 'out',
      message: 'Database orders is of a kind that Sickbay cannot read, and is never worked on',
    });
  });

  test('of what is to be changed is read apart where that is another resource, and once where it is the same', async () => {
    const same = aWorld([], [deployment(MANAGED)]);
    await same.gather(aRequest('rr'), { plan: PLAN });
    expect(same.asked).toEqual(['Deployment shop/checkout']);
    const other = aWorld([], [deployment(MANAGED), namespace()]);
    const { scope, planned } = await other.gather(aRequest('rr'), { plan: { ...PLAN, target: { ...TARGET, name: 'cart' } } });
    expect(scope).toEqual({ kind: 'in' });
    expect(planned?.scope).toMatchObject({ kind: 'out' });
  });
});
