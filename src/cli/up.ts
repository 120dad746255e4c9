import { Registry } from 'prom-client';
import { CustomResourceDefinition } from '../api/builtin/index.ts';
import { crdOf } from '../api/crd-of.ts';
import { kinds, resourceName, type KindDefinition } from '../api/index.ts';
import { createMemoryApi } from '../apiserver/index.ts';
import { silent, systemClock, systemRandom } from '../base/index.ts';
import { createClient } from '../kube/api-client.ts';
import type { KubeClient } from '../kube/client.ts';
import { createMetrics, meteredTransport, ping, serveHealth, watchEventLoop, type HealthChecks } from '../runtime/index.ts';

export interface UpOptions {
  readonly version: string;
  readonly port: number;
  readonly print: (line: string) => void;
  readonly stop: AbortSignal;
}

/** Brings up the API in memory with all kinds, tells how to look at it, and stays until it is told to stop. */
export async function up({ version, port, print, stop }: UpOptions): Promise<void> {
  const registry = new Registry();
  const metrics = createMetrics(registry);
  const stopWatching = watchEventLoop(registry);
  const api = createMemoryApi({ clock: systemClock, random: systemRandom });
  const client = createClient(meteredTransport(api, { clock: systemClock, metrics }));
  print(`sickbay ${version}`);
  for (const kind of kinds) await install(client, kind, print);
  const health = await serveHealth({ port, checks: checksOf(client), metrics: registry, log: silent });
  print(`  health   http://${health.host}:${health.port}/readyz?verbose`);
  print(`  metrics  http://${health.host}:${health.port}/metrics`);
  print(`Ready: ${kinds.length} kinds are served from memory. Stop with Ctrl-C.`);
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  await health.close();
  stopWatching();
  api.close();
  print('Stopped.');
}

async function install(client: KubeClient, kind: KindDefinition, print: (line: string) => void): Promise<void> {
  await client.create(CustomResourceDefinition, crdOf(kind));
  const versions = kind.versions.map(({ name }) => name).join(', ');
  print(`  ${resourceName(kind).padEnd(62)} ${versions.padEnd(28)} ${kind.shortNames.join(', ')}`.trimEnd());
}

/** Ready means that every kind can be listed. */
const checksOf = (client: KubeClient): HealthChecks => ({
  livez: [ping],
  readyz: kinds.map((kind) => ({
    name: resourceName(kind),
    check: async () => void (await client.list(kind, { pageSize: 1 })),
  })),
});
