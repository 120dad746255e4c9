import { messageOf, PlatformError, type ErrorCode } from '../../base/index.ts';

/** Every status that the API answers besides 200. */
export type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 501 | 503;

const NAMES: Readonly<Record<ProblemStatus, readonly [type: string, title: string]>> = {
  400: ['validation-error', 'Bad Request'],
  401: ['unauthorized', 'Unauthorized'],
  403: ['forbidden', 'Forbidden'],
  404: ['not-found', 'Not Found'],
  405: ['method-not-allowed', 'Method Not Allowed'],
  409: ['conflict', 'Conflict'],
  413: ['payload-too-large', 'Payload Too Large'],
  415: ['unsupported-media-type', 'Unsupported Media Type'],
  422: ['invalid', 'Unprocessable Content'],
  429: ['too-many-requests', 'Too Many Requests'],
  500: ['internal-error', 'Internal Server Error'],
  501: ['not-implemented', 'Not Implemented'],
  503: ['service-unavailable', 'Service Unavailable'],
};

/** A request that is answered with a problem. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: ProblemStatus;

  constructor(status: ProblemStatus, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.status = status;
  }
}

const OF_CODE: Readonly<Record<ErrorCode, ProblemStatus>> = {
  NotFound: 404,
  AlreadyExists: 409,
  Conflict: 409,
  Invalid: 422,
  BadRequest: 400,
  Forbidden: 403,
  Unauthorized: 401,
  Gone: 409,
  TooManyRequests: 429,
  Unavailable: 503,
  Unsupported: 501,
  Internal: 500,
  Terminal: 409,
};

/** What a failure is answered with; undefined for one that was not foreseen. */
export function problemOf(error: unknown): ApiProblem | undefined {
  if (error instanceof ApiProblem) return error;
  if (error instanceof PlatformError && error.code !== 'Internal')
    return new ApiProblem(OF_CODE[error.code], messageOf(error), { cause: error });
  return undefined;
}

/** The body, in the form of RFC 9457. */
export function problemBody({ status, message }: ApiProblem, instance: string): object {
  const [type, title] = NAMES[status];
  return { type: `https://kubernaut.ai/problems/${type}`, title, status, detail: message, instance };
}
