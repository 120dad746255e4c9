import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import { instant, isObject, toMicroTime, type Clock, type Fields, type Logger } from '../base/index.ts';

export interface LoggerOptions {
  readonly clock: Clock;
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Standard output when absent. */
  readonly destination?: DestinationStream;
}

/** Names of fields whose values are never for a log: `token`, `authorization`, `clientSecret`, `api_key`, `set-cookie`, … */
const SECRET_NAME =
  /(^|[-_.]|[a-z0-9](?=[A-Z]))(token|authorization|password|passwd|secret|credentials?|cookie|apikey|api[-_]?key|private[-_]?key)$/i;
const BEARER = /\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi;
const REDACTED = '[redacted]';
/** Fields go no deeper: a log line is no place for whole objects. */
const DEPTH = 4;

/** Logs as JSON lines: `{"level":"info","time":"…","msg":"…", …fields}`. What looks like a secret is left out. */
export function createLogger(options: LoggerOptions): Logger {
  const settings = {
    level: options.level ?? 'info',
    base: null,
    timestamp: () => `,"time":"${toMicroTime(instant(options.clock.now()))}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return adapt(options.destination ? pino(settings, options.destination) : pino(settings));
}

function adapt(to: Pino): Logger {
  return {
    debug: (message, fields) => to.isLevelEnabled('debug') && to.debug(clean(fields), scrub(message)),
    info: (message, fields) => to.isLevelEnabled('info') && to.info(clean(fields), scrub(message)),
    warn: (message, fields) => to.warn(clean(fields), scrub(message)),
    error: (message, fields) => to.error(clean(fields), scrub(message)),
    with: (fields) => adapt(to.child(clean(fields))),
  };
}

const clean = (fields: Fields = {}): Record<string, unknown> => redact(fields, DEPTH) as Record<string, unknown>;

function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrub(value);
  if (value instanceof Error) return describe(value, depth);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth - 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, SECRET_NAME.test(name) ? REDACTED : redact(item, depth - 1)]),
  );
}

/** An error by its code and words, and what caused it; the stack only of unforeseen errors. */
function describe(error: Error, depth: number): Record<string, unknown> {
  const { code } = error as { readonly code?: unknown };
  return {
    message: scrub(error.message),
    ...(typeof code === 'string' ? { code } : { stack: scrub(error.stack ?? '') }),
    ...(error.cause === undefined || depth === 0 ? {} : { cause: redact(error.cause, depth - 1) }),
  };
}

const scrub = (text: string): string => text.replace(BEARER, `$1 ${REDACTED}`);
