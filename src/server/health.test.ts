import { describe, expect, test } from 'vitest';
import { answerHealth, ping, type HealthCheck, type HealthChecks } from './health.ts';

const well = (name: string): HealthCheck => ({ name, check: () => undefined });
const failing: HealthCheck = { name: 'cache', check: () => Promise.resolve('not synced: pods') };
const broken: HealthCheck = {
  name: 'store',
  check: () => {
    throw new Error('no connection');
  },
};

const fine = { livez: [ping, well('loop')], readyz: [ping, well('cache')] };
const notReady = { livez: [ping], readyz: [ping, failing] };
const tooOld: HealthCheck = { name: 'config', check: () => 'refused' };
const ask = (checks: HealthChecks, target: string) => answerHealth(checks, new URL(target, 'http://localhost'));

describe('health answers, as Kubernetes words them', () => {
  const cases = [
    { checks: fine, target: '/livez', code: 200, body: 'ok', reason: 'well' },
    { checks: fine, target: '/readyz/', code: 200, body: 'ok', reason: 'a slash at the end' },
    { checks: fine, target: '/livez?verbose', code: 200, body: '[+]ping ok\n[+]loop ok\nlivez check passed\n', reason: 'verbose' },
    {
      checks: fine,
      target: '/healthz?verbose',
      code: 200,
      body: '[+]ping ok\n[+]loop ok\n[+]cache ok\nhealthz check passed\n',
      reason: 'healthz asks all, each once',
    },
    {
      checks: { ...fine, healthz: [tooOld] },
      target: '/readyz',
      code: 200,
      body: 'ok',
      reason: 'a check of healthz alone does not fail readiness',
    },
    {
      checks: { ...fine, healthz: [tooOld] },
      target: '/healthz',
      code: 500,
      body: '[+]ping ok\n[+]loop ok\n[+]cache ok\n[-]config failed: reason withheld\nhealthz check failed\n',
      reason: 'healthz includes the checks of its own',
    },
    { checks: notReady, target: '/livez', code: 200, body: 'ok', reason: 'not ready is still alive' },
    {
      checks: notReady,
      target: '/readyz',
      code: 500,
      body: '[+]ping ok\n[-]cache failed: reason withheld\nreadyz check failed\n',
      reason: 'a failed answer lists every check, but withholds the reason',
    },
    { checks: notReady, target: '/readyz?exclude=cache', code: 200, body: 'ok', reason: 'left out' },
    {
      checks: notReady,
      target: '/readyz?verbose&exclude=cache&exclude=nope',
      code: 200,
      body: '[+]ping ok\n[+]cache excluded: ok\nwarn: some health checks cannot be excluded: no matches for "nope"\nreadyz check passed\n',
      reason: 'left out, and one that does not exist',
    },
    { checks: notReady, target: '/readyz/ping', code: 200, body: 'ok', reason: 'one alone' },
    {
      checks: notReady,
      target: '/readyz/cache',
      code: 500,
      body: 'internal server error: reason withheld\n',
      reason: 'one alone, not well',
    },
    { checks: fine, target: '/readyz/nope', code: 404, body: '404 page not found\n', reason: 'no such check' },
    { checks: fine, target: '/readyz/ping/more', code: 404, body: '404 page not found\n', reason: 'no such path' },
    { checks: fine, target: '/', code: 404, body: '404 page not found\n', reason: 'nothing there' },
    {
      checks: { livez: [broken], readyz: [] },
      target: '/livez',
      code: 500,
      body: '[-]store failed: reason withheld\nlivez check failed\n',
      reason: 'a check that throws',
    },
    { checks: { livez: [], readyz: [] }, target: '/readyz', code: 200, body: 'ok', reason: 'nothing to ask' },
  ];
  test.each(cases)('$target: $reason', async ({ checks, target, code, body }) => {
    const answer = await ask(checks, target);
    expect({ code: answer.code, body: answer.body }).toEqual({ code, body });
  });

  test('reasons go to the log, not to the client', async () => {
    const answer = await ask({ livez: [], readyz: [failing, broken] }, '/readyz?verbose');
    expect(answer.failures).toEqual([
      { name: 'cache', reason: 'not synced: pods' },
      { name: 'store', reason: 'no connection' },
    ]);
    expect(answer.body).not.toContain('pods');
    expect((await ask(notReady, '/readyz/cache')).failures).toHaveLength(1);
  });
});
