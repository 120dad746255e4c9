/** A failure in the form of RFC 9457. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly status: number;
  readonly instance: string;
}

/** Where signals of Alertmanager are received. */
export const PROMETHEUS_PATH = '/api/v1/signals/prometheus';

export type ProblemCode = 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429 | 500 | 503;

const NAMES: Readonly<Record<ProblemCode, readonly [type: string, title: string]>> = {
  400: ['validation-error', 'Bad Request'],
  401: ['unauthorized', 'Unauthorized'],
  403: ['forbidden', 'Forbidden'],
  404: ['not-found', 'Not Found'],
  405: ['method-not-allowed', 'Method Not Allowed'],
  413: ['payload-too-large', 'Payload Too Large'],
  415: ['unsupported-media-type', 'Unsupported Media Type'],
  429: ['too-many-requests', 'Too Many Requests'],
  500: ['internal-error', 'Internal Server Error'],
  503: ['service-unavailable', 'Service Unavailable'],
};

export function problem(status: ProblemCode, detail: string, instance = PROMETHEUS_PATH): Problem {
  const [type, title] = NAMES[status];
  return { type: `https://kubernaut.ai/problems/${type}`, title, detail, status, instance };
}
