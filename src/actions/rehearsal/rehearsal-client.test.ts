import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aWorkflow } from '../../analyst/testing/a-workflow.ts';
import { Deployment, Pod } from '../../api/builtin/index.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { RehearsalStage } from '../testing/rehearsal-stage.ts';
import { rehearsalClient, type RehearsalClient } from './rehearsal-client.ts';

const NAMESPACE = 'sickbay-system';
const containing = (text: string): unknown => expect.stringContaining(text);
const keyOf = (name: string) => ({ namespace: NAMESPACE, name });

let stage: RehearsalStage;
let client: RehearsalClient;
beforeEach(async () => {
  stage = await new RehearsalStage().open({ installed: true });
  await stage.put(RemediationWorkflow, aWorkflow('stored'));
  await stage.shop();
  client = rehearsalClient(stage.reader, { namespace: NAMESPACE, clock: stage.clock });
});
afterEach(() => {
  expect(stage.sent.filter(({ method }) => method !== 'GET')).toEqual([]);
  stage.close();
});

const names = async (options = {}) => (await client.list(RemediationWorkflow, options)).items.map(({ metadata }) => metadata.name);

describe('a client for rehearsals', () => {
  test('reads what is stored, and keeps what it creates beside it', async () => {
    await client.create(RemediationWorkflow, {
      ...aWorkflow('made'),
      metadata: { name: 'made', namespace: NAMESPACE, labels: { a: 'b' } },
    });
    expect(await names()).toEqual(['stored', 'made']);
    expect(await names({ labelSelector: 'a=b' })).toEqual(['made']);
    expect(await names({ namespace: 'elsewhere' })).toEqual([]);
    expect((await client.get(RemediationWorkflow, keyOf('made'))).metadata.uid).toMatch(/^rehearsal-/);
    await expect(stage.admin.get(RemediationWorkflow, keyOf('made'))).rejects.toThrow(/not found/);
  });

  test('a status patch hides the stored object, and changes it as a merge patch does', async () => {
    const patch = (status: object) => client.patchStatus(RemediationWorkflow, keyOf('stored'), { type: 'merge', body: { status } });
    await patch({ catalogStatus: 'Active', conditions: [] });
    await patch({ catalogStatus: 'Deprecated', conditions: null });
    const { status, metadata } = await client.get(RemediationWorkflow, keyOf('stored'));
    expect(status).toEqual({ catalogStatus: 'Deprecated' });
    expect(await names()).toEqual(['stored']);
    expect(metadata.uid).toBe((await stage.admin.get(RemediationWorkflow, keyOf('stored'))).metadata.uid);
  });

  test('answers as a server does: a name that is taken, a name that is not there', async () => {
    await expect(client.create(RemediationWorkflow, aWorkflow('stored'))).rejects.toMatchObject({ code: 'AlreadyExists' });
    await expect(client.get(RemediationWorkflow, keyOf('none'))).rejects.toMatchObject({ code: 'NotFound' });
  });

  test('of a kind of Sickbay that is not served there is nothing', async () => {
    expect((await client.list(SignalProcessing)).items).toEqual([]);
    expect(await client.serves(SignalProcessing)).toBe(false);
    expect(await client.serves(RemediationWorkflow)).toBe(true);
  });

  test('other kinds are read from the server each time', async () => {
    expect((await client.list(Pod, { namespace: 'shop' })).items).toHaveLength(2);
    await stage.admin.delete(Pod, { namespace: 'shop', name: 'c1' }, { gracePeriodSeconds: 0 });
    expect((await client.list(Pod, { namespace: 'shop' })).items).toHaveLength(1);
  });

  test('every other write is refused before anything is sent', async () => {
    const key = { namespace: 'shop', name: 'checkout' };
    const deployment = await client.get(Deployment, key);
    const merge = { type: 'merge', body: {} } as const;
    for (const write of [
      () => client.create(Deployment, deployment),
      () => client.update(Deployment, deployment),
      () => client.updateStatus(Deployment, deployment),
      () => client.patch(Deployment, key, merge),
      () => client.patchStatus(Deployment, key, merge),
      () => client.patch(RemediationWorkflow, keyOf('stored'), merge),
      () => client.delete(Deployment, key),
      () => client.subresource(Deployment, key, { name: 'scale', body: {} }),
      () => client.watch(Deployment, { resourceVersion: '1' }, new AbortController().signal),
    ])
      await expect(write()).rejects.toMatchObject({ code: 'Unsupported', message: containing('a rehearsal writes nothing') });
  });
});
