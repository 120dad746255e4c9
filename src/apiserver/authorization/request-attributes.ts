import type { ApiRequest } from '../../kube/client/transport.ts';
import { parseFieldSelector, SelectorError } from '../../kube/selectors/index.ts';
import { onResource, type Attributes, type ResourceAction } from './attributes.ts';

/** An unknown method becomes an unknown verb, which only rules for all verbs allow. */
const VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** In `namespaces/x/y`, y is a resource in x, unless it is one of these subresources of the namespace itself. */
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(['status', 'finalize']);

/** The attributes of a request, from its method, path and query alone, as kube-apiserver reads them. */
export function requestAttributes({ method, path, query = {} }: ApiRequest): Attributes {
  const place = resourceParts(path);
  if (!place) return { kind: 'path', verb: method.toLowerCase(), path };
  const what = { group: place.group, ...within(place.parts) };
  const verb = VERBS[method] ?? '';
  if (what.name === '' && verb === 'delete') return onResource({ ...what, verb: 'deletecollection' });
  if (what.name !== '' || verb !== 'get') return onResource({ ...what, verb });
  return onResource({ ...what, verb: wantsWatch(query['watch']) ? 'watch' : 'list', name: selectedName(query['fieldSelector']) });
}

/** A namespace counts as inside itself: rights within it may cover it. */
function within(parts: readonly string[]): Pick<ResourceAction, 'namespace' | 'resource' | 'name' | 'subresource'> {
  const [first, second = '', third] = parts;
  const namespace = first === 'namespaces' ? second : '';
  const isInside = namespace !== '' && third !== undefined && !NAMESPACE_SUBRESOURCES.has(third);
  const [resource = '', name = '', subresource = ''] = isInside ? parts.slice(2) : parts;
  return { namespace, resource, name, subresource };
}

interface Place {
  readonly group: string;
  readonly parts: readonly string[];
}

/** Splits a path as the router does, so that the request that is authorized is the one that is executed. Undefined for other paths. */
function resourceParts(path: string): Place | undefined {
  const [root, ...rest] = path.split('/').filter((segment) => segment !== '');
  if (root === 'api' && rest.length >= 2) return { group: '', parts: rest.slice(1) };
  if (root === 'apis' && rest.length >= 3) return { group: rest[0]!, parts: rest.slice(2) };
  return undefined;
}

const wantsWatch = (text: string | undefined): boolean => text !== undefined && !/^(false|0)$/i.test(text);

/** A list that is limited to one name may be allowed by a rule for that name. */
function selectedName(selector = ''): string {
  try {
    const exact = parseFieldSelector(selector).find(({ field, operator }) => field === 'metadata.name' && operator !== '!=');
    return exact?.value ?? '';
  } catch (error) {
    if (error instanceof SelectorError) return '';
    throw error;
  }
}
