import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { RemediationApprovalRequest, RemediationRequest } from '../../src/api/index.ts';
import { ServiceAccount } from '../../src/api/builtin/index.ts';
import type { KubeClient } from '../../src/kube/index.ts';
import { accountToken } from '../../src/testkit/account-token.ts';
import { controlPlaneLane } from '../../src/testkit/lane.ts';
import { describeWithBrowser } from '../../src/testkit/lanes.ts';
import { bindAccount } from './bind-account.ts';
import { breakShop, type BrokenShop } from './broken-shop.ts';
import { Product } from './product.ts';
import { startBrowser, visit, type Visit } from './visit.ts';

const SYSTEM = 'sickbay-system';
const KUBECTL = join(process.env[controlPlaneLane.setting] ?? '', 'kubectl');

/** One remediation takes its own time: workflow processes, stabilization, verification. */
const WHOLE_LOOP = { timeout: 60_000 };

describeWithBrowser('the console of a running Sickbay', (program) => {
  let product: Product;
  let browser: Browser;
  let person: Visit;
  let shops: Readonly<Record<'dev' | 'approved' | 'rejected', BrokenShop>>;

  beforeAll(async () => {
    [product, browser] = await Promise.all([Product.start('--empty'), startBrowser(program())]);
    const [dev, approved, rejected] = await Promise.all([
      breakShop(product, 'shop', 'development'),
      breakShop(product, 'shop-production', 'production'),
      breakShop(product, 'shop-europe', 'production'),
    ]);
    shops = { dev, approved, rejected };
    person = await visit(browser);
    await person.page.goto(product.link());
  });

  afterEach(() => expect(person.faults()).toEqual([]));

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  test('shows a remediation from the alert to Remediated without a reload', async () => {
    const { page } = person;
    await page.getByText('Nothing is being remediated.').waitFor();
    await shops.dev.alert();
    await page.getByRole('link', { name: 'KubePodCrashLooping' }).first().click();
    const present = page.getByRole('list', { name: 'Phases' }).locator('[aria-current=step]');
    await present.filter({ hasText: 'Completed' }).waitFor(WHOLE_LOOP);
    expect(await page.locator('.page-head').innerText()).toContain('Remediated');
    await expectText(page, /revision 2 of Deployment shop\/checkout crashes \(exit code 1\)/);
    await expectText(page, /2 of 2 pods ready/);
    await page.getByRole('link', { name: 'Now', exact: true }).click();
    await page.locator('.row', { hasText: 'shop/checkout' }).getByText('Remediated').waitFor();
  });

  test('a plan that is approved in the page runs, and kubectl shows who approved it', async () => {
    const { page } = person;
    await page.goto(product.url);
    await shops.approved.alert();
    await page.locator('[data-attention=approval]', { hasText: 'shop-production/checkout' }).click(WHOLE_LOOP);
    await page.getByRole('heading', { name: 'Approve or reject this plan' }).waitFor();
    await expectText(page, /rollback-deployment/);
    await page.getByRole('textbox', { name: 'Reason' }).fill('the release is bad');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.locator('[aria-current=step]', { hasText: 'Completed' }).waitFor(WHOLE_LOOP);
    const name = nameIn(page);
    const approval = await (await product.client()).get(RemediationApprovalRequest, { namespace: SYSTEM, name: `rar-${name}` });
    expect(approval.status).toMatchObject({ decision: 'Approved', decidedBy: 'admin', decisionMessage: 'the release is bad' });
    if (existsSync(KUBECTL)) expect(kubectl(product, 'get', 'rar', `rar-${name}`, '-n', SYSTEM)).toMatch(/Approved/);
  });

  test('a plan that is rejected in the page does not run', async () => {
    const { page } = person;
    await page.goto(product.url);
    await shops.rejected.alert();
    await page.locator('[data-attention=approval]', { hasText: 'shop-europe/checkout' }).click(WHOLE_LOOP);
    const reject = page.getByRole('button', { name: 'Reject' });
    expect(await reject.isDisabled()).toBe(true);
    await viewerSees(await product.client(), nameIn(page));
    await page.getByRole('textbox', { name: 'Reason' }).fill('wait for the team');
    await reject.click();
    await expectText(page, /wait for the team/);
    await page.locator('.page-head', { hasText: 'Failed' }).waitFor(WHOLE_LOOP);
    const request = await (await product.client()).get(RemediationRequest, { namespace: SYSTEM, name: nameIn(page) });
    expect(request.status?.executionRef).toBeUndefined();
  });

  async function signedIn(token: string, path: string): Promise<Visit> {
    const person = await visit(browser);
    const { page } = person;
    await page.goto(product.url + path);
    await page.getByLabel('Bearer token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    return person;
  }

  /** A person who may look sees the plan, is offered nothing, and is refused by the server. */
  async function viewerSees(client: KubeClient, name: string): Promise<void> {
    const token = await tokenOf(client, 'vera', 'sickbay-viewer');
    const viewer = await signedIn(token, `/remediations/${name}`);
    const { page } = viewer;
    await page.getByRole('heading', { name: 'Approve or reject this plan' }).waitFor();
    await expectText(page, /may not decide/);
    expect(await page.getByRole('button', { name: /^(Approve|Reject|Cancel)/ }).count()).toBe(0);
    const decided = await fetch(`${product.url}/api/v1/approvals/rar-${name}/decision`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ decision: 'Approved' }),
    });
    expect(decided.status).toBe(403);
    // Before the sign-in nothing may be read; after it nothing is asked for that a viewer may not see.
    expect(new Set(viewer.faults())).toEqual(new Set(['refused: 401 /api/v1/session']));
    await viewer.close();
  }

  test('says that Sickbay does not answer, and goes on by itself when it is there again', async () => {
    const { page } = person;
    const client = await product.client();
    const former = await signedIn(await tokenOf(client, 'walter', 'sickbay-viewer'), '/');
    await former.page.getByRole('heading', { name: 'Needs you' }).waitFor();
    await client.delete(ServiceAccount, { namespace: SYSTEM, name: 'walter' });
    await page.goto(`${product.url}/remediations`);
    await page.getByRole('table', { name: 'Remediations' }).waitFor();
    await product.kill();
    for (const each of [page, former.page]) {
      await each.getByText('Sickbay does not answer.').waitFor();
      await each.getByText('Not connected').waitFor();
    }
    await product.start();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('Sickbay does not answer.').waitFor({ state: 'detached' });
    expect(await page.getByRole('row').filter({ hasText: 'KubePodCrashLooping' }).count()).toBe(3);
    // The account of the other was deleted meanwhile.
    await former.page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    expect(former.faults().filter((fault) => !fault.startsWith('refused: 401 '))).toEqual([]);
    await former.close();
  });
});

const nameIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1)!;

/** Waits until the page shows it. */
const expectText = (page: Page, text: RegExp): Promise<void> => page.locator('#page').getByText(text).first().waitFor();

/** A token of a new ServiceAccount with this role. */
async function tokenOf(client: KubeClient, name: string, role: string): Promise<string> {
  await bindAccount(client, { namespace: SYSTEM, name }, role);
  return accountToken(client, { namespace: SYSTEM, name });
}

const kubectl = (product: Product, ...words: readonly string[]): string =>
  spawnSync(KUBECTL, ['--kubeconfig', product.kubeconfig, ...words], { encoding: 'utf8', timeout: 20_000 }).stdout;
