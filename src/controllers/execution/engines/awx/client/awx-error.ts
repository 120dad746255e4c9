import { clip, messageOf, PlatformError, type ErrorCode } from '../../../../../base/index.ts';
import type { AwxRequest, AwxResponse } from './awx-request.ts';

/** The longest part of an answer that is quoted. */
const LONGEST_QUOTE = 300;

const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'Invalid',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'Unsupported',
  409: 'Conflict',
  429: 'TooManyRequests',
};

/** What to do about each kind of refusal. */
const ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  Unauthorized: 'check that the token in ansible.tokenSecretRef is valid',
  Forbidden: 'give the user of the token the right to do this',
  NotFound: 'check that ansible.apiURL is the address of AWX, without /api/v2',
  Internal: 'check that ansible.apiURL leads to AWX and not to a proxy or a login page',
};

/** AWX said no, nothing, or nothing that can be understood. Never quotes what was sent: that may hold Secrets. */
export class AwxError extends PlatformError {
  override readonly name = 'AwxError';

  constructor(code: ErrorCode, message: string, cause?: unknown) {
    super(code, message, { cause });
  }
}

/** AWX answered with something else than success. */
export function refusalOf(request: AwxRequest, { code, text }: AwxResponse): AwxError {
  const word = CODES[code] ?? (code >= 500 ? 'Unavailable' : 'Internal');
  const advice = ADVICE[word];
  return new AwxError(word, `${whatOf(request)}: AWX answered ${code}${quoted(request, text)}${advice ? ` (${advice})` : ''}`);
}

/** AWX answered with success, but not with what it documents. */
export const garbage = (request: AwxRequest, what: string): AwxError =>
  new AwxError('Internal', `${whatOf(request)}: the answer ${what} (${ADVICE.Internal ?? ''})`);

/** No answer came. The words of the cause are the network's own. */
export const unanswered = (request: AwxRequest, cause: unknown): AwxError =>
  new AwxError('Unavailable', `${whatOf(request)}: no answer from ${request.apiURL}: ${messageOf(cause)}`, cause);

const whatOf = ({ method, path }: AwxRequest): string => `${method} ${path}`;

/** The words of a refusal. Where something was sent they may repeat it, so only names of fields are told then, except for launches. */
function quoted(request: AwxRequest, text: string): string {
  const said = text.trim();
  if (said === '' || said.startsWith('<')) return '';
  if (request.method !== 'POST' || request.path.endsWith('/launch/')) return `: ${clip(said, LONGEST_QUOTE)}`;
  const fields = fieldsOf(said);
  return fields.length === 0 ? '' : ` about ${fields.join(', ')}`;
}

function fieldsOf(text: string): readonly string[] {
  try {
    return Object.keys(JSON.parse(text) as object).filter((field) => /^[a-z_]{1,60}$/.test(field));
  } catch {
    return [];
  }
}
