import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE } from '../../src/base/index.ts';
import { describeWithBrowser } from '../../src/testkit/lanes.ts';
import { seriousFindings } from './accessibility.ts';
import { costOf, RECORD_COST } from './page-cost.ts';
import { Product } from './product.ts';
import { startBrowser, visit, type Visit } from './visit.ts';

/** The folder that pictures of the pages are written to; without it none are. */
const IMAGES = process.env['SICKBAY_TEST_IMAGES'];

/** Of these pages there are pictures in dark and on a narrow screen too. */
const ALSO_DARK = ['now', 'remediation', 'machines'];
const ALSO_NARROW = ['now', 'remediation'];

const WIDE = { width: 1360, height: 900 };
const NARROW = { width: 400, height: 800 };
/** A little more than it takes now: what is shipped by mistake shows. */
const MOST_BYTES = 200_000;

/** How each page is reached. */
const PAGES: readonly { readonly name: string; readonly go: (page: Page, url: string) => Promise<unknown> }[] = [
  { name: 'now', go: (page, url) => page.goto(url) },
  { name: 'remediations', go: (page, url) => page.goto(`${url}/remediations`) },
  { name: 'remediation', go: (page, url) => follow(page, `${url}/remediations?search=production`, '.row-link') },
  { name: 'machines', go: (page, url) => page.goto(`${url}/machines`) },
  { name: 'machine', go: (page, url) => follow(page, `${url}/machines`, '.cell') },
  { name: 'workflows', go: (page, url) => page.goto(`${url}/workflows`) },
  { name: 'workflow', go: (page, url) => page.goto(`${url}/workflows/rollback-deployment`) },
  { name: 'signals', go: (page, url) => page.goto(`${url}/signals`) },
  { name: 'audit', go: (page, url) => page.goto(`${url}/audit`) },
  { name: 'settings', go: (page, url) => page.goto(`${url}/settings`) },
  { name: 'no-such-page', go: (page, url) => page.goto(`${url}/no/such/page`) },
];

describeWithBrowser('the console while the demo runs', (program) => {
  let product: Product;
  let browser: Browser;
  let person: Visit;
  let session: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>;

  beforeAll(async () => {
    [product, browser] = await Promise.all([Product.start('--demo'), startBrowser(program())]);
    person = await visit(browser, { before: RECORD_COST });
    await person.page.goto(product.link());
    session = await person.page.context().storageState();
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  test(
    'the loop is watched from the alert to Completed, without a reload',
    async () => {
      const { page } = person;
      await picture(page, 'loop-1-quiet');
      await page.locator('.row', { hasText: 'shop/checkout' }).first().waitFor();
      await picture(page, 'loop-2-running');
      await page.locator('.row', { hasText: 'shop/checkout' }).first().click();
      await page.locator('[aria-current=step]', { hasText: 'Verifying' }).waitFor();
      await picture(page, 'loop-3-verifying');
      await page.locator('[aria-current=step]', { hasText: 'Completed' }).waitFor();
      expect(await page.locator('.page-head').innerText()).toContain('Remediated');
      await picture(page, 'loop-4-completed');
      await product.said('2 of 2 healthy');
      expect(person.faults()).toEqual([]);
    },
    2 * MINUTE,
  );

  describe('every page', () => {
    test.each(PAGES)(
      '$name: readable by everyone, in light, in dark and on a narrow screen; nothing moves, nothing is refused',
      async ({ name, go }) => {
        for (const colorScheme of ['light', 'dark'] as const) {
          const seen = await visit(browser, { colorScheme, storageState: session, before: RECORD_COST });
          const { page } = seen;
          await go(page, product.url);
          await settled(page);
          expect(await seriousFindings(page)).toEqual([]);
          expect(await costOf(page)).toMatchObject({ moved: [], shift: 0 });
          if (colorScheme === 'light') await picture(page, name);
          else if (ALSO_DARK.includes(name)) await picture(page, `${name}-dark`);
          await page.setViewportSize(NARROW);
          expect(await widthOf(page)).toBeLessThanOrEqual(NARROW.width);
          if (colorScheme === 'light') {
            expect(await seriousFindings(page)).toEqual([]);
            if (ALSO_NARROW.includes(name)) await picture(page, `${name}-narrow`);
          }
          expect(seen.faults()).toEqual([]);
          await seen.close();
        }
      },
    );
  });

  test('the sign-in is readable by everyone, in light, in dark and on a narrow screen', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const stranger = await visit(browser, { colorScheme, viewport: colorScheme === 'dark' ? NARROW : WIDE });
      await stranger.page.goto(product.url);
      await stranger.page.getByRole('heading', { name: 'Sign in to Sickbay' }).waitFor();
      expect(await seriousFindings(stranger.page)).toEqual([]);
      expect(await widthOf(stranger.page)).toBeLessThanOrEqual(colorScheme === 'dark' ? NARROW.width : WIDE.width);
      if (colorScheme === 'light') await picture(stranger.page, 'sign-in');
      expect(stranger.faults()).toEqual(['refused: 401 /api/v1/session']);
      await stranger.close();
    }
  });

  test('the first visit takes no more than 200 kB', async () => {
    const first = await visit(browser, { storageState: session, before: RECORD_COST });
    await first.page.goto(product.url);
    await settled(first.page);
    const cost = await costOf(first.page);
    process.stdout.write(`first visit: ${JSON.stringify(cost)}\n`);
    expect(cost.bytes).toBeLessThanOrEqual(MOST_BYTES);
    expect(cost.bytes).toBeGreaterThan(50_000);
    await first.close();
  });

  test('keys choose a page, search and list themselves', async () => {
    const { page } = person;
    await page.goto(product.url);
    await settled(page);
    await page.keyboard.press('4');
    await page.getByRole('heading', { name: 'Workflows' }).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Search remediations' }).waitFor();
    await expect.poll(() => page.evaluate<string>('document.activeElement.type')).toBe('search');
    await page.keyboard.type('production');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(new URL(page.url()).search).toBe('?search=production');
    await page.keyboard.press('Tab');
    await page.locator('#page').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    expect(person.faults()).toEqual([]);
  });
});

/** Opens a link of a list as if it were the first page: only then it is known what moved on it. */
async function follow(page: Page, list: string, link: string): Promise<void> {
  await page.goto(list);
  const href = await page.locator(link).first().getAttribute('href');
  await page.goto(new URL(href!, list).href);
}

/** Everything was read, and the stream of changes is open. */
async function settled(page: Page): Promise<void> {
  await page.locator('.live[data-state=live]').waitFor();
  await page.locator('#page > *').first().waitFor();
  await expect.poll(() => page.locator('[aria-label^="Reading "]').count()).toBe(0);
}

const widthOf = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth');

async function picture(page: Page, name: string): Promise<void> {
  if (!IMAGES) return;
  mkdirSync(IMAGES, { recursive: true });
  await page.screenshot({ path: join(IMAGES, `${name}.png`) });
}
