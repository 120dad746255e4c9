/** The benchmark in small: what it counts must be right, whatever the machine is like. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RemediationRequest } from '../../../src/api/remediation-request/remediation-request.ts';
import { describeOnControlPlane } from '../../../src/testkit/lanes.ts';
import { STATIONS } from './arrivals.ts';
import { figuresOf, latencies, MINIMAL_WRITES, MOST_STATUS_WRITES } from './figures.ts';
import { rawLimit } from './raw-limit.ts';
import { openSite, templateOf, type Played, type Site } from './run.ts';
import { STATUS_WRITE } from './tally.ts';

const NAMES = Array.from({ length: 20 }, (_, i) => `rr-smoke-${String(i).padStart(5, '0')}`);
const SAMPLED = 'rr-smoke-00007';

describeOnControlPlane('the orchestrator among stand-ins that are done at once', (plane) => {
  let site: Site;
  let played: Played;

  beforeAll(async () => {
    site = await openSite({ access: plane(), workers: 8, sampled: SAMPLED });
    played = await site.play(NAMES, NAMES.length);
  });

  afterAll(() => site.stop());

  test('heals every target, through every phase', () => {
    expect(played.courses.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual(NAMES.map((name) => `${name} Completed Remediated`));
    for (const { at } of played.courses) expect(Object.keys(at)).toEqual([...STATIONS]);
  });

  test('writes a status once per visible phase and once more, as its sender counts and as a watcher sees', () => {
    const { statusWrites } = played.orchestrator;
    expect(Object.keys(statusWrites).toSorted()).toEqual(NAMES);
    expect(Math.max(...Object.values(statusWrites))).toBeLessThanOrEqual(MOST_STATUS_WRITES);
    expect(Object.fromEntries(played.courses.map(({ name, changes }) => [name, changes]))).toEqual(statusWrites);
  });

  test('creates every child once', () => {
    const { [STATUS_WRITE]: _, ...creates } = played.orchestrator.writes;
    expect(creates).toEqual({
      'create signalprocessings': NAMES.length,
      'create aianalyses': NAMES.length,
      'create workflowexecutions': NAMES.length,
      'create effectivenessassessments': NAMES.length,
      'create notificationrequests': NAMES.length,
    });
  });

  test('its figures add up', () => {
    const figures = figuresOf(played);
    expect(figures.writes).toBe(figures.statusWrites + 5);
    expect(figures.mostStatusWrites).toBe(Math.max(...Object.values(played.orchestrator.statusWrites)));
    for (const { p50, p99 } of latencies(played.courses)) expect(p50).toBeLessThanOrEqual(p99);
  });

  test('the raw limit sends what one remediation took, under other names', async () => {
    const template = templateOf(played, site, SAMPLED);
    // Five ends, and the finalizer of the execution.
    const byStandIns = 6;
    const byGateway = 1;
    expect(template.writes).toHaveLength(MINIMAL_WRITES + byStandIns + byGateway);
    await rawLimit(site.transport, template, { namespace: site.emptyNamespace, names: ['rr-again-00001', 'rr-again-00002'] });
    const { items } = await site.client.list(RemediationRequest, { namespace: site.emptyNamespace });
    expect(items.map(({ metadata, status }) => [metadata.name, status?.overallPhase, status?.notificationStatus])).toEqual([
      ['rr-again-00001', 'Completed', 'Sent'],
      ['rr-again-00002', 'Completed', 'Sent'],
    ]);
  });
});
