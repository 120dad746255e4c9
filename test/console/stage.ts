import type { Browser } from 'playwright-core';
import { DIST_FOLDER } from '../../console/build/sources.ts';
import { silent } from '../../src/base/index.ts';
import { readyConsole } from '../../src/cli/process/ready-console.ts';
import { ConsolePages } from '../../src/server/index.ts';
import { ApiStage } from '../../src/server/testing/api-stage.ts';
import { visit, type Visit, type VisitOptions } from './visit.ts';

/** The HTTP API over a server in memory, with the console: for states that a running product reaches rarely. */
export async function openStage(): Promise<ApiStage> {
  await readyConsole(() => undefined, silent);
  return new ApiStage().open(new ConsolePages(DIST_FOLDER));
}

/** Opens a browser in which the administrator of a stage has signed in. */
export async function visitStage(browser: Browser, { before = '', ...options }: VisitOptions = {}): Promise<Visit> {
  return visit(browser, { ...options, before: `sessionStorage.setItem('sickbay.token', 'admin');${before}` });
}
