import type { IncomingHttpHeaders } from 'node:http';
import { messageOf } from '../../base/index.ts';
import type { ApiRequest, PatchContentType } from '../../kube/transport.ts';
import { badRequest, notAcceptable, unknownMethod, unsupportedMediaType } from '../status-errors.ts';

/** What a request says before its body. */
export interface RequestHead {
  readonly method: string;
  /** As it stands in the request line: path and query, both encoded. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies ApiRequest['method'][];
const PATCH_TYPES: readonly string[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
] satisfies PatchContentType[];
const JSON_TYPE = 'application/json';

/** Reads everything but the body; throws the ApiError that the server answers with when it cannot be read. */
export function readHead({ method, target, headers }: RequestHead): ApiRequest {
  if (!METHODS.includes(method)) throw unknownMethod();
  const [path = '', search = ''] = target.split(/\?(.*)/s);
  const contentType = method === 'GET' ? undefined : contentTypeOf(method, headers['content-type']);
  return {
    method: method as ApiRequest['method'],
    path: decodePath(path),
    query: queryOf(search),
    ...(contentType === undefined ? {} : { contentType }),
    ...(wantsMetadata(headers.accept) ? { accept: 'metadata' as const } : {}),
  };
}

/** The JSON value in a body; undefined when there is none. */
export function readJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch (error) {
    throw badRequest(`the body of the request is not JSON: ${messageOf(error)}`);
  }
}

/** As kube-apiserver reads it: there unless it says no. */
export const asksToWatch = ({ method, query = {} }: ApiRequest): boolean =>
  method === 'GET' && query['watch'] !== undefined && !/^(false|0)$/i.test(query['watch']);

/** Only decoded segments are compared and stored, so that one object has one path. */
function decodePath(path: string): string {
  return path
    .split('/')
    .map((segment) => {
      const decoded = decode(segment);
      if (decoded.includes('/')) throw badRequest(`a slash within a segment of a path: ${segment}`);
      return decoded;
    })
    .join('/');
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest(`not a path: ${segment}`);
  }
}

/** Of a name that is given twice the first counts, as on kube-apiserver. */
const queryOf = (search: string): Record<string, string> => Object.fromEntries([...new URLSearchParams(search)].toReversed());

/** The form of a patch; undefined for plain JSON. A request that names no type means JSON, except for a patch, which has no usual form. */
function contentTypeOf(method: string, header = method === 'PATCH' ? '' : JSON_TYPE): PatchContentType | undefined {
  const accepted = method === 'PATCH' ? PATCH_TYPES : [JSON_TYPE];
  const type = mediaType(header);
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  return method === 'PATCH' ? (type as PatchContentType) : undefined;
}

const mediaType = (header: string): string => (header.split(';')[0] ?? '').trim().toLowerCase();

const ANY_JSON: readonly string[] = [JSON_TYPE, 'application/*', '*/*'];
const PARTIAL = /^PartialObjectMetadata(List)?$/;

/** The first form in the client's list that can be given: whole objects or their metadata. Tables and protobuf cannot. */
function wantsMetadata(header = '*/*'): boolean {
  for (const range of header.split(',')) {
    if (!ANY_JSON.includes(mediaType(range))) continue;
    const { as, g, v } = parametersOf(range);
    if (as === undefined) return false;
    if (PARTIAL.test(as) && g === 'meta.k8s.io' && v === 'v1') return true;
  }
  throw notAcceptable();
}

const parametersOf = (range: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    range
      .split(';')
      .slice(1)
      .map((parameter) => parameter.trim().split('=') as [string, string]),
  );
