import type { Source, SourceAnswer, SourceRequest } from '../source.ts';

/** What a scripted source does with one question: answers, fails, or never comes back. */
export type Reply = SourceAnswer | Error | 'silence';

/** A source that does as it is told, and writes down what it was asked. */
export interface ScriptedSource extends Source {
  readonly asked: SourceRequest[];
}

/** Gives one reply after the other, and the last one for ever. */
export function scriptedSource(...replies: readonly [Reply, ...Reply[]]): ScriptedSource {
  const asked: SourceRequest[] = [];
  return {
    asked,
    get(request, signal) {
      const reply = replies[Math.min(asked.length, replies.length - 1)] ?? 'silence';
      asked.push(request);
      if (reply instanceof Error) return Promise.reject(reply);
      if (reply !== 'silence') return Promise.resolve(reply);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    },
  };
}

/** A good answer. */
export const ok = (body: unknown): SourceAnswer => ({ code: 200, text: JSON.stringify(body) });

/** What Prometheus answers to a range query. */
export const matrix = (...series: readonly (readonly (readonly [number, string])[])[]): SourceAnswer =>
  ok({ status: 'success', data: { resultType: 'matrix', result: series.map((values) => ({ metric: {}, values })) } });
