import type { Browser, CDPSession } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../../src/base/index.ts';
import { kinds, RemediationRequest } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/meta.ts';
import { aRequest } from '../../src/controllers/remediation/testing/builders.ts';
import { SYSTEM, type ApiStage } from '../../src/server/testing/api-stage.ts';
import { describeWithBrowser } from '../../src/testkit/lanes.ts';
import { openStage, visitStage } from './stage.ts';
import { startBrowser, type Visit } from './visit.ts';

const MANY = 10_000;
const MACHINES = 5_000;
const FEW = 100;
const ROW_HEIGHT = 44;

describeWithBrowser('the console, with long lists', (program) => {
  let many: ApiStage;
  let few: ApiStage;
  let browser: Browser;

  beforeAll(async () => {
    [many, few, browser] = await Promise.all([openStage(), openStage(), startBrowser(program())]);
    await Promise.all([fill(many, MANY), fill(few, FEW)]);
    const { sample } = kinds.find(({ kind }) => kind === 'Machine')!;
    for (let i = 0; i < MACHINES; i++)
      await many.put({ ...(sample as KubeObject), metadata: { ...sample.metadata, name: `worker-${i}` } } as KubeObject);
  }, 5 * MINUTE);

  afterAll(async () => {
    await browser?.close();
    await Promise.all([many?.close(), few?.close()]);
  });

  test('a filter over 10,000 remediations costs the page no more than one over 100', async () => {
    const [ofMany, ofFew] = [await costOfFilter(many), await costOfFilter(few)];
    process.stdout.write(
      `main thread: ${ofMany.toFixed(0)} ms for a filter over ${MANY} remediations, ${ofFew.toFixed(0)} ms over ${FEW}\n`,
    );
    // The page never holds more rows than it shows and a page ahead.
    expect(ofMany).toBeLessThan(3 * ofFew + 20);
  });

  /** How long the main thread worked, in ms: from the keys of a search until its rows are shown. */
  async function costOfFilter(stage: ApiStage): Promise<number> {
    const person = await visitStage(browser);
    const { page } = person;
    await page.goto(`${stage.url}/remediations`);
    await page.getByRole('row').nth(10).waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const before = await metric(session, 'TaskDuration');
    await page.getByRole('searchbox').fill('workload');
    await expect.poll(() => page.url()).toContain('search=workload');
    await page.locator('[data-old]').waitFor({ state: 'detached' });
    await page.getByRole('row').nth(10).waitFor();
    const cost = (await metric(session, 'TaskDuration')) - before;
    expect(person.faults()).toEqual([]);
    await person.close();
    return cost * 1_000;
  }

  test(
    'all 10,000 rows can be scrolled through: no blank rows, few elements, bounded memory',
    async () => {
      const person = await visitStage(browser);
      const { page } = person;
      await page.goto(`${many.url}/remediations`);
      await page.getByRole('row').nth(10).waitFor();
      const session = await page.context().newCDPSession(page);
      await session.send('Performance.enable');
      const heapBefore = await heapOf(session);
      const table = page.getByRole('table', { name: 'Remediations' });
      let rows = 0;
      while (rows < MANY) {
        await page.mouse.wheel(0, 150 * ROW_HEIGHT);
        expect(await blankRows(person)).toBe(0);
        await expect.poll(async () => Number(await table.getAttribute('aria-rowcount'))).toBeGreaterThanOrEqual(rows);
        rows = Number(await table.getAttribute('aria-rowcount'));
      }
      const grown = (await heapOf(session)) - heapBefore;
      const elements = await page.evaluate<number>('document.querySelectorAll("*").length');
      process.stdout.write(`after ${MANY} rows: ${(grown / 2 ** 20).toFixed(1)} MiB more heap, ${elements} elements\n`);
      expect(elements).toBeLessThan(3_000);
      expect(grown).toBeLessThan(40 * 2 ** 20);
      expect(person.faults()).toEqual([]);
      await person.close();
    },
    3 * MINUTE,
  );

  test('a change of a row far down is shown without a reload', async () => {
    const person = await visitStage(browser);
    await person.page.goto(`${many.url}/remediations?search=workload-777&sort=target`);
    const row = person.page
      .getByRole('row')
      .filter({ has: person.page.getByText('workload-777', { exact: true }) })
      .first();
    await row.waitFor();
    await many.system.patchStatus(
      RemediationRequest,
      { namespace: SYSTEM, name: 'rr-777' },
      { type: 'merge', body: { status: { overallPhase: 'Failed', message: 'it failed' } } },
    );
    await row.getByText('Failed').waitFor();
    await person.close();
  });

  test(
    '5,000 Machines are one grid in which each can be found',
    async () => {
      const person = await visitStage(browser);
      const { page } = person;
      await page.goto(`${many.url}/machines`);
      await expect.poll(() => page.locator('.cell').count()).toBe(MACHINES);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1_360);
      await page.getByRole('searchbox').fill('worker-4321');
      await expect.poll(() => page.locator('.cell').count()).toBe(1);
      await page.locator('.cell').click();
      await page.getByRole('heading', { name: 'worker-4321' }).waitFor();
      expect(person.faults()).toEqual([]);
      await person.close();
    },
    MINUTE,
  );
});

async function fill(stage: ApiStage, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const target = { kind: 'Deployment', name: `workload-${i}`, namespace: 'shop', apiVersion: 'apps/v1' };
    const request = aRequest({ overallPhase: 'Analyzing' }, { targetResource: target });
    await stage.put({ ...request, metadata: { ...request.metadata, namespace: SYSTEM, name: `rr-${i}` } });
  }
}

/** Rows of the window in which nothing is drawn, two frames after the last scroll. */
const blankRows = ({ page }: Visit): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
    const body = document.querySelector('.table-body').getBoundingClientRect();
    const top = Math.max(body.top, document.querySelector('.bar').getBoundingClientRect().bottom), bottom = Math.min(body.bottom, innerHeight);
    const x = body.left + body.width / 2;
    let blank = 0;
    for (let y = top + 22; y < bottom; y += ${ROW_HEIGHT}) if (!document.elementFromPoint(x, y)?.closest('.table-row')) blank++;
    resolve(blank);
  })))`);

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((each) => each.name === name)?.value ?? 0;
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return metric(session, 'JSHeapUsedSize');
}
