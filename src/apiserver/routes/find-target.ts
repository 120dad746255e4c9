import type { Registry } from '../kinds/registry.ts';
import type { Kind } from '../kinds/kind.ts';
import type { ApiTarget } from '../server.ts';
import { noSuchResource, notFound } from '../status-errors.ts';
import { scalePathsOf } from './scale-paths.ts';

/** Finds the target of a path, exactly as kube-apiserver does; throws its 404 for paths that are not served. */
export function findApiTarget(registry: Registry, path: string): ApiTarget {
  const { group, version, rest } = split(path);
  const [first = '', namespace, inner] = rest;
  // In `namespaces/x/y`, y is a resource in x, unless it is a subresource of the namespace itself.
  const isInside = first === 'namespaces' && inner !== undefined && !NAMESPACE_SUBRESOURCES.has(inner);
  const kind = registry.find(group, version, isInside ? inner : first);
  if (kind?.namespaced !== isInside) return acrossNamespaces(kind, rest);
  const [name, subresource, ...more] = rest.slice(isInside ? 3 : 1);
  if (more.length > 0) throw noSuchResource();
  return checked({ kind, namespace: isInside ? namespace : undefined, name, subresource });
}

const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(['status', 'finalize']);

function split(path: string): { readonly group: string; readonly version: string; readonly rest: readonly string[] } {
  const [root, first = '', second = '', ...rest] = path.split('/').filter((segment) => segment !== '');
  if (root === 'api') return { group: '', version: first, rest: second === '' ? [] : [second, ...rest] };
  if (root === 'apis') return { group: first, version: second, rest };
  throw noSuchResource();
}

/** `/api/v1/pods`: a namespaced kind, read or watched across all namespaces. */
function acrossNamespaces(kind: Kind | undefined, rest: readonly string[]): ApiTarget {
  if (!kind?.namespaced || rest.length !== 1) throw noSuchResource();
  return { kind, namespace: undefined, name: undefined, subresource: undefined };
}

function checked(target: ApiTarget): ApiTarget {
  const { kind, name, subresource } = target;
  if (subresource === undefined || isServed(kind, subresource)) return target;
  throw kind.strategicMerge ? noSuchResource() : notFound(kind, name ?? '');
}

function isServed(kind: Kind, subresource: string): boolean {
  if (subresource === 'status') return kind.hasStatus;
  if (subresource === 'scale') return scalePathsOf(kind) !== undefined;
  return kind.table === '/pods' && (subresource === 'log' || subresource === 'eviction');
}
