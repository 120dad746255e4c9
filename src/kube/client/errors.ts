import type { Status, StatusCause } from '../../api/meta.ts';
import { PlatformError, type ErrorCode } from '../../base/index.ts';

/** A failure that an API server answered with. `status` is its own word, whole. */
export class ApiError extends PlatformError {
  override readonly name = 'ApiError';
  readonly status: Status;

  constructor(status: Status) {
    super(codeOf(status), status.message ?? `the server answered ${status.code ?? 'with no code'}`);
    this.status = status;
  }

  get httpCode(): number {
    return this.status.code ?? 500;
  }

  get causes(): readonly StatusCause[] {
    return this.status.details?.causes ?? [];
  }
}

/** A JSON patch whose `test` failed or whose path is not there: the server says Invalid and does not even name the object. */
export const isPatchThatDoesNotFit = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'Invalid' && error.status.details?.name === undefined;

/** Where there is no such path, for want of a group, version or kind, the server does not even name the object. */
export const isOfUnknownKind = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'NotFound' && error.status.details?.name === undefined;

const BY_REASON: Readonly<Record<string, ErrorCode>> = {
  NotFound: 'NotFound',
  AlreadyExists: 'AlreadyExists',
  Conflict: 'Conflict',
  Invalid: 'Invalid',
  BadRequest: 'BadRequest',
  Forbidden: 'Forbidden',
  Unauthorized: 'Unauthorized',
  Expired: 'Gone',
  Gone: 'Gone',
  TooManyRequests: 'TooManyRequests',
  ServiceUnavailable: 'Unavailable',
  ServerTimeout: 'Unavailable',
  Timeout: 'Unavailable',
  MethodNotAllowed: 'Unsupported',
  NotAcceptable: 'Unsupported',
  UnsupportedMediaType: 'Unsupported',
  InternalError: 'Internal',
};

const BY_CODE: Readonly<Record<number, ErrorCode>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'Unsupported',
  406: 'Unsupported',
  408: 'Unavailable',
  409: 'Conflict',
  410: 'Gone',
  415: 'Unsupported',
  422: 'Invalid',
  429: 'TooManyRequests',
  502: 'Unavailable',
  503: 'Unavailable',
  504: 'Unavailable',
};

const codeOf = (status: Status): ErrorCode => BY_REASON[status.reason ?? ''] ?? BY_CODE[status.code ?? 0] ?? 'Internal';
