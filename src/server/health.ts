import { messageOf } from '../base/index.ts';

/** One health check; returns what is wrong, or undefined when it passes. */
export interface HealthCheck {
  readonly name: string;
  check(): string | undefined | Promise<string | undefined>;
}

/**
 * The checks behind each question. `livez`: should this process be restarted? `readyz`: should it be sent traffic? `healthz`: what people
 * should check although neither is needed; only `/healthz` includes it, which runs the other checks too.
 */
export interface HealthChecks {
  readonly livez: readonly HealthCheck[];
  readonly readyz: readonly HealthCheck[];
  readonly healthz?: readonly HealthCheck[];
}

export interface HealthAnswer {
  readonly code: 200 | 404 | 500;
  readonly body: string;
  /** What is wrong, for the log: reasons are withheld from clients, which need no credentials to reach the port. */
  readonly failures: readonly { readonly name: string; readonly reason: string }[];
}

interface Verdict {
  readonly name: string;
  readonly excluded: boolean;
  readonly reason: string | undefined;
}

/** Always passes: a process that answers is alive. */
export const ping: HealthCheck = { name: 'ping', check: () => undefined };

const NOT_FOUND: HealthAnswer = { code: 404, body: '404 page not found\n', failures: [] };

/**
 * Answers `/healthz`, `/livez` and `/readyz` as Kubernetes' own servers do: `ok`, or a line per check when one fails or
 * `?verbose` is given; `?exclude=name` leaves a check out; `/readyz/name` asks for one alone. `/healthz` asks all of them.
 */
export async function answerHealth(checks: HealthChecks, url: URL): Promise<HealthAnswer> {
  const [endpoint = '', name, ...rest] = url.pathname.slice(1).split('/');
  const asked = checksOf(checks, endpoint);
  if (asked === undefined || rest.length > 0) return NOT_FOUND;
  if (name !== undefined && name !== '') return answerOne(asked, name);
  const exclude = new Set(url.searchParams.getAll('exclude'));
  const verdicts = await Promise.all(asked.map((check) => judge(check, exclude.has(check.name))));
  const unmatched = [...exclude].filter((excluded) => !asked.some((check) => check.name === excluded));
  return answerAll(endpoint, verdicts, { unmatched, verbose: url.searchParams.has('verbose') });
}

function checksOf(checks: HealthChecks, endpoint: string): readonly HealthCheck[] | undefined {
  if (endpoint === 'livez') return checks.livez;
  if (endpoint === 'readyz') return checks.readyz;
  if (endpoint !== 'healthz') return undefined;
  const named = new Map([...checks.livez, ...checks.readyz, ...(checks.healthz ?? [])].map((check) => [check.name, check]));
  return [...named.values()];
}

async function answerOne(asked: readonly HealthCheck[], name: string): Promise<HealthAnswer> {
  const check = asked.find((candidate) => candidate.name === name);
  if (!check) return NOT_FOUND;
  const { reason } = await judge(check, false);
  if (reason === undefined) return { code: 200, body: 'ok', failures: [] };
  return { code: 500, body: 'internal server error: reason withheld\n', failures: [{ name, reason }] };
}

async function judge(check: HealthCheck, excluded: boolean): Promise<Verdict> {
  if (excluded) return { name: check.name, excluded, reason: undefined };
  try {
    return { name: check.name, excluded, reason: await check.check() };
  } catch (error) {
    return { name: check.name, excluded, reason: messageOf(error) };
  }
}

function answerAll(
  endpoint: string,
  verdicts: readonly Verdict[],
  how: { readonly unmatched: readonly string[]; readonly verbose: boolean },
): HealthAnswer {
  const failures = verdicts.flatMap(({ name, reason }) => (reason === undefined ? [] : [{ name, reason }]));
  const well = failures.length === 0;
  if (well && !how.verbose) return { code: 200, body: 'ok', failures };
  const lines = verdicts.map(lineOf);
  if (how.unmatched.length > 0)
    lines.push(`warn: some health checks cannot be excluded: no matches for ${how.unmatched.map((name) => `"${name}"`).join(',')}`);
  lines.push(`${endpoint} check ${well ? 'passed' : 'failed'}`);
  return { code: well ? 200 : 500, body: `${lines.join('\n')}\n`, failures };
}

function lineOf({ name, excluded, reason }: Verdict): string {
  if (excluded) return `[+]${name} excluded: ok`;
  return reason === undefined ? `[+]${name} ok` : `[-]${name} failed: reason withheld`;
}
