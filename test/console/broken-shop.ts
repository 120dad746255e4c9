import { systemClock } from '../../src/base/index.ts';
import { BAD, crashLoopAlert, openShop, rollOut, untilCrashLoop, untilReady, type Shop } from '../../src/cli/demo/story.ts';
import type { Product } from './product.ts';

export interface BrokenShop {
  readonly shop: Shop;
  /** Sends the alert about its crash loop. */
  alert(): Promise<void>;
}

/** A Deployment whose new release crashes, in a namespace of its own. */
export async function breakShop(product: Product, namespace: string, environment: 'development' | 'production'): Promise<BrokenShop> {
  const client = await product.client();
  const shop: Shop = { namespace, name: 'checkout', image: 'busybox:1.37' };
  const { signal } = new AbortController();
  await openShop(client, shop, { environment });
  await untilReady(client, shop, signal);
  await rollOut(client, shop, BAD);
  const pod = await untilCrashLoop(client, shop, signal);
  return { shop, alert: () => product.alert(crashLoopAlert(pod, systemClock.now())) };
}
