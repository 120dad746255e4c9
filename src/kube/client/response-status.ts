import type { KubeObject, Status } from '../../api/meta.ts';
import { apiVersionOf, type Resource } from '../../api/resource.ts';
import { isObject, type JsonObject, PlatformError } from '../../base/index.ts';
import type { ApiResponse } from './transport.ts';

/** The Status in a failed answer; made from the code where something that is not the API server answered (a proxy's 502 page). */
export function statusOf(response: ApiResponse): Status {
  const { body, code, retryAfterSeconds } = response;
  if (isStatus(body)) return { code, ...body };
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `the server answered ${code} without a Status${excerpt(body)}`,
    code,
    ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
  };
}

const isStatus = (body: unknown): body is Status => isObject(body) && body['kind'] === 'Status';

/** The object in a good answer, with the kind that lists of built-in kinds leave out. */
export function objectIn(body: unknown, resource: Resource): KubeObject {
  if (!isObject(body) || !isObject(body['metadata'])) throw unreadable(resource, body);
  const object = body as unknown as KubeObject;
  if (object.kind === resource.kind) return object;
  if (object.kind === 'PartialObjectMetadata') return metadataOf(object, resource);
  return { ...object, apiVersion: object.apiVersion ?? apiVersionOf(resource), kind: object.kind ?? resource.kind };
}

/** No more than the metadata, under the resource's own kind: what a server that knows no PartialObjectMetadata should have sent. */
export const metadataOf = (object: KubeObject, resource: Resource): KubeObject => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  metadata: object.metadata,
});

/** One page of a list. */
export interface Page {
  readonly items: readonly unknown[];
  readonly resourceVersion: string;
  readonly next: string | undefined;
}

export function pageIn(body: unknown, resource: Resource): Page {
  const metadata = isObject(body) ? body['metadata'] : undefined;
  if (!isObject(body) || !isObject(metadata)) throw unreadable(resource, body);
  const { items } = body as { items?: unknown };
  // Go writes an empty slice that was never allocated as null.
  if (!Array.isArray(items) && items !== null && items !== undefined) throw unreadable(resource, body);
  return { items: items ?? [], resourceVersion: text(metadata, 'resourceVersion') ?? '', next: text(metadata, 'continue') };
}

function text(object: JsonObject, member: string): string | undefined {
  const value = object[member];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const unreadable = (resource: Resource, body: unknown): PlatformError =>
  new PlatformError('Unavailable', `reading ${resource.plural}: the answer is no API object${excerpt(body)}`);

const excerpt = (body: unknown): string => (typeof body === 'string' && body !== '' ? `: ${body.slice(0, 200)}` : '');
