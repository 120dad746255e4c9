import { instant, isObject, PlatformError, SECOND, type Instant } from '../base/index.ts';
import type { Listed } from '../kube/client/read.ts';
import { queryJson, countFailure, unreadableReason, type QueryDeps } from './query-json.ts';
import { SharedAnswers } from './shared-answers.ts';
import type { Source, SourceRequest } from './source.ts';
import type { Window } from './window.ts';

/** A number that was measured. */
export interface Sample {
  readonly at: Instant;
  readonly value: number;
}

/** A query whose answer is one series, and the window to evaluate it in. */
export interface RangeQuery extends Window {
  readonly query: string;
}

/** The part of Prometheus' API that is used. */
export interface Prometheus {
  /** The samples of the one series that the query has, in order; none where it has no series. What is no number is left out. */
  range(query: RangeQuery): Promise<Listed<Sample>>;
}

/** So many answers of about 60 samples each are some megabytes. */
const MOST_KEPT = 2_000;

/** Asks a Prometheus. Questions about one window that is over are put once, as long as its end is the newest. */
export function createPrometheus(source: Source, deps: QueryDeps): Prometheus {
  const answers = new SharedAnswers<readonly Sample[]>({ steady: deps.steady, most: MOST_KEPT });
  return {
    async range(query) {
      const ask = (): Promise<readonly Sample[]> =>
        countFailure('prometheus', deps, async () => within(query, samplesIn(await queryJson(source, requestOf(query), deps))));
      const key = `${query.query}\n${query.from} ${query.to} ${query.stepMs}`;
      try {
        return { kind: 'value', value: await answers.get(key, query.stepMs, ask) };
      } catch (error) {
        return { kind: 'unreadable', reason: unreadableReason('Prometheus', error) };
      }
    },
  };
}

const requestOf = ({ query, from, to, stepMs }: RangeQuery): SourceRequest => ({
  path: '/api/v1/query_range',
  query: [
    ['query', query],
    ['start', String(from / SECOND)],
    ['end', String(to / SECOND)],
    ['step', String(stepMs / SECOND)],
  ],
});

/** What is not of the window that was asked about is not what it seems, as times in another unit would be. */
function within({ from, to, stepMs }: Window, samples: readonly Sample[]): readonly Sample[] {
  const stranger = samples.find(({ at }) => at < from - stepMs || at > to + stepMs);
  if (stranger) throw malformed(`a value is outside the queried window (${stranger.at / SECOND})`);
  return samples;
}

/** Reads what is called a matrix there: series, each with its samples. */
function samplesIn(body: unknown): readonly Sample[] {
  const data = isObject(body) && body['status'] === 'success' ? body['data'] : undefined;
  if (!isObject(data)) throw malformed('it holds no data');
  if (data['resultType'] !== 'matrix') throw malformed(`it is ${JSON.stringify(data['resultType'])}, not a matrix`);
  const { result } = data as { readonly result?: unknown };
  if (!Array.isArray(result)) throw malformed('it holds no series');
  if (result.length > 1) throw malformed(`it holds ${result.length} series where one was expected`);
  const [series] = result as readonly unknown[];
  return series === undefined
    ? []
    : valuesIn(series)
        .map(sampleIn)
        .filter(({ value }) => Number.isFinite(value));
}

function valuesIn(series: unknown): readonly unknown[] {
  const { values } = (isObject(series) ? series : {}) as { readonly values?: unknown };
  if (!Array.isArray(values)) throw malformed('a series has no values');
  return values as readonly unknown[];
}

/** How Prometheus writes what is no number. */
const NO_NUMBERS = ['NaN', '+Inf', '-Inf'];

function sampleIn(pair: unknown): Sample {
  const [seconds, text] = (Array.isArray(pair) ? pair : []) as readonly unknown[];
  if (typeof seconds !== 'number' || typeof text !== 'string' || text.trim() === '') throw malformed('a value is not a time and a text');
  const value = Number(text);
  if (Number.isNaN(value) && !NO_NUMBERS.includes(text)) throw malformed(`a value is ${JSON.stringify(text)}`);
  return { at: instant(Math.round(seconds * SECOND)), value };
}

const malformed = (why: string): PlatformError => new PlatformError('Unsupported', `the answer is malformed: ${why}`, { retry: 'never' });
