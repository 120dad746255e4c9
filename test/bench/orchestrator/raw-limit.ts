import type { KubeObject, ObjectMeta } from '../../../src/api/meta.ts';
import type { JsonPatchOperation } from '../../../src/kube/client/client.ts';
import type { ApiRequest, Transport } from '../../../src/kube/client/transport.ts';
import { CONNECTIONS } from './part.ts';
import type { SampledWrite } from './tally.ts';

/** The writes of one remediation, to be sent again under other names. */
export interface Template {
  readonly writes: readonly SampledWrite[];
  readonly name: string;
  readonly namespace: string;
}

/**
 * What the server takes at most: all writes of as many remediations, kind by kind and byte by byte those that were seen, through the same
 * client that decides nothing and does not wait. The writes of one remediation come one after the other, as they must.
 * Writes per second.
 */
export async function rawLimit(
  transport: Transport,
  template: Template,
  to: { readonly namespace: string; readonly names: readonly string[] },
): Promise<number> {
  const left = [...to.names];
  const start = performance.now();
  const worker = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      // The first write opens the request. Children of one that does not exist would be collected as garbage.
      const [opening, ...rest] = renamed(template, { namespace: to.namespace, name });
      if (!opening) throw new Error('nothing was recorded to be sent');
      const uid = await send(transport, opening);
      for (const request of rest) await send(transport, ownedBy(uid, request));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return (to.names.length * template.writes.length * 1_000) / (performance.now() - start);
}

/** In the order in which they were sent. */
export function renamed({ writes, name, namespace }: Template, to: { readonly namespace: string; readonly name: string }): ApiRequest[] {
  return writes
    .toSorted((a, b) => a.at - b.at)
    .map(({ request }) => {
      const text = JSON.stringify({ ...request, body: unbound(request.body) });
      return JSON.parse(text.replaceAll(name, to.name).replaceAll(namespace, to.namespace)) as ApiRequest;
    });
}

/** Without what ties a patch to the one object it was meant for. */
function unbound(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  const bound = ['/metadata/uid', '/metadata/resourceVersion'];
  return (body as readonly JsonPatchOperation[]).filter(({ path }) => !bound.includes(path));
}

/** The same request about a child of another owner. */
function ownedBy(uid: string, request: ApiRequest): ApiRequest {
  const draft = request.body as { readonly metadata?: ObjectMeta } | undefined;
  const owners = draft?.metadata?.ownerReferences;
  if (!owners) return request;
  const ownerReferences = owners.map((owner) => ({ ...owner, uid }));
  return { ...request, body: { ...draft, metadata: { ...draft.metadata, ownerReferences } } };
}

/** The UID of what was written. */
async function send(transport: Transport, request: ApiRequest): Promise<string> {
  const { code, body } = await transport.request(request);
  if (code >= 300) throw new Error(`${request.method} ${request.path}: the server answered ${code}: ${JSON.stringify(body)}`);
  return (body as KubeObject).metadata.uid;
}
