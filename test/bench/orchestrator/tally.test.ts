import { expect, test } from 'vitest';
import type { ApiRequest, Transport } from '../../../src/kube/client/transport.ts';
import { renamed } from './raw-limit.ts';
import { Counter, STATUS_WRITE, totalOf, whatIn } from './tally.ts';

const REQUESTS = '/apis/kubernaut.ai/v1alpha1/namespaces/work/remediationrequests';

const answering = (code: number): Transport => ({
  request: () => Promise.resolve({ code, body: {} }),
  watch: () => Promise.reject(new Error('no watch')),
});

const statusWrite = (name: string): ApiRequest => ({ method: 'PATCH', path: `${REQUESTS}/${name}/status`, body: [] });

test.each([
  [`${REQUESTS}/rr-1/status`, 'remediationrequests/status', 'rr-1'],
  [REQUESTS, 'remediationrequests', ''],
  ['/api/v1/namespaces/work/configmaps/a', 'configmaps', 'a'],
  ['/api/v1/namespaces/work', 'namespaces', 'work'],
  ['/apis/apps/v1/namespaces/work/deployments', 'deployments', ''],
])('%s is about %s', (path, resource, name) => {
  expect(whatIn(path)).toEqual({ resource, name });
});

test('counts what the server took, apart from what it refused and from reads', async () => {
  const counter = new Counter('rr-2');
  const [taken, refused] = [counter.counted(answering(200)), counter.counted(answering(409))];
  for (const name of ['rr-1', 'rr-1', 'rr-2']) await taken.request(statusWrite(name));
  await taken.request({ method: 'GET', path: `${REQUESTS}/rr-1` });
  await refused.request(statusWrite('rr-1'));
  const tally = await counter.take();
  expect(tally).toMatchObject({
    reads: 1,
    writes: { [STATUS_WRITE]: 3 },
    refused: { [STATUS_WRITE]: 1 },
    statusWrites: { 'rr-1': 2, 'rr-2': 1 },
  });
  expect(totalOf(tally.writes)).toBe(3);
  expect(await counter.take()).toMatchObject({ reads: 0, writes: {}, refused: {}, statusWrites: {}, sample: [] });
});

test('counts a write that was sent before it was asked, and answered after', async () => {
  const { promise, resolve } = Promise.withResolvers<{ readonly code: number; readonly body: unknown }>();
  const counter = new Counter('none');
  void counter.counted({ ...answering(200), request: () => promise }).request(statusWrite('rr-1'));
  const taking = counter.take();
  resolve({ code: 200, body: {} });
  expect((await taking).writes).toEqual({ [STATUS_WRITE]: 1 });
});

test('keeps the writes of one request and of its children', async () => {
  const counter = new Counter('rr-1');
  const transport = counter.counted(answering(201));
  await transport.request({ method: 'POST', path: REQUESTS, body: { metadata: { name: 'rr-2' } } });
  await transport.request({
    method: 'POST',
    path: `${REQUESTS.replace('remediationrequests', 'aianalyses')}`,
    body: { metadata: { name: 'ai-rr-1' } },
  });
  await transport.request(statusWrite('rr-1'));
  const { sample } = await counter.take();
  expect(sample.map(({ request }) => request.method)).toEqual(['POST', 'PATCH']);
});

test('sends them again in order, under another name and for whatever object has it', () => {
  const version = { op: 'replace', path: '/metadata/resourceVersion', value: '7' };
  const status = { op: 'add', path: '/status', value: { ref: 'sp-rr-1' } };
  const writes = [
    { at: 2, request: { ...statusWrite('rr-1'), body: [version, { op: 'test', path: '/metadata/uid', value: 'u' }, status] } },
    { at: 1, request: { method: 'POST', path: REQUESTS, body: { metadata: { name: 'rr-1', namespace: 'work' } } } },
  ] as const;
  expect(renamed({ writes, name: 'rr-1', namespace: 'work' }, { name: 'rr-9', namespace: 'rest' })).toEqual([
    { method: 'POST', path: REQUESTS.replace('work', 'rest'), body: { metadata: { name: 'rr-9', namespace: 'rest' } } },
    {
      method: 'PATCH',
      path: `${REQUESTS.replace('work', 'rest')}/rr-9/status`,
      body: [{ ...status, value: { ref: 'sp-rr-9' } }],
    },
  ]);
});
