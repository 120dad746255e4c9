import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { ApiStage } from '../server/testing/api-stage.ts';
import { ApiError, createApiClient, type ApiClient } from './index.ts';

let stage: ApiStage;
let client: ApiClient;
beforeAll(async () => {
  stage = await new ApiStage().open();
  await stage.putSamples();
  client = createApiClient({ baseUrl: stage.url, token: () => 'admin' });
});
afterAll(() => stage.close());

const SAMPLE = RemediationRequest.sample.metadata.name;

describe('the client of the HTTP API', () => {
  test('reads, with filters and parameters of the path', async () => {
    expect((await client.listRemediations({ state: 'all', search: SAMPLE.toUpperCase() })).items.map(({ name }) => name)).toEqual([SAMPLE]);
    expect((await client.getRemediation({ name: SAMPLE })).summary.name).toBe(SAMPLE);
  });

  test('writes', async () => {
    const cancelled = client.cancelRemediation({ name: SAMPLE, body: { reason: 'not needed' } });
    await expect(cancelled).rejects.toThrow(`${SAMPLE} has ended (Remediated): there is nothing to cancel`);
  });

  test('rejects with the problem that the server answers', async () => {
    const error: unknown = await client.getWorkflow({ name: 'no such/workflow?' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 404,
      message: 'the catalogue has no workflow no such/workflow?',
      problem: { title: 'Not Found' },
    });
  });

  test('rejects with a status where something else answers', async () => {
    const elsewhere = createApiClient({ baseUrl: stage.url, fetch: () => Promise.resolve(new Response('<h1>no</h1>', { status: 502 })) });
    await expect(elsewhere.getHealth({})).rejects.toMatchObject({ status: 502, message: 'the server answered 502', problem: undefined });
  });

  test('says who it is only where it has a token', async () => {
    await expect(createApiClient({ baseUrl: stage.url }).getSession({})).rejects.toMatchObject({ status: 401 });
    expect(await client.getSession({})).toMatchObject({ user: 'admin', via: 'token' });
  });
});
