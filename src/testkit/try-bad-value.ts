import { apiVersionOf, crdOf, type KindDefinition, type KubeObject } from '../api/index.ts';
import { after, systemClock } from '../base/index.ts';
import type { ApiRequest, ApiResponse, Transport } from '../kube/client/transport.ts';
import type { BadObject, BadValue } from './bad-values.ts';
import { verdictOf, type Verdict } from '../apiserver/testing/verdict.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const TIMEOUT_MS = 20_000;
const POLL_MS = 100;

/** Installs a kind and waits until it is served. */
export const installKind = (server: Transport, kind: KindDefinition): Promise<void> =>
  installCrd(server, crdOf(kind), collectionOf(kind, apiVersionOf(kind)));

/** Installs a CRD and waits until its objects can be listed. */
export async function installCrd(server: Transport, crd: { readonly metadata: { readonly name?: string } }, list: string): Promise<void> {
  const found = await server.request({ method: 'GET', path: `${CRDS}/${crd.metadata.name}` });
  if (found.code === 404) await must(server, { method: 'POST', path: CRDS, body: crd });
  const deadline = after(systemClock.now(), TIMEOUT_MS);
  while ((await server.request({ method: 'GET', path: list })).code !== 200) {
    if (systemClock.now() > deadline) throw new Error(`${crd.metadata.name} is not served`);
    await systemClock.waitUntil(after(systemClock.now(), POLL_MS), new AbortController().signal);
  }
}

/** Makes a server refuse a bad value, the way its kind of fault needs, and leaves nothing behind. */
export async function tryBadValue(server: Transport, kind: KindDefinition, bad: BadValue): Promise<Verdict> {
  if ('object' in bad && bad.subresource === undefined) return verdictOf(await create(server, kind, bad.object, true));
  const before = 'before' in bad ? bad.before : bad.object;
  const refused = 'after' in bad ? bad.after : bad.object;
  const stored = await store(server, kind, { object: before, withStatus: 'before' in bad });
  const path = pathOf(kind, stored) + (bad.subresource === 'status' ? '/status' : '');
  try {
    return verdictOf(await server.request({ method: 'PUT', path, body: { ...refused, metadata: stored.metadata } }));
  } finally {
    await must(server, { method: 'DELETE', path: pathOf(kind, stored) });
  }
}

/** Creates an object and, where asked for, writes its status too. */
async function store(
  server: Transport,
  kind: KindDefinition,
  { object, withStatus }: { readonly object: BadObject; readonly withStatus: boolean },
): Promise<KubeObject> {
  const created = (await must(server, creation(kind, object, false))) as KubeObject;
  if (!withStatus || object.status === undefined) return created;
  const body = { ...created, status: object.status };
  return (await must(server, { method: 'PUT', path: `${pathOf(kind, created)}/status`, body })) as KubeObject;
}

/** Asks a server to accept an object as new; nothing is kept where it is only tried. */
export const create = (server: Transport, kind: KindDefinition, object: BadObject, dryRun: boolean): Promise<ApiResponse> =>
  server.request(creation(kind, object, dryRun));

function creation(kind: KindDefinition, object: BadObject, dryRun: boolean): ApiRequest {
  const body = { ...object, metadata: { ...object.metadata, ...(kind.namespaced && { namespace: 'default' }) } };
  return { method: 'POST', path: collectionOf(kind, object.apiVersion), body, ...(dryRun && { query: { dryRun: 'All' } }) };
}

const collectionOf = (kind: KindDefinition, apiVersion: string): string =>
  `/apis/${apiVersion}/${kind.namespaced ? 'namespaces/default/' : ''}${kind.plural}`;

const pathOf = (kind: KindDefinition, { apiVersion, metadata }: KubeObject): string => `${collectionOf(kind, apiVersion)}/${metadata.name}`;

async function must(server: Transport, request: ApiRequest): Promise<unknown> {
  const { code, body } = await server.request(request);
  if (code >= 300) throw new Error(`${request.method} ${request.path}: ${code} ${JSON.stringify(body)}`);
  return body;
}
