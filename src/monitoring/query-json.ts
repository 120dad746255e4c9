import { after, clip, messageOf, PlatformError, within, type Clock } from '../base/index.ts';
import { failureKind, type MonitoringMetrics, type Service } from './monitoring-metrics.ts';
import type { Source, SourceAnswer, SourceRequest } from './source.ts';

/** How patient we are with one server. */
export interface Patience {
  /** A clock that nobody can set. */
  readonly steady: Clock;
  /** For one question, however often it is put. */
  readonly timeoutMs: number;
  /** Nobody counts when absent. */
  readonly metrics?: MonitoringMetrics;
}

const ATTEMPTS = 3;
const RETRY_MS = 200;
const LONGEST_EXCERPT = 200;

/** Asks for JSON, again after what may pass; rejects with a message for people where there is none to be had in time. */
export const askJson = (source: Source, request: SourceRequest, { steady, timeoutMs }: Patience): Promise<unknown> =>
  within(steady, timeoutMs, async (signal) => {
    for (let left = ATTEMPTS; ; left--) {
      try {
        return jsonIn(await source.get(request, signal));
      } catch (error) {
        if (left === 1 || signal.aborted || !mayPass(error)) throw error;
      }
      await steady.waitUntil(after(steady.now(), RETRY_MS), signal);
    }
  });

/** What is not one of ours comes from the connection. */
const mayPass = (error: unknown): boolean => !(error instanceof PlatformError) || error.retry !== 'never';

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

/** Asks, and counts it where no answer comes of it that can be used; those who share an answer count once. */
export async function counted<T>(service: Service, { metrics }: Patience, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    metrics?.failed(service, failureKind(error));
    throw error;
  }
}

/** The reason, for `unreadable`. */
export const whyNot = (name: string, error: unknown): string => `${name} cannot be asked: ${messageOf(error)}`;
