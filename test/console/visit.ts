import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';

/** Starts the browser. It looks at loopback only, so the sandbox that root cannot have is not missed. */
export const startBrowser = (program: string): Promise<Browser> =>
  chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-dev-shm-usage'] });

/** A page as one person sees it, and everything that went wrong on it: errors of scripts, violations of the policy, dialogs, refused requests. */
export interface Visit {
  readonly page: Page;
  /** What went wrong since the last call. */
  faults(): readonly string[];
  close(): Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** Runs before every script of the page. */
  readonly before?: string;
}

const WIDE = { width: 1360, height: 900 };

/** The browser reports refused requests without their address: they are counted by their answers. */
const REFUSED_REQUEST = /^Failed to load resource/;

/** Opens a page of a browser that has never been here. */
export async function visit(browser: Browser, { before, ...options }: VisitOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce', ...options });
  if (before !== undefined) await context.addInitScript(before);
  const page = await context.newPage();
  return { page, faults: faultsOf(page), close: () => closed(context) };
}

function faultsOf(page: Page): () => readonly string[] {
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('response', (response) => {
    if (response.status() >= 400) found.push(`refused: ${response.status()} ${new URL(response.url()).pathname}`);
  });
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !REFUSED_REQUEST.test(text)) found.push(`console: ${text}`);
  });
  return () => found.splice(0);
}

async function closed(context: BrowserContext): Promise<void> {
  await context.close();
}
