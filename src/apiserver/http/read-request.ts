import type { IncomingHttpHeaders } from 'node:http';
import type { ApiRequest, PatchContentType } from '../../kube/transport.ts';
import { badRequest, noServerSideApply, notAcceptable, unknownMethod, unsupportedMediaType } from '../status-errors.ts';
import { negotiate, type Notation } from './negotiate.ts';
import { readProtobuf } from '../protobuf/index.ts';
import { readJson, readYaml, type ReadBody } from './read-text.ts';

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
/** How whole objects may be written; everything else is JSON. */
const BODIES: Readonly<Record<string, BodyNotation>> = {
  [JSON_TYPE]: 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
};
const APPLY_TYPE = 'application/apply-patch+yaml';

/** A request but for its body, and how the bodies are written. */
export interface ReadHead {
  readonly request: ApiRequest;
  readonly notation: Notation;
  readonly bodyNotation: BodyNotation;
}

export type BodyNotation = 'json' | 'yaml' | 'protobuf';

/** Reads everything but the body; throws the ApiError that the server answers with when it cannot be read. */
export function readHead({ method, target, headers }: RequestHead): ReadHead {
  if (!METHODS.includes(method)) throw unknownMethod();
  const { path, search } = splitTarget(target);
  const contentType = method === 'GET' ? undefined : contentTypeOf(method, headers['content-type']);
  const { form, notation, isList } = negotiate(path, headers.accept);
  const request = {
    method: method as ApiRequest['method'],
    path: decodePath(path),
    query: queryOf(search),
    ...(contentType === undefined ? {} : { contentType }),
    ...(form === undefined ? {} : { accept: form }),
  };
  if (isList !== undefined) checkForm(request, isList);
  return { request, notation, bodyNotation: BODIES[mediaType(headers['content-type'] ?? '')] ?? 'json' };
}

function splitTarget(target: string): { readonly path: string; readonly search: string } {
  const at = target.indexOf('?');
  return at < 0 ? { path: target, search: '' } : { path: target.slice(0, at), search: target.slice(at + 1) };
}

/** The value in a body; undefined when there is none. */
export function readValue(body: Buffer, notation: BodyNotation): ReadBody | undefined {
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

/** As kube-apiserver reads it: there unless it says no. */
export const asksToWatch = ({ method, query = {} }: ApiRequest): boolean =>
  method === 'GET' && query['watch'] !== undefined && !/^(false|0)$/i.test(query['watch']);

/** The metadata of a list is a list; that of an object, or of what a watch tells, is not. */
function checkForm(request: ApiRequest, isList: boolean): void {
  if (request.method === 'GET' && isList !== (isCollection(request.path) && !asksToWatch(request))) throw notAcceptable();
}

const COLLECTION = /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+)?\/(?!(?:status|finalize)$)[^/]+$/;

/** Whether a path is that of a collection, as far as one can see; `namespaces/x` is an object. */
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

/** Of a name that is given twice the first counts, as on kube-apiserver. */
const queryOf = (search: string): Record<string, string> =>
  search === '' ? {} : Object.fromEntries([...new URLSearchParams(search)].toReversed());

/** The form of a patch; undefined for whole objects. A request that names no type means JSON, except for a patch, which has no usual form. */
function contentTypeOf(method: string, header = method === 'PATCH' ? '' : JSON_TYPE): PatchContentType | undefined {
  const accepted = method === 'PATCH' ? PATCH_TYPES : Object.keys(BODIES);
  const type = mediaType(header);
  if (type === APPLY_TYPE) throw noServerSideApply();
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  return method === 'PATCH' ? (type as PatchContentType) : undefined;
}

const mediaType = (header: string): string => (header.split(';')[0] ?? '').trim().toLowerCase();
