import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { after } from '../../src/base/index.ts';
import { kinds, RemediationRequest } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/meta.ts';
import { aRequest } from '../../src/controllers/remediation/testing/builders.ts';
import { SYSTEM, type ApiStage } from '../../src/server/testing/api-stage.ts';
import { describeWithBrowser } from '../../src/testkit/lanes.ts';
import { HOSTILE, hostileSample } from './hostile-text.ts';
import { openStage, visitStage } from './stage.ts';
import { startBrowser, type Visit } from './visit.ts';

const SAMPLE = RemediationRequest.sample.metadata.name;
const MACHINE = kinds.find(({ kind }) => kind === 'Machine')!.sample.metadata;
const WORKFLOW = kinds.find(({ kind }) => kind === 'RemediationWorkflow')!.sample.metadata;

const PAGES = [
  '/',
  '/remediations',
  `/remediations/${SAMPLE}`,
  '/machines',
  `/machines/${MACHINE.namespace}/${MACHINE.name}`,
  '/workflows',
  `/workflows/${WORKFLOW.name}`,
  '/signals',
  '/audit',
  '/settings',
];

/** Opens whatever can be opened, also what is in what was opened. */
async function openAll(page: Page): Promise<void> {
  const closed = page.locator('#page details:not([open]) > summary');
  while ((await closed.count()) > 0) {
    await closed.first().click();
    // What is in it is read, or drawn, in the next frames.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    await expect.poll(() => page.locator('[aria-label^="Reading "]').count()).toBe(0);
  }
}

const HOUR_AHEAD = `
  const RealDate = Date;
  const ahead = () => RealDate.now() + 3600000;
  globalThis.Date = class extends RealDate {
    constructor(...parts) { super(...(parts.length === 0 ? [ahead()] : parts)); }
    static now = ahead;
  };`;

