import { monitorEventLoopDelay } from 'node:perf_hooks';
import { messageOf } from '../../src/base/index.ts';
import type { Asked, Holdings, Told } from './child.ts';

const NANOS_PER_MS = 1e6;

/** What every served program does: start from its options, tell where it is, and how its event loop fares when asked. */
export function serveChild<T>(start: (options: T) => Promise<{ readonly url: string }>): void {
  const tell = (told: Told): void => void process.send!(told);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on('message', (asked: Asked) => {
    if (asked === 'holdings') return tell({ holdings: holdings() });
    const at = (percentile: number): number => delay.percentile(percentile) / NANOS_PER_MS;
    tell({ delay: { p50: at(50), p99: at(99), max: delay.max / NANOS_PER_MS } });
    delay.reset();
  });
  // The parent process is gone, and with it the reason to serve.
  process.on('disconnect', () => process.exit(0));
  start(JSON.parse(process.argv[2]!) as T).then(
    ({ url }) => tell({ url }),
    (error: unknown) => tell({ error: messageOf(error) }),
  );
}

const holdings = (): Holdings => ({
  residentBytes: process.memoryUsage.rss(),
  sockets: process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length,
});
