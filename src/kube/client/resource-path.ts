import type { ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { PlatformError } from '../../base/index.ts';

/** The path of all objects of a kind, in one namespace or (without one) in all of them. */
export function collectionPath(resource: Resource, namespace?: string): string {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  if (!resource.namespaced || namespace === undefined || namespace === '') return `${root}/${resource.plural}`;
  return `${root}/namespaces/${segment(namespace, 'namespace')}/${resource.plural}`;
}

/** The path of one object, or of one of its subresources. */
export function objectPath(resource: Resource, key: ObjectKey, subresource?: string): string {
  // Without this check the path would be that of the collection, or of an object in no namespace at all.
  if (resource.namespaced) segment(key.namespace, 'namespace');
  const path = `${collectionPath(resource, key.namespace)}/${segment(key.name, 'name')}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** Kubernetes' own rule for names in paths; anything else would address another object than was meant. */
function segment(text: string, what: string): string {
  if (text !== '' && text !== '.' && text !== '..' && !/[/%]/.test(text)) return text;
  throw new PlatformError('BadRequest', `${JSON.stringify(text)} cannot be the ${what} in a path`, { retry: 'never' });
}
