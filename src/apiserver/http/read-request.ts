import { entryOf } from '../../base/index.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiRequest, PatchContentType } from '../../kube/client/transport.ts';
import { badRequest, noServerSideApply, notAcceptable, unknownMethod, unsupportedMediaType } from '../status-errors.ts';
import { negotiate, type Notation } from './negotiate.ts';
import { readProtobuf } from '../protobuf/index.ts';
import { readJson, readYaml, type ReadBody } from './read-text.ts';

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies ApiRequest['method'][];
const PATCH_TYPES: readonly string[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
] satisfies PatchContentType[];
const JSON_TYPE = 'application/json';
/** The media types of whole objects; everything else is JSON. */
const BODIES: Readonly<Record<string, BodyNotation>> = {
  [JSON_TYPE]: 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
};
const APPLY_TYPE = 'application/apply-patch+yaml';

/** A request without its body, and the media types of the bodies. */
export interface ReadHead {
  readonly request: ApiRequest;
  readonly notation: Notation;
  readonly bodyNotation: BodyNotation;
}

export type BodyNotation = 'json' | 'yaml' | 'protobuf';

/** The method, path and query of a request. The method may be any: it is refused after authorization. */
export type RequestLine = Required<Pick<ApiRequest, 'method' | 'path' | 'query'>>;

/** Reads the request line, where path and query are encoded; throws the ApiError to answer with when it cannot be read. */
export function readLine(method = '', target = '/'): RequestLine {
  const { path, search } = splitTarget(target);
  return { method: method as ApiRequest['method'], path: decodePath(path), query: queryOf(search) };
}

/** Reads the media types of the bodies; throws the ApiError to answer with when they are not supported. */
export function readHead(line: RequestLine, headers: IncomingHttpHeaders): ReadHead {
  const { method, path } = line;
  if (!METHODS.includes(method)) throw unknownMethod();
  const contentType = method === 'GET' ? undefined : contentTypeOf(method, headers['content-type']);
  const { form, notation, isList } = negotiate(path, headers.accept);
  const request = {
    ...line,
    ...(contentType === undefined ? {} : { contentType }),
    ...(form === undefined ? {} : { accept: form }),
  };
  if (isList !== undefined) checkForm(request, isList);
  return { request, notation, bodyNotation: entryOf(BODIES, mediaType(headers['content-type'] ?? '')) ?? 'json' };
}

function splitTarget(target: string): { readonly path: string; readonly search: string } {
  const at = target.indexOf('?');
  return at < 0 ? { path: target, search: '' } : { path: target.slice(0, at), search: target.slice(at + 1) };
}

/** The value in a body; undefined when there is none. */
export function readBodyValue(body: Buffer, notation: BodyNotation): ReadBody | undefined {
  if (body.length === 0) return notation === 'yaml' ? { value: null } : undefined;
  switch (notation) {
    case 'json':
      return readJson(body.toString());
    case 'yaml':
      return readYaml(body.toString());
    case 'protobuf':
      return { value: readProtobuf(body) };
  }
}

/** As kube-apiserver reads a boolean: true unless it is `false` or `0`. */
export const isWatchRequest = ({ method, query = {} }: ApiRequest): boolean =>
  method === 'GET' && query['watch'] !== undefined && !/^(false|0)$/i.test(query['watch']);

/** Metadata of a list is itself a list; of an object, or in the lines of a watch, it is not. */
function checkForm(request: ApiRequest, isList: boolean): void {
  if (request.method === 'GET' && isList !== (isCollection(request.path) && !isWatchRequest(request))) throw notAcceptable();
}

const COLLECTION = /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+)?\/(?!(?:status|finalize)$)[^/]+$/;

/** Whether a path looks like that of a collection; `namespaces/x` is an object. */
const isCollection = (path: string): boolean => COLLECTION.test(path) && !/^\/api\/[^/]+\/namespaces\/[^/]+$/.test(path);

/** Only decoded segments are compared and stored, so that one object has one path. */
function decodePath(path: string): string {
  if (!path.includes('%')) return path;
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

/** The first value of a repeated parameter counts, and unreadable parameters are ignored, as on kube-apiserver. */
function queryOf(search: string): Record<string, string> {
  if (search === '') return {};
  const pairs = /[;%]/.test(search) ? search.split('&').filter(isReadable).join('&') : search;
  return Object.fromEntries([...new URLSearchParams(pairs)].toReversed());
}

const isReadable = (pair: string): boolean => !/;|%(?![0-9a-f]{2})/i.test(pair);

/** The form of a patch; undefined for whole objects. A request that names no type means JSON, except for a patch, which has no usual form. */
function contentTypeOf(method: string, header = ''): PatchContentType | undefined {
  const accepted = method === 'PATCH' ? PATCH_TYPES : Object.keys(BODIES);
  const type = mediaType(method !== 'PATCH' && header === '' ? JSON_TYPE : header);
  if (type === APPLY_TYPE) throw noServerSideApply();
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  return method === 'PATCH' ? (type as PatchContentType) : undefined;
}

const mediaType = (header: string): string => (header.split(';')[0] ?? '').trim().toLowerCase();
