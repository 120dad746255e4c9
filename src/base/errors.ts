/** Why something did not work, in words that programs can branch on. Public and stable. */
export type ErrorCode =
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Invalid'
  | 'BadRequest'
  | 'Forbidden'
  | 'Unauthorized'
  | 'Gone'
  | 'TooManyRequests'
  | 'Unavailable'
  | 'Unsupported'
  | 'Internal'
  | 'Terminal';

/** A failure we foresaw. `code` is public and stable; `message` is for people. */
export class PlatformError extends Error {
  override readonly name: string = 'PlatformError';
  readonly code: ErrorCode;
  readonly retry: 'backoff' | 'never';

  constructor(code: ErrorCode, message: string, options: { readonly retry?: 'backoff' | 'never'; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retry = options.retry ?? 'backoff';
  }
}

/** Whether an error is a foreseen failure of the given code. */
export const hasCode = (error: unknown, code: ErrorCode): error is PlatformError => error instanceof PlatformError && error.code === code;

/** What to print of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Closes a `switch` over a union: a new member becomes a type error here. */
export function assertNever(value: never): never {
  throw new PlatformError('Internal', `unexpected value ${JSON.stringify(value)}`, { retry: 'never' });
}
