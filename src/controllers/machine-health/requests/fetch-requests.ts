import type { KubeObject } from '../../../api/meta.ts';
import { NOT_READ, type OptionalRead } from '../../../kube/client/read.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import type { RequestKind } from './claim.ts';
import { resourceOf } from './external-request.ts';

/** A request to read. */
export interface RequestLookup {
  readonly name: string;
  readonly kind: RequestKind;
  /** Wanted only from a full list, which finds requests that were never recorded: not worth a read of its own. */
  readonly isFromFullList: boolean;
}

/** What was read, by kind (see `kindText`). */
export type FetchedRequests = ReadonlyMap<string, FetchedKind>;

export interface FetchedKind {
  readonly byName: ReadonlyMap<string, Read<KubeObject>>;
  /** Whether all requests of the kind were listed, so that a missing name is an absence. */
  readonly isComplete: boolean;
}

/** From this many requests on, one list is cheaper than a read of each. */
const LIST_FROM = 10;

export const kindText = ({ apiVersion, kind }: RequestKind): string => `${apiVersion} ${kind}`;

export function fetchedRequest(fetched: FetchedRequests, { name, kind }: Pick<RequestLookup, 'name' | 'kind'>): OptionalRead<KubeObject> {
  const ofKind = fetched.get(kindText(kind));
  return ofKind?.byName.get(name) ?? (ofKind?.isComplete ? { kind: 'absent' } : NOT_READ);
}

interface Where {
  readonly reader: Reader;
  readonly namespace: string;
  /** The kind of which all requests are listed. */
  readonly fullList: RequestKind | undefined;
}

/** Reads requests live: their kinds are not watched. */
export async function fetchRequests(lookups: readonly RequestLookup[], where: Where): Promise<FetchedRequests> {
  const kinds = new Map<string, { readonly kind: RequestKind; readonly names: string[] }>();
  if (where.fullList) kinds.set(kindText(where.fullList), { kind: where.fullList, names: [] });
  for (const { name, kind, isFromFullList } of lookups) {
    const known = kinds.get(kindText(kind)) ?? { kind, names: [] };
    if (!isFromFullList) known.names.push(name);
    kinds.set(kindText(kind), known);
  }
  return new Map(await Promise.all([...kinds.entries()].map(async ([text, group]) => [text, await fetchKind(group, where)] as const)));
}

async function fetchKind(
  { kind, names }: { readonly kind: RequestKind; readonly names: readonly string[] },
  { reader, namespace, fullList }: Where,
): Promise<FetchedKind> {
  const resource = resourceOf(kind.apiVersion, kind.kind);
  if (names.length > LIST_FROM || (fullList && kindText(fullList) === kindText(kind))) {
    const listed = await reader.fetchList(resource, { namespace });
    if (listed.kind === 'value')
      return { isComplete: true, byName: new Map(listed.value.map((value) => [value.metadata.name, { kind: 'value', value }])) };
  }
  // An account that may not list a kind of another group may still be allowed to get its objects.
  const each = await Promise.all(names.map(async (name) => [name, await reader.fetch(resource, { namespace, name })] as const));
  return { isComplete: false, byName: new Map(each) };
}
