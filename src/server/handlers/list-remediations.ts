import type { RemediationQuery, RemediationSummary } from '../contract/index.ts';
import { isTerminal } from '../../api/phases.ts';
import { remediationPhases } from '../../api/remediation-request/phases.ts';
import { parseTime, toTime } from '../../base/index.ts';
import { pageFrom, sortedBy, type Order } from '../views/page.ts';
import type { RemediationRows, Row } from '../views/remediation-rows.ts';
import type { Prepared } from '../api/handler-types.ts';

/** Answers to lists, kept until a row changes: pages that many people look at are made once. */
export class RemediationLists {
  readonly #rows: RemediationRows;
  readonly #answers = new Map<string, Prepared>();
  #version = -1;

  constructor(rows: RemediationRows) {
    this.#rows = rows;
  }

  /** One page, as JSON. */
  answer(query: RemediationQuery): Prepared {
    if (this.#version !== this.#rows.version || this.#answers.size >= MOST_KEPT) this.#answers.clear();
    this.#version = this.#rows.version;
    const key = JSON.stringify(query, Object.keys(query).toSorted());
    const known = this.#answers.get(key);
    if (known) return known;
    const answer = { bytes: pageText(this.#rows.all(), query) };
    this.#answers.set(key, answer);
    return answer;
  }
}

const MOST_KEPT = 64;

function pageText(rows: readonly Row[], query: RemediationQuery): Buffer {
  const { cursor, limit } = query;
  const order = orderOf(query);
  const wanted = rows.filter(filterOf(query));
  const sorted = query.sort === undefined || query.sort === '-created' ? wanted : sortedBy(wanted, order);
  const page = pageFrom(sorted, { ...(cursor !== undefined && { cursor }), ...(limit !== undefined && { limit }) }, order);
  const next = page.next === undefined ? '' : `,"next":${JSON.stringify(page.next)}`;
  return Buffer.from(`{"items":[${page.items.map(({ json }) => json).join(',')}],"total":${page.total}${next}}`);
}

function filterOf(query: RemediationQuery): (row: Row) => boolean {
  const tests = testsOf(query).filter((test) => test !== undefined);
  return ({ summary }) => tests.every((test) => test(summary));
}

type Test = (row: RemediationSummary) => boolean;

function testsOf(query: RemediationQuery): readonly (Test | undefined)[] {
  const { state = 'all', search } = query;
  const phases = wordsIn(query.phase);
  const outcomes = wordsIn(query.outcome);
  const severities = wordsIn(query.severity);
  const since = momentOf(query.since);
  const until = momentOf(query.until);
  const text = search?.toLowerCase();
  return [
    STATE_TESTS[state],
    phases && (({ phase }) => phases.has(phase)),
    outcomes && (({ outcome }) => outcome !== undefined && outcomes.has(outcome)),
    severities && (({ severity }) => severities.has(severity)),
    is(query.namespace, ({ target }) => target.namespace),
    is(query.kind, ({ target }) => target.kind),
    is(query.signal, ({ signal }) => signal.name),
    is(query.workflow, ({ workflow }) => workflow?.split(':')[0]),
    is(query.cluster, ({ cluster }) => cluster),
    since === undefined ? undefined : ({ createdAt }) => createdAt >= since,
    until === undefined ? undefined : ({ createdAt }) => createdAt < until,
    text === undefined ? undefined : (row) => textsOf(row).some((each) => each.toLowerCase().includes(text)),
  ];
}

const STATE_TESTS: Readonly<Record<NonNullable<RemediationQuery['state']>, Test | undefined>> = {
  all: undefined,
  active: ({ phase }) => !isTerminal(remediationPhases, phase),
  attention: ({ attention }) => attention !== 'none',
  finished: ({ phase }) => isTerminal(remediationPhases, phase),
};

const is = (wanted: string | undefined, of: (row: RemediationSummary) => string | undefined): Test | undefined =>
  wanted === undefined ? undefined : (row) => of(row) === wanted;

const wordsIn = (list: string | undefined): ReadonlySet<string> | undefined =>
  list === undefined ? undefined : new Set(list.split(',').map((word) => word.trim()));

/** As the server writes times, so that texts compare like moments. */
function momentOf(time: string | undefined): string | undefined {
  const moment = parseTime(time);
  return moment === undefined ? undefined : toTime(moment);
}

const textsOf = ({ name, signal, target, cause, workflow = '', message = '' }: RemediationSummary): readonly string[] => [
  name,
  signal.name,
  `${target.namespace ?? ''}/${target.kind}/${target.name}`,
  cause ? `${cause.namespace ?? ''}/${cause.kind}/${cause.name}` : '',
  workflow,
  message,
];

const SEVERITY_ORDER: readonly string[] = ['critical', 'high', 'medium', 'warning', 'low', 'info', 'unknown'];

const KEYS: Readonly<Record<string, (row: RemediationSummary) => string>> = {
  created: ({ createdAt }) => createdAt,
  severity: ({ severity }) => String(severityRank(severity)),
  phase: ({ phase }) => phase,
  target: ({ target }) => `${target.namespace ?? ''}/${target.kind}/${target.name}`,
  signal: ({ signal }) => signal.name,
};

/** The worst has the largest rank. */
const severityRank = (severity: string): number => {
  const place = SEVERITY_ORDER.indexOf(severity);
  return place < 0 ? 0 : SEVERITY_ORDER.length - place;
};

function orderOf({ sort = '-created', cursor: _cursor, limit: _limit, ...filters }: RemediationQuery): Order<Row> {
  const isDescending = sort.startsWith('-');
  const key = KEYS[isDescending ? sort.slice(1) : sort] ?? KEYS['created']!;
  return {
    id: JSON.stringify([sort, Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1))]),
    isDescending,
    key: ({ summary }) => key(summary),
    name: ({ summary }) => summary.name,
  };
}
