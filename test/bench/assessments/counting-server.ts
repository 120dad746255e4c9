import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What was asked since the last time. */
export interface Counted {
  /** Range queries to Prometheus. */
  readonly queries: number;
  /** Different ones: another query, or another window. */
  readonly distinct: number;
  /** Questions to Alertmanager. */
  readonly alerts: number;
}

export type Told = { readonly port: number } | { readonly counted: Counted };

/** Prometheus and Alertmanager at one address. */
export interface CountingServer {
  readonly url: string;
  /** Resets the counters: measurement starts now. Returns the earlier counts. */
  begin(changedAt: number): Promise<Counted>;
  stop(): Promise<void>;
}

/** Starts both in a process of their own. */
export async function startCountingServer(): Promise<CountingServer> {
  const child = fork(new URL('./monitoring-process.ts', import.meta.url), { stdio: 'inherit' });
  const gone = once(child, 'exit');
  const hear = async (): Promise<Told> => {
    const heard = await Promise.race([once(child, 'message'), gone.then(() => [])]);
    if (heard.length === 0) throw new Error('the servers ended');
    return heard[0] as Told;
  };
  const first = await hear();
  if (!('port' in first)) throw new Error('the servers named no port');
  return {
    url: `http://127.0.0.1:${first.port}`,
    async begin(changedAt) {
      const answer = hear();
      child.send({ changedAt });
      const told = await answer;
      return 'counted' in told ? told.counted : { queries: 0, distinct: 0, alerts: 0 };
    },
    async stop() {
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}
