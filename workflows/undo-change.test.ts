import { describe, expect, test } from 'vitest';
import { Deployment, Node } from '../src/api/builtin/index.ts';
import { drainNode } from './drain-node/run.ts';
import { scaleReplicas } from './scale-replicas/run.ts';
import { undoChange } from './undo-change.ts';
import { aNode, aWorkload, READY } from './testing/objects.ts';
import { aScene, told } from './testing/scene.ts';
import { ANNOTATIONS } from '../src/api/well-known.ts';

const KEY = { namespace: 'shop', name: 'web' };
const to = (replicas: number, execution = 'wfe-1') =>
  told('Deployment', 'web', { REPLICAS: String(replicas), WORKFLOW_EXECUTION: execution });
const back = (more: Readonly<Record<string, string>> = {}) => told('Deployment', 'web', { WORKFLOW_EXECUTION: 'undo-1', ...more });

async function set() {
  const scene = await aScene();
  await scene.client.create(Deployment, aWorkload() as never);
  const replicas = async () => (await scene.client.get(Deployment, KEY)).spec.replicas;
  return { ...scene, replicas, own: scene.as('scale-replicas') };
}

describe('undo', () => {
  test('follows the record on the target, once', async () => {
    const { own, client, replicas } = await set();
    await scaleReplicas(own, to(5));
    expect(await undoChange('scale-replicas')(own, back({ UNDO_EXECUTION: 'wfe-1' }))).toBe(
      'Deployment shop/web scaled from 5 to 2 replicas',
    );
    const before = await client.get(Deployment, KEY);
    expect(await undoChange('scale-replicas')(own, back({ UNDO_EXECUTION: 'wfe-1' }))).toBe(
      'Deployment shop/web was already scaled from 5 to 2 replicas by undo-1',
    );
    expect([await replicas(), await client.get(Deployment, KEY)]).toEqual([2, before]);
  });

  test('by hand happens once too', async () => {
    const { own, replicas } = await set();
    const { WORKFLOW_EXECUTION: _, ...byHand } = back();
    await scaleReplicas(own, to(5));
    await undoChange('scale-replicas')(own, byHand);
    expect(await undoChange('scale-replicas')(own, byHand)).toMatch(/was already scaled from 5 to 2 replicas by undo-of-wfe-1/);
    expect(await replicas()).toBe(2);
  });

  test('tried dry changes nothing', async () => {
    const { own, client } = await set();
    await scaleReplicas(own, to(5));
    const before = await client.get(Deployment, KEY);
    expect(await undoChange('scale-replicas')(own, back(), { dryRun: true })).toContain('would be scaled from 5 to 2 replicas');
    expect(await client.get(Deployment, KEY)).toEqual(before);
  });

  test('of a drain uncordons the node, with the rights of the drain', async () => {
    const { client, as } = await aScene();
    await client.create(Node, aNode());
    await client.patchStatus(Node, { namespace: '', name: 'n1' }, { type: 'merge', body: { status: READY } });
    await drainNode(as('drain-node'), told('Node', 'n1'));
    const env = told('Node', 'n1', { WORKFLOW_EXECUTION: 'undo-1' });
    expect(await undoChange('drain-node')(as('drain-node'), env)).toBe('Node n1 uncordoned');
    expect((await client.get(Node, { namespace: '', name: 'n1' })).spec?.unschedulable).toBeUndefined();
  });
});

describe('nothing is undone', () => {
  const record = (value: object) =>
    ({ type: 'merge', body: { metadata: { annotations: { [ANNOTATIONS.undo]: JSON.stringify(value) } } } }) as const;

  test.each<{ what: string; workflow?: string; more?: Readonly<Record<string, string>>; left?: object; says: RegExp }>([
    { what: 'when another workflow changed it since', workflow: 'restart-workload', says: /by scale-replicas .*undo that first/ },
    { what: 'when another run was there since', more: { UNDO_EXECUTION: 'wfe-0' }, says: /by wfe-1 .*not by wfe-0/ },
    { what: 'of a target that is gone', more: { TARGET_RESOURCE_NAME: 'gone' }, says: /it does not exist/ },
    { what: 'of a pod that was deleted', workflow: 'delete-stuck-pod', says: /cannot be restored/ },
    {
      what: 'where the record says that nothing can',
      left: { workflow: 'scale-replicas', did: 'scaled', undo: { none: 'the earlier value is unknown' } },
      says: /the earlier value is unknown/,
    },
    {
      what: 'by an unknown workflow',
      left: { workflow: 'scale-replicas', did: 'scaled', undo: { workflow: 'toString', parameters: {} } },
      says: /not in this library/,
    },
  ])('$what', async ({ workflow = 'scale-replicas', more = {}, left, says }) => {
    const { own, client, replicas } = await set();
    await scaleReplicas(own, to(5));
    if (left) await client.patch(Deployment, KEY, record(left));
    await expect(undoChange(workflow)(own, back(more))).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(says) as string,
    });
    expect(await replicas()).toBe(5);
  });

  test('where there is no undo record', async () => {
    const { own } = await set();
    await expect(undoChange('scale-replicas')(own, back())).rejects.toThrow(/it has no undo record/);
  });
});
