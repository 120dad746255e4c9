import { isObject, PlatformError, type JsonObject } from '../base/index.ts';
import type { Listed } from '../kube/client/read.ts';
import { queryJson, countFailure, unreadableReason, type QueryDeps } from './query-json.ts';
import { SharedAnswers } from './shared-answers.ts';
import type { Source } from './source.ts';

/** An alert that Alertmanager has and that is not resolved. */
export interface FiringAlert {
  readonly labels: Readonly<Record<string, string>>;
  /** `suppressed` is silenced or inhibited: Alertmanager sends no notification, but the alert fires. */
  readonly state: string;
  /** What Alertmanager tells alerts apart by, since when it fires, and its texts; absent where the answer does not have them. */
  readonly fingerprint?: string;
  readonly startsAt?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The part of Alertmanager's API that is used. */
export interface Alertmanager {
  /** The alerts with these labels that still fire, silenced and inhibited ones too. */
  firing(labels: Readonly<Record<string, string>>): Promise<Listed<FiringAlert>>;
}

/** Queries an Alertmanager by its API v2. */
export function createAlertmanager(source: Source, deps: QueryDeps): Alertmanager {
  // Every call queries again; only calls at the same time share one query.
  const answers = new SharedAnswers<readonly FiringAlert[]>({ steady: deps.steady, most: 0 });
  return {
    async firing(labels) {
      const filters = matchers(labels);
      const query = [...filters.map((filter) => ['filter', filter] as const), ...EVERY_STATE];
      const ask = (): Promise<readonly FiringAlert[]> =>
        countFailure('alertmanager', deps, async () => alertsIn(await queryJson(source, { path: '/api/v2/alerts', query }, deps), labels));
      try {
        return { kind: 'value', value: await answers.get(filters.join('\n'), 0, ask) };
      } catch (error) {
        return { kind: 'unreadable', reason: unreadableReason('Alertmanager', error) };
      }
    },
  };
}

const EVERY_STATE = ['active', 'silenced', 'inhibited', 'unprocessed'].map((state) => [state, 'true'] as const);

/** Values are quoted as Go does, which for these is as JSON does. */
const matchers = (labels: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);

/** The labels are compared again: a proxy that drops the filter must not make other alerts count. */
function alertsIn(body: unknown, wanted: Readonly<Record<string, string>>): readonly FiringAlert[] {
  if (!Array.isArray(body)) throw malformed('it is not a list of alerts');
  return body.map(alertIn).filter(({ labels }) => Object.entries(wanted).every(([name, value]) => labels[name] === value));
}

function alertIn(alert: unknown): FiringAlert {
  const { labels, status, annotations, fingerprint, startsAt } = (isObject(alert) ? alert : {}) as Readonly<Record<string, unknown>>;
  if (!isObject(labels)) throw malformed('an alert has no labels');
  const state = isObject(status) ? status['state'] : undefined;
  return {
    labels: textsIn(labels),
    state: typeof state === 'string' ? state : 'active',
    ...(typeof fingerprint === 'string' && { fingerprint }),
    ...(typeof startsAt === 'string' && { startsAt }),
    ...(isObject(annotations) && { annotations: textsIn(annotations) }),
  };
}

const textsIn = (texts: JsonObject): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

const malformed = (why: string): PlatformError => new PlatformError('Unsupported', `the answer is malformed: ${why}`, { retry: 'never' });
