import type { Status, StatusCause, StatusDetails } from '../kube/meta.ts';
import { ApiError } from '../kube/client/errors.ts';
import type { FieldError } from './field-error.ts';
import type { ResourceId, Stored } from './object.ts';

/** Every failure that the server answers with, in the words of kube-apiserver. */

export const badRequest = (message: string): ApiError => failure({ code: 400, reason: 'BadRequest', message });

export const notFound = (resource: ResourceId, name: string): ApiError =>
  failure({ code: 404, reason: 'NotFound', message: `${nameOf(resource)} "${name}" not found`, details: detailsOf(resource, name) });

/** No such path: an unknown group, version or kind. */
export const noSuchResource = (): ApiError =>
  failure({ code: 404, reason: 'NotFound', message: 'the server could not find the requested resource', details: {} });

export function alreadyExists(resource: ResourceId, { metadata }: Stored): ApiError {
  const going = metadata.deletionTimestamp === undefined ? '' : 'object is being deleted: ';
  const message = `${going}${nameOf(resource)} "${metadata.name}" already exists`;
  return failure({ code: 409, reason: 'AlreadyExists', message, details: detailsOf(resource, metadata.name) });
}

export const conflict = (resource: ResourceId, name: string, why: string): ApiError =>
  failure({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${nameOf(resource)} "${name}": ${why}`,
    details: detailsOf(resource, name),
  });

/** The well-known answer to a write that was based on an older version. */
export const modified = (resource: ResourceId, name: string): ApiError =>
  conflict(resource, name, 'the object has been modified; please apply your changes to the latest version and try again');

export const forbidden = (resource: ResourceId, name: string, why: string, causes?: readonly StatusCause[]): ApiError =>
  failure({
    code: 403,
    reason: 'Forbidden',
    message: `${nameOf(resource)} "${name}" is forbidden: ${why}`,
    details: { ...detailsOf(resource, name), ...(causes && { causes }) },
  });

/** `named` is the kind's name for most failures, its plural for those the storage layer finds. */
export function invalid(named: { readonly group: string; readonly kind: string }, name: string, errors: readonly FieldError[]): ApiError {
  const lines = [...new Set(errors.map((error) => `${error.field}: ${error.message}`))];
  const what = named.group === '' ? named.kind : `${named.kind}.${named.group}`;
  return failure({
    code: 422,
    reason: 'Invalid',
    message: `${what} "${name}" is invalid: ${lines.length === 1 ? lines[0]! : `[${lines.join(', ')}]`}`,
    details: {
      ...(name !== '' && { name }),
      ...(named.group !== '' && { group: named.group }),
      ...(named.kind !== '' && { kind: named.kind }),
      causes: errors.map((error) => ({ reason: error.reason, message: error.message, field: error.field })),
    },
  });
}

/** A JSON patch that cannot be applied; kube-apiserver does not say why. */
export const patchRefused = (): ApiError =>
  failure({ code: 422, reason: 'Invalid', message: 'the server rejected our request due to an error in our request', details: {} });

export const methodNotAllowed = (resource: ResourceId, action: string): ApiError =>
  failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${action} is not supported on resources of kind "${nameOf(resource)}"`,
    details: detailsOf(resource, ''),
  });

/** A method that no resource answers to. */
export const unknownMethod = (): ApiError =>
  failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });

export const unsupportedMediaType = (accepted: readonly string[]): ApiError =>
  failure({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  });

export const noServerSideApply = (): ApiError =>
  failure({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: 'this server does not merge on its side: apply without --server-side, or send a merge patch',
  });

/** The server can produce none of the representations that the client accepts. */
export const notAcceptable = (): ApiError =>
  failure({
    code: 406,
    reason: 'NotAcceptable',
    message: 'only the following media types are accepted: application/json, application/yaml',
  });

export const tooMuch = (why: string): ApiError =>
  failure({ code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: ${why}` });

export const tooLarge = (limitBytes: number): ApiError => tooMuch(`limit is ${limitBytes}`);

/** Does not reveal what is wrong with the credential. */
export const unauthorized = (): ApiError => failure({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });

/** An eviction that the pod's disruption budget does not allow now. */
export const budgetIsSpent = (name: string, { desiredHealthy = 0, currentHealthy = 0 }: BudgetCount): ApiError =>
  tooManyEvictions(`The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`);

/** An eviction under a disruption budget whose pods no controller has counted yet. */
export const budgetIsUnknown = (name: string): ApiError =>
  tooManyEvictions(`The disruption budget ${name} is still being processed by the server.`, 10);

interface BudgetCount {
  readonly desiredHealthy?: number;
  readonly currentHealthy?: number;
}

const tooManyEvictions = (message: string, retryAfterSeconds?: number): ApiError =>
  failure({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: { causes: [{ reason: 'DisruptionBudget', message }], ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
  });

export const expired = (message: string, metadata: Status['metadata'] = {}): ApiError =>
  failure({ code: 410, reason: 'Expired', message, metadata });

export const versionTooLarge = (requested: number, current: number): ApiError =>
  failure({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${requested}, current: ${current}`,
    details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
  });

/** The answer to errors that kube-apiserver does not classify. */
export const unclassified = (message: string): ApiError => failure({ code: 500, message });

/** An object that is larger than a cluster stores; in the words of etcd, which kube-apiserver passes on. */
export const objectTooLarge = (): ApiError => unclassified('etcdserver: request is too large');

/** The server holds as much as it may: only deleting makes room. */
export const spaceExceeded = (): ApiError => unclassified('etcdserver: mvcc: database space exceeded');

export const internal = (message: string): ApiError =>
  failure({ code: 500, reason: 'InternalError', message: `Internal error occurred: ${message}`, details: { causes: [{ message }] } });

interface Failure {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: StatusDetails;
  readonly metadata?: Status['metadata'];
}

const failure = ({ code, reason, message, details, metadata = {} }: Failure): ApiError =>
  new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status: 'Failure',
    message,
    ...(reason !== undefined && { reason }),
    ...(details && { details }),
    code,
  });

const nameOf = (resource: ResourceId): string => (resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`);

const detailsOf = (resource: ResourceId, name: string): StatusDetails => ({
  ...(name !== '' && { name }),
  ...(resource.group !== '' && { group: resource.group }),
  kind: resource.plural,
});
