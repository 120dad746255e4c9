import { after, instant, PlatformError, SECOND, type Instant, type Random } from '../../base/index.ts';
import type { Monitoring, Source } from '../../monitoring/index.ts';
import { createAlertmanager, createPrometheus } from '../../monitoring/index.ts';
import { SIMULATION_START, type Neighbour, type ReplicaEnv, type Simulation } from '../../simulation/index.ts';
import { alertOf, findableBy } from './alerts.ts';
import type { Facts } from './workload-facts.ts';
import { LAST_ORDER_MS, type Mischief, type Plot, type ServerPlot, type Workload } from './plot.ts';
import { SETTINGS } from './world.ts';

type Server = 'alertmanager' | 'prometheus';

/** What a server says, and after how long. */
interface Said {
  readonly text: string;
  readonly waitMs: number;
}

type Query = readonly (readonly [name: string, value: string])[];

/** The clients of production; what they ask goes over the simulated network, and meets the same faults there as everything else. */
export function monitoringOf(env: ReplicaEnv, { alertmanager, prometheus }: Pick<Plot, Server>): Monitoring {
  const limits = { steady: env.steady, timeoutMs: SETTINGS.external.connectionTimeoutMs };
  return {
    ...(alertmanager !== 'off' && { alertmanager: createAlertmanager(sourceOf(env, 'alertmanager'), limits) }),
    ...(prometheus !== 'off' && { prometheus: createPrometheus(sourceOf(env, 'prometheus'), limits) }),
  };
}

const sourceOf = ({ transport, steady }: ReplicaEnv, server: Server): Source => ({
  async get({ path, query }, signal) {
    const { code, body } = await transport.request({ method: 'GET', path: `/${server}${path}`, body: query });
    const { text = JSON.stringify(body), waitMs = 0 } = body as Partial<Said>;
    if (waitMs > 0) await steady.waitUntil(after(steady.now(), waitMs), signal);
    return { code, text };
  },
});

/** Both servers, whose answers come from the plot; right answers are noted. */
export function serversOf(simulation: Simulation, plot: Plot, facts: Facts): Neighbour {
  const { random, time } = simulation;
  const serve = (storms: ServerPlot, rightly: () => string) => {
    const mischief = stormIn(storms, instant(time.now() - SIMULATION_START));
    return mischief === undefined ? { code: 200, body: { text: rightly(), waitMs: 0 } } : answerIn(mischief, random, rightly);
  };
  return ({ path, body }) => {
    if (path === '/alertmanager/api/v2/alerts') return serve(plot.alertmanager, () => alertsTold(plot, facts, body as Query));
    if (path === '/prometheus/api/v1/query_range') return serve(plot.prometheus, () => metricsTold(plot, facts, body as Query));
    return undefined;
  };
}

const stormIn = (storms: ServerPlot, now: Instant): Mischief | undefined =>
  storms === 'off' ? undefined : storms.find(({ fromMs, toMs }) => now >= fromMs && now < toMs)?.brings;

const LATE_MS = 4 * SECOND;
const NEVER_MS = 3_600 * SECOND;

function answerIn(mischief: Mischief, random: Random, rightly: () => string): { readonly code: number; readonly body: Said } {
  const said = (code: number, text: string, waitMs = 0) => ({ code, body: { text, waitMs } });
  switch (mischief) {
    case 'slow':
      return said(200, rightly(), LATE_MS);
    case 'silent':
      return said(200, '[]', NEVER_MS);
    case 'down':
      return said(503, 'no upstream');
    case 'moved':
      return said(302, '');
    case 'page':
      return said(200, '<html>please log in</html>');
    case 'garbage':
      return said(200, random.pick(['', '[', '{"status":"success"}', '{"status":"success","data":{"resultType":"vector","result":[]}}']));
    case 'other':
      return said(200, random.pick(['[{}]', '{"status":"error","error":"too many samples"}', 'null', '"ok"', '[{"labels":7}]']));
    case 'anything':
      return answerIn(random.pick(['slow', 'silent', 'down', 'moved', 'page', 'garbage', 'other']), random, rightly);
  }
}

function alertsTold({ workloads }: Plot, facts: Facts, query: Query): string {
  const filters = query.filter(([name]) => name === 'filter').map(([, value]) => parseMatcher(value));
  const asked = workloads.filter((workload) => filters.every(([label, value]) => findableBy(workload)[label] === value));
  for (const workload of asked) facts.of(workload).alertAnswers.push(facts.now());
  const told = asked.flatMap((workload) => alertOf(workload, facts.of(workload).alert.at(facts.now())) ?? []);
  return JSON.stringify(told);
}

function parseMatcher(matcher: string): readonly [label: string, value: string] {
  const at = matcher.indexOf('=');
  return [matcher.slice(0, at), JSON.parse(matcher.slice(at + 1)) as string];
}

function metricsTold({ workloads }: Plot, facts: Facts, query: Query): string {
  const asked = Object.fromEntries(query) as Readonly<Record<'query' | 'start' | 'end' | 'step', string>>;
  const workload = workloads.find(({ name }) => asked.query.includes(name));
  if (!workload) throw new PlatformError('BadRequest', `nobody knows what ${asked.query} is about`);
  facts.of(workload).metricAnswers.set(asked.query, facts.now());
  const values: (readonly [number, string])[] = [];
  for (let at = Number(asked.start); at <= Number(asked.end); at += Number(asked.step)) values.push(...sampleAt(workload, asked.query, at));
  const result = values.length === 0 ? [] : [{ metric: {}, values }];
  return JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } });
}

/** The fix came with the start of the run. */
function sampleAt({ metrics }: Workload, query: string, seconds: number): readonly (readonly [number, string])[] {
  const sinceFixMs = seconds * SECOND - SIMULATION_START;
  const isGap = sinceFixMs >= 0 && sinceFixMs < metrics.fromMs;
  if (isGap || (!metrics.isOld && sinceFixMs < LAST_ORDER_MS)) return [];
  // A part of nothing is no number.
  if (metrics.better === 'zero') return [[seconds, query.includes(' / ') ? 'NaN' : '0']];
  return [[seconds, String(sinceFixMs < 0 ? 100 : 100 * (1 - metrics.better))]];
}
