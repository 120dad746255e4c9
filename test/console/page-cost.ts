import type { Page } from 'playwright-core';

/** What the first visit of a page costs. */
export interface PageCost {
  /** Bytes of everything that is not an answer of the API, as they came over the network. */
  readonly bytes: number;
  readonly requests: number;
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  /** How far things moved that were already shown: 0 when nothing did. */
  readonly shift: number;
}

/** Runs before every script of a page and records what `costOf` reads. */
export const RECORD_COST = `
  globalThis.cost = { shift: 0, moved: [], largest: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) {
      cost.shift += entry.value;
      if (entry.value >= 0.0005) cost.moved.push(...entry.sources.map(({ node }) => String(node?.outerHTML ?? node?.textContent).slice(0, 120)));
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) cost.largest = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
`;

/** What of a browser's window is read here. */
interface Window {
  readonly cost: { readonly shift: number; readonly moved: readonly string[]; readonly largest: number };
  readonly performance: Record<'getEntriesByType' | 'getEntriesByName', (name: string) => readonly Timing[]>;
}

interface Timing {
  readonly name: string;
  readonly startTime: number;
  readonly transferSize: number;
}

/** What the page cost so far. */
export async function costOf(page: Page): Promise<PageCost & { readonly moved: readonly string[] }> {
  return page.evaluate(() => {
    const { cost, performance } = globalThis as unknown as Window;
    const { shift, moved, largest } = cost;
    const files = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const own = files.filter(({ name }) => !new URL(name).pathname.startsWith('/api/'));
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return {
      bytes: own.reduce((sum, { transferSize }) => sum + transferSize, 0),
      requests: own.length,
      firstPaintMs: Math.round(paint?.startTime ?? 0),
      largestPaintMs: Math.round(largest),
      shift: Number(shift.toFixed(3)),
      moved,
    };
  });
}
