import { after, clip, messageOf, PlatformError, within, type Clock } from '../base/index.ts';
import { failureKind, type MonitoringMetrics, type Service } from './monitoring-metrics.ts';
import type { Source, SourceAnswer, SourceRequest } from './source.ts';

/** How one server is queried. */
export interface QueryDeps {
  /** A steady clock. */
  readonly steady: Clock;
  /** For one query, with all its retries. */
  readonly timeoutMs: number;
  /** Nothing is counted when absent. */
  readonly metrics?: MonitoringMetrics;
}

const ATTEMPTS = 3;
const RETRY_MS = 200;
const LONGEST_EXCERPT = 200;

/** Queries for JSON, with retries after temporary failures; rejects with a message for people where no answer comes in time. */
export const queryJson = (source: Source, request: SourceRequest, { steady, timeoutMs }: QueryDeps): Promise<unknown> =>
  within(steady, timeoutMs, async (signal) => {
    for (let left = ATTEMPTS; ; left--) {
      try {
        return jsonIn(await source.get(request, signal));
      } catch (error) {
        if (left === 1 || signal.aborted || !isTemporary(error)) throw error;
      }
      await steady.waitUntil(after(steady.now(), RETRY_MS), signal);
    }
  });

/** An error that is not a PlatformError comes from the connection. */
const isTemporary = (error: unknown): boolean => !(error instanceof PlatformError) || error.retry !== 'never';

function jsonIn({ code, text }: SourceAnswer): unknown {
  if (code < 200 || code > 299) throw refusal(code, text);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new PlatformError('Unsupported', `the answer is not JSON: ${excerpt(text)}`, { retry: 'never', cause: error });
  }
}

function refusal(code: number, text: string): PlatformError {
  if (code >= 300 && code < 400)
    return new PlatformError('Unsupported', `it answered ${code}: redirects are not followed, name the right address`, { retry: 'never' });
  const message = `it answered ${code}${text === '' ? '' : `: ${excerpt(errorIn(text))}`}`;
  return code >= 500 || code === 429
    ? new PlatformError('Unavailable', message)
    : new PlatformError('BadRequest', message, { retry: 'never' });
}

/** Prometheus and Alertmanager say what is wrong as JSON; proxies in between do not. */
function errorIn(text: string): string {
  try {
    const body = JSON.parse(text) as { readonly error?: unknown; readonly message?: unknown } | string | null;
    const said = typeof body === 'object' ? (body?.error ?? body?.message) : body;
    return typeof said === 'string' ? said : text;
  } catch {
    return text;
  }
}

const excerpt = (text: string): string => JSON.stringify(clip(text, LONGEST_EXCERPT));

/** Runs a query and counts it when it fails; calls that share an answer count once. */
export async function countFailure<T>(service: Service, { metrics }: QueryDeps, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    metrics?.failed(service, failureKind(error));
    throw error;
  }
}

/** The reason, for `unreadable`. */
export const unreadableReason = (name: string, error: unknown): string => `${name} cannot be asked: ${messageOf(error)}`;