describeWithBrowser('the console, with bad input', (program) => {
  let stage: ApiStage;
  let browser: Browser;
  let person: Visit;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([openStage(), startBrowser(program())]);
    for (const kind of kinds) await stage.put(hostileSample(kind) as KubeObject);
    stage.journal.add({ at: '2026-01-01T00:00:00Z', name: HOSTILE, verdict: 'rejected', message: HOSTILE });
    person = await visitStage(browser);
  });

  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  const opened = async (path: string, { page }: Visit = person): Promise<void> => {
    await page.goto(stage.url + path);
    await page.locator('.live[data-state=live]').waitFor();
    await expect.poll(() => page.locator('[aria-label^="Reading "]').count()).toBe(0);
  };
  const text = (): Promise<string> => person.page.locator('#page').innerText();
  const put = async (name: string, spec: Parameters<typeof aRequest>[1], overallPhase: 'Pending' | 'Analyzing' = 'Analyzing') => {
    const request = aRequest({ overallPhase }, spec);
    await stage.put({ ...request, metadata: { ...request.metadata, namespace: SYSTEM, name } });
  };

  test.each(PAGES)('text of a cluster or an alert is text on %s, whatever stands in it', async (path) => {
    const { page } = person;
    await opened(path);
    await openAll(page);
    expect(await page.locator('[onerror]').count()).toBe(0);
    expect(person.faults()).toEqual([]);
  });

  test('hostile text is shown as it was written', async () => {
    await opened(`/remediations/${SAMPLE}`);
    expect((await text()).split(HOSTILE).length).toBeGreaterThan(30);
    await opened('/signals');
    expect(await text()).toContain(HOSTILE);
  });

  test('what Prometheus measured is plotted, with what it says in words; the objects are there in YAML', async () => {
    stage.monitoring.prometheus = {
      range: ({ from, to, stepMs }) => {
        const count = Math.floor((to - from) / stepMs);
        return Promise.resolve({
          kind: 'value',
          value: Array.from({ length: count }, (_, i) => ({ at: after(from, i * stepMs), value: i % 7 })),
        });
      },
    };
    await opened(`/remediations/${SAMPLE}`);
    const { page } = person;
    await page.locator('.plot canvas').first().waitFor();
    expect(await page.locator('.plot').first().innerText()).toMatch(/^restarts .* during the fault, .* after; lower is better/);
    await page.locator('summary', { hasText: 'YAML' }).click();
    await page.locator('summary', { hasText: /^RemediationRequest/ }).click();
    await page.locator('pre', { hasText: /^apiVersion: \S+\s+kind: RemediationRequest\s/ }).waitFor();
    delete stage.monitoring.prometheus;
    expect(person.faults()).toEqual([]);
  });

  test('an alert with an emoji and a name from right to left leaves the text around it in order', async () => {
    await put('rtl', { signalName: '🚑 שלום \u202Eecivres' });
    await opened('/remediations?search=rtl');
    const row = person.page.getByRole('row').last();
    expect(await row.locator('bdi').first().innerText()).toContain('🚑 שלום');
    await opened('/remediations/rtl');
    expect(await person.page.locator('h1').innerText()).toContain('🚑');
  });

  test('an annotation of 1 MB is cut off where it is shown', async () => {
    await put('long', { signalAnnotations: { description: 'x'.repeat(1_000_000) } });
    await opened('/remediations/long');
    await openAll(person.page);
    expect(await text()).toContain('# … cut off after 256 KiB');
    expect((await text()).length).toBeLessThan(400_000);
    expect(await person.page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1_360);
    expect(person.faults()).toEqual([]);
  });

  test('an unknown remediation, Machine, workflow and page each say so', async () => {
    await opened('/remediations/no-such');
    expect(await text()).toContain('There is no remediation no-such.');
    await opened('/machines/nowhere/no-such');
    expect(await text()).toContain('there is no Machine nowhere/no-such');
    await opened('/workflows/no-such');
    expect(await text()).toContain('the catalogue has no workflow no-such');
    await opened('/no/such/page');
    expect(await text()).toContain('There is no such page');
    expect(new Set(person.faults())).toEqual(
      new Set(['remediations/no-such', 'machines/nowhere/no-such', 'workflows/no-such'].map((path) => `refused: 404 /api/v1/${path}`)),
    );
  });

  test('a remediation that is deleted while it is shown stays, with a note', async () => {
    await put('gone', {});
    await opened('/remediations/gone');
    await stage.system.delete(RemediationRequest, { namespace: SYSTEM, name: 'gone' });
    await person.page.getByText('This remediation was deleted while you looked at it.').waitFor();
    expect(await person.page.locator('h1').innerText()).toBe('KubePodCrashLooping');
    expect(new Set(person.faults().map((fault) => fault.split('/')[0]))).toEqual(new Set(['refused: 404 ']));
  });

  test('a browser whose clock is an hour ahead is told so, and limits count by the server’s clock', async () => {
    const ahead = await visitStage(browser, { before: HOUR_AHEAD });
    await opened(`/remediations/${SAMPLE}`, ahead);
    await ahead.page.getByText(/The clock of this browser is (1h|1h0m|60m|59m\d+s|1h0m\ds) ahead of the server’s/).waitFor();
    expect(ahead.faults()).toEqual([]);
    await ahead.close();
  });

  test('a token that is not known leads to the sign-in', async () => {
    const unknown = await visitStage(browser, { before: `sessionStorage.setItem('sickbay.token', 'made-up');` });
    await unknown.page.goto(stage.url);
    await unknown.page.getByRole('heading', { name: 'Sign in to Sickbay' }).waitFor();
    await unknown.page.getByLabel('Bearer token').fill('another');
    await unknown.page.getByRole('button', { name: 'Sign in' }).click();
    await unknown.page.getByText('The Kubernetes API does not know this token, or it has expired.').waitFor();
    expect(new Set(unknown.faults())).toEqual(new Set(['refused: 401 /api/v1/session']));
    await unknown.close();
  });

  test('an older server, which lacks a route, is named as the reason', async () => {
    const { page } = person;
    await page.route('**/api/v1/audit*', (route) => route.fulfill({ status: 404, contentType: 'text/plain', body: 'not found' }));
    await opened('/audit');
    expect(await text()).toContain('The server may be older than this page.');
    expect(person.faults()).toContain('refused: 404 /api/v1/audit');
    await page.unroute('**/api/v1/audit*');
  });

  test.each([
    { name: 'something that is no JSON', answer: { status: 200, contentType: 'application/json', body: 'garbage' } },
    { name: 'a failure of a proxy', answer: { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' } },
  ])('an answer that is $name is an error with a way on', async ({ answer }) => {
    const { page } = person;
    await page.route('**/api/v1/workflows*', (route) => route.fulfill(answer));
    await page.goto(`${stage.url}/workflows`);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await text()).not.toContain('<h1>');
    await page.unroute('**/api/v1/workflows*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'Workflows' }).waitFor();
    expect(person.faults().filter((fault) => fault !== 'refused: 502 /api/v1/workflows')).toEqual([]);
  });
});
