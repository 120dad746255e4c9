import { afterAll, beforeAll, expect, test } from 'vitest';
import { after, SECOND, systemClock, systemRandom } from '../../base/index.ts';
import type { Pod } from '../../kube/builtin/index.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../kube/client/transport.ts';
import { describeOnControlPlane } from '../../testkit/lanes.ts';
import { comparable } from '../testing/comparable.ts';
import { bothServers, type BothServers } from '../testing/both-servers.ts';
import { bodyOf, EVICTIONS, podOf, podsOf, type EvictionCase } from '../testing/evictions.ts';

const pause = (): Promise<void> => systemClock.waitUntil(after(systemClock.now(), SECOND / 10), new AbortController().signal);

describeOnControlPlane('evictions on the real kube-apiserver and on ours', (plane) => {
  let both: BothServers;
  const suffix = systemRandom.uuid().slice(0, 8);
  beforeAll(() => void (both = bothServers(plane())));
  afterAll(() => both.close());

  test.each(EVICTIONS.map((one, nth) => ({ ...one, nth })))('$reason', async (one) => {
    const namespace = `evict-${suffix}-${one.nth}`;
    for (const server of [both.real, both.memory]) await make(server, namespace, one);
    await count(both, namespace, one);
    const [theirs, ours] = [await play(both.real, namespace, one), await play(both.memory, namespace, one)];
    await both.real.request({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
    expect(ours).toEqual(theirs);
  });
});

const inside = (namespace: string, rest: string): string => `/api/v1/namespaces/${namespace}/${rest}`;
const budgets = (namespace: string, rest = ''): string => `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets${rest}`;

async function done(server: Transport, request: ApiRequest): Promise<ApiResponse> {
  const answer = await server.request(request);
  if (answer.code >= 300) throw new Error(`${request.method} ${request.path}: ${JSON.stringify(answer.body)}`);
  return answer;
}

const merge = (path: string, body: unknown): ApiRequest => ({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });

async function make(server: Transport, namespace: string, one: EvictionCase): Promise<void> {
  await done(server, { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } });
  const account = { method: 'POST', path: inside(namespace, 'serviceaccounts'), body: { metadata: { name: 'default' } } } as const;
  await server.request(account);
  for (const [nth, sketch] of podsOf(one).entries()) {
    const { draft, status } = podOf(sketch, nth);
    await done(server, { method: 'POST', path: inside(namespace, 'pods'), body: draft });
    await done(server, merge(inside(namespace, `pods/web-${nth}/status`), { status }));
  }
  for (const [name, spec] of Object.entries(one.budgets ?? {}))
    await done(server, {
      method: 'POST',
      path: budgets(namespace),
      body: { metadata: { name }, spec: { ...spec, selector: { matchLabels: { app: 'web' } } } },
    });
}

interface Count {
  readonly observedGeneration?: number;
  readonly expectedPods?: number;
  readonly currentHealthy?: number;
}

/** Ours has no disruption controller: it gets the counts that the real server's controller found. */
async function count({ real, memory }: BothServers, namespace: string, one: EvictionCase): Promise<void> {
  const [pods, healthy] = [podsOf(one).length, podsOf(one).filter(({ ready }) => ready).length];
  const counted = async (name: string): Promise<Count> => {
    const { body } = await done(real, { method: 'GET', path: budgets(namespace, `/${name}`) });
    const { status } = body as { readonly status: Count };
    if (status.observedGeneration === 1 && status.expectedPods === pods && status.currentHealthy === healthy) return status;
    await pause();
    return counted(name);
  };
  for (const name of Object.keys(one.budgets ?? {}))
    await done(memory, merge(budgets(namespace, `/${name}/status`), { status: await counted(name) }));
}

/** The answer in full, what is left of the pods, and how it goes on with the next one. */
async function play(server: Transport, namespace: string, one: EvictionCase): Promise<unknown> {
  const { method = 'POST', pod = 'web-0', query } = one;
  const body = bodyOf(one);
  const path = inside(namespace, `pods/${pod}/eviction`);
  const answer = await server.request({ method, path, ...(body !== undefined && { body }), ...(query && { query }) });
  const pods = await done(server, { method: 'GET', path: inside(namespace, 'pods') });
  const next = { method: 'POST', path: inside(namespace, 'pods/web-1/eviction'), body: { metadata: { name: 'web-1' } } } as const;
  const { code } = await server.request(next);
  return { answer: told(answer), pods: comparable({ ...pods, body: left(pods.body) }), next: code };
}

/** Two servers have other identities and versions, and other words for bodies that make no sense. */
function told(answer: ApiResponse): unknown {
  const { code, body } = answer;
  if (code === 400) return comparable(answer);
  const text = JSON.stringify(body, (name, value: unknown) => (name === 'uid' ? 'some' : value));
  const plain = text.replaceAll(/\(([0-9a-f]{8}-[-0-9a-f]+|\d+)\)/g, '(some)');
  return { code, body: JSON.parse(plain) as unknown };
}

/** What becomes of a pod is in its metadata and its status; admission gives pods more of a spec there. */
const left = (body: unknown): readonly object[] =>
  (body as { readonly items: readonly Pod[] }).items.map(({ metadata, status }) => ({ metadata, status: withoutNulls(status) }));

const withoutNulls = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (_, member: unknown) => member ?? undefined)) as unknown;
