import type { KubeObject } from '../../../api/meta.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import type { RequestKind } from './claim.ts';
import { resourceOf } from './external-request.ts';

/** A request that is looked for. */
export interface RequestLookup {
  readonly name: string;
  readonly kind: RequestKind;
  /** Only to see whether there is one that nobody knows of: not worth a question of its own. */
  readonly isFromFullList: boolean;
}

/** Undefined for what was not asked about. */
export type FetchedRequests = (look: RequestLookup) => Read<KubeObject> | undefined;

/** From so many on, one list is cheaper than asking for each. */
const LIST_FROM = 10;

const textOf = ({ apiVersion, kind }: RequestKind): string => `${apiVersion} ${kind}`;

/** Looks for requests on the server, which is the only one who knows: their kinds are not watched. `sweep` is a kind of which all are listed. */
export async function fetchRequests(
  looks: readonly RequestLookup[],
  where: { readonly reader: Reader; readonly namespace: string; readonly sweep: RequestKind | undefined },
): Promise<FetchedRequests> {
  const kinds = new Map<string, { readonly kind: RequestKind; readonly names: string[] }>();
  if (where.sweep) kinds.set(textOf(where.sweep), { kind: where.sweep, names: [] });
  for (const { name, kind, isFromFullList } of looks) {
    const known = kinds.get(textOf(kind)) ?? { kind, names: [] };
    if (!isFromFullList) known.names.push(name);
    kinds.set(textOf(kind), known);
  }
  const answers = await Promise.all([...kinds.entries()].map(async ([text, group]) => [text, await fetchKind(group, where)] as const));
  const byKind = new Map(answers);
  return ({ name, kind }) => byKind.get(textOf(kind))?.(name);
}

type FoundByName = (name: string) => Read<KubeObject> | undefined;

async function fetchKind(
  { kind, names }: { readonly kind: RequestKind; readonly names: readonly string[] },
  { reader, namespace, sweep }: { readonly reader: Reader; readonly namespace: string; readonly sweep: RequestKind | undefined },
): Promise<FoundByName> {
  const resource = resourceOf(kind.apiVersion, kind.kind);
  if (names.length > LIST_FROM || (sweep && textOf(sweep) === textOf(kind))) {
    const listed = await reader.fetchList(resource, { namespace });
    if (listed.kind === 'value') {
      const byName = new Map(listed.value.map((request) => [request.metadata.name, request]));
      return (name) => {
        const value = byName.get(name);
        return value ? { kind: 'value', value } : { kind: 'absent' };
      };
    }
  }
  // Whoever may not list a kind of another group may still get its objects one by one.
  const each = await Promise.all(names.map(async (name) => [name, await reader.fetch(resource, { namespace, name })] as const));
  const byName = new Map<string, Read<KubeObject>>(each);
  return (name) => byName.get(name);
}
