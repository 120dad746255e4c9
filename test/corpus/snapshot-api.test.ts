import { describe, expect, test } from 'vitest';
import { Deployment, Node, Pod } from '../../src/api/builtin/index.ts';
import { ask, askList, createClient } from '../../src/kube/index.ts';
import { snapshotTransport } from './snapshot-api.ts';
import { anObject } from './written/build.ts';
import { aNode, aPod, running } from './written/workload.ts';

const transport = snapshotTransport({
  at: 0,
  objects: [
    aPod('a', running()),
    aPod('b', running(), { labels: { app: 'other' }, node: 'node-2' }),
    aNode('node-1'),
    anObject('apps/v1', 'Deployment', 'checkout'),
  ],
  logs: [{ pod: 'a', container: 'app', previous: true, text: 'one\ntwo\nthree\n' }],
  refused: ['secrets'],
});
const client = createClient(transport);
const names = async (options: object) => {
  const listed = await askList(client, Pod, options);
  return listed.kind === 'value' ? listed.value.map(({ metadata }) => metadata.name) : listed.reason;
};

describe('an API server that shows a snapshot', () => {
  test('shows one object, and says of another that it is not there', async () => {
    expect(await ask(() => client.get(Deployment, { namespace: 'shop', name: 'checkout' }))).toMatchObject({ kind: 'value' });
    expect(await ask(() => client.get(Deployment, { namespace: 'shop', name: 'payments' }))).toEqual({ kind: 'absent' });
    expect(await ask(() => client.get(Node, { namespace: '', name: 'node-1' }))).toMatchObject({ kind: 'value' });
  });

  test('lists by namespace, label and field', async () => {
    expect(await names({ namespace: 'shop' })).toEqual(['a', 'b']);
    expect(await names({ namespace: 'bank' })).toEqual([]);
    expect(await names({ labelSelector: 'app=other' })).toEqual(['b']);
    expect(await names({ fieldSelector: 'spec.nodeName=node-1' })).toEqual(['a']);
  });

  test('gives the last lines of the log of the run that is asked for', async () => {
    const path = '/api/v1/namespaces/shop/pods/a/log';
    const last = await transport.request({ method: 'GET', path, query: { previous: 'true', tailLines: '2' } });
    expect(last).toMatchObject({ code: 200, body: 'two\nthree\n' });
    expect(await transport.request({ method: 'GET', path })).toMatchObject({ code: 400 });
  });

  test.each([
    { path: '/api/v1/namespaces/shop/secrets', code: 403, reason: 'reading it is refused' },
    { path: '/apis/argoproj.io/v1alpha1/namespaces/shop/applications', code: 404, reason: 'no object of its group was seen' },
    { path: '/apis/batch/v1/namespaces/shop/jobs', code: 200, reason: 'its group is served everywhere' },
  ])('answers $code where $reason', async ({ path, code }) => {
    expect(await transport.request({ method: 'GET', path })).toMatchObject({ code });
  });

  test('takes no write', async () => {
    expect(await transport.request({ method: 'DELETE', path: '/api/v1/namespaces/shop/pods/a' })).toMatchObject({ code: 405 });
  });
});
