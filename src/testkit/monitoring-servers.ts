/**
 * A real Prometheus and a real Alertmanager on free loopback ports, in a temporary folder that goes away with them. Prometheus scrapes a
 * page that the test writes, every second, and tells Alertmanager what fires.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { after, PlatformError, SECOND, systemClock } from '../base/index.ts';
import { httpServer, type HttpServer } from '../kube/testing/http-server.ts';
import { freePorts } from './free-ports.ts';
import { startServer, type ServerProcess } from './server-process.ts';

export interface MonitoringServers {
  readonly prometheusUrl: string;
  readonly alertManagerUrl: string;
  /** What is measured from now on, as Prometheus reads it. */
  expose(page: string): void;
  readonly prometheus: ServerProcess;
  readonly alertmanager: ServerProcess;
  stop(): Promise<void>;
}

export interface MonitoringOptions {
  readonly binaries: string;
  /** The alert, and when it fires. */
  readonly alert: { readonly name: string; readonly expr: string };
}

const READY_WITHIN_MS = 30 * SECOND;

/** Starts both and resolves once they are ready. */
export async function startMonitoring({ binaries, alert }: MonitoringOptions): Promise<MonitoringServers> {
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-monitoring-'));
  const [prometheusPort, alertmanagerPort] = (await freePorts(2)) as [number, number];
  let page = '';
  const exporter = await httpServer((_, response) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(page));
  writeConfigs(folder, { exporter, alertmanagerPort, alert });
  const start = (name: string, args: readonly string[]): ServerProcess =>
    startServer(join(binaries, name), args, join(folder, `${name}.log`));
  const prometheus = start('prometheus', prometheusArgs(folder, prometheusPort));
  const alertmanager = start('prometheus-alertmanager', alertmanagerArgs(folder, alertmanagerPort));
  const servers: MonitoringServers = {
    prometheusUrl: `http://127.0.0.1:${prometheusPort}`,
    alertManagerUrl: `http://127.0.0.1:${alertmanagerPort}`,
    expose: (text) => void (page = text),
    prometheus,
    alertmanager,
    async stop() {
      await Promise.all([prometheus.kill(), alertmanager.kill(), exporter.close()]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
  try {
    await Promise.all([isReady(servers.prometheusUrl, prometheus), isReady(servers.alertManagerUrl, alertmanager)]);
    return servers;
  } catch (error) {
    await servers.stop();
    throw error;
  }
}

interface Places {
  readonly exporter: HttpServer;
  readonly alertmanagerPort: number;
  readonly alert: MonitoringOptions['alert'];
}

function writeConfigs(folder: string, { exporter, alertmanagerPort, alert }: Places): void {
  const scrape = { job_name: 'test', honor_labels: true, static_configs: [{ targets: [new URL(exporter.url).host] }] };
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [join(folder, 'rules.json')],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${alertmanagerPort}`] }] }] },
    scrape_configs: [scrape],
  };
  const rules = { groups: [{ name: 'test', interval: '1s', rules: [{ alert: alert.name, expr: alert.expr }] }] };
  const route = { route: { receiver: 'nobody' }, receivers: [{ name: 'nobody' }] };
  // JSON is YAML.
  for (const [file, content] of Object.entries({ prometheus: config, rules, alertmanager: route }))
    writeFileSync(join(folder, `${file}.json`), JSON.stringify(content));
}

const prometheusArgs = (folder: string, port: number): readonly string[] => [
  `--config.file=${join(folder, 'prometheus.json')}`,
  `--storage.tsdb.path=${join(folder, 'prometheus')}`,
  `--web.listen-address=127.0.0.1:${port}`,
];

const alertmanagerArgs = (folder: string, port: number): readonly string[] => [
  `--config.file=${join(folder, 'alertmanager.json')}`,
  `--storage.path=${join(folder, 'alertmanager')}`,
  `--web.listen-address=127.0.0.1:${port}`,
  '--cluster.listen-address=',
];

/** Waits until the server says that it is ready. */
export async function isReady(url: string, server: ServerProcess): Promise<void> {
  await eventually(`${server.name} to be ready`, READY_WITHIN_MS, async () => {
    if (server.ended()) throw new PlatformError('Unavailable', `${server.name} ended: ${server.lastWords()}`);
    const answer = await request(`${url}/-/ready`).catch(() => undefined);
    await answer?.body.dump();
    return answer?.statusCode === 200 ? true : undefined;
  });
}

/** Asks until there is an answer. */
export async function eventually<T>(what: string, withinMs: number, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = after(systemClock.now(), withinMs);
  const never = new AbortController().signal;
  while (systemClock.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await systemClock.waitUntil(after(systemClock.now(), 200), never);
  }
  throw new PlatformError('Unavailable', `waiting for ${what}: not within ${withinMs / SECOND} s`);
}
