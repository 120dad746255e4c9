/**
 * What a real cluster has beside it: kube-state-metrics, Prometheus with stock rules and Alertmanager, on free loopback ports, in a temporary
 * folder that goes away with them. Alertmanager posts to a webhook, as quickly as its settings allow.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SECOND } from '../../src/base/index.ts';
import { httpServer } from '../../src/kube/testing/http-server.ts';
import { freePorts } from '../../src/testkit/free-ports.ts';
import { eventually, isReady } from '../../src/testkit/monitoring-servers.ts';
import { startServer, type ServerProcess } from '../../src/testkit/server-process.ts';
import { STOCK_RULES } from './stock-rules.ts';

/** The folder of kube-state-metrics, and that of Prometheus and Alertmanager. */
export interface MonitoringPrograms {
  readonly stateMetrics: string;
  readonly monitoring: string;
}

export interface ClusterMonitoringOptions extends MonitoringPrograms {
  readonly kubeconfig: string;
  /** Names of the nodes, whose containers are measured. */
  readonly nodes: readonly string[];
  readonly webhookUrl: string;
  /** Only alerts about namespaces that begin so, and about Nodes where they are wanted, are sent. */
  readonly namespaces: string;
  readonly sendsNodes: boolean;
}

export interface ClusterMonitoring {
  readonly prometheusUrl: string;
  readonly alertManagerUrl: string;
  /** Series of an exporter, besides those of the cluster. */
  expose(series: readonly string[]): void;
  /** Stops Prometheus and Alertmanager. */
  stop(): Promise<void>;
  /** Starts them where they are stopped. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Starts all of them, and resolves once they are ready. */
export async function startClusterMonitoring(options: ClusterMonitoringOptions): Promise<ClusterMonitoring> {
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-day-'));
  const [metrics, telemetry, prometheusPort, alertmanagerPort] = (await freePorts(4)) as [number, number, number, number];
  const ports = { metrics, prometheusPort, alertmanagerPort };
  let page = '';
  const exporter = await httpServer((_, response) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(page));
  await writeConfigs(folder, { ...options, ...ports, exporter: new URL(exporter.url).host });
  const begin = (program: string, args: readonly string[], log: string): ServerProcess => startServer(program, args, join(folder, log));
  const stateMetrics = begin(
    join(options.stateMetrics, 'kube-state-metrics'),
    ['--kubeconfig', options.kubeconfig, ...address('', metrics), ...address('telemetry-', telemetry)],
    'state-metrics.log',
  );
  let servers: readonly ServerProcess[] = [];
  const result: ClusterMonitoring = {
    prometheusUrl: `http://127.0.0.1:${prometheusPort}`,
    alertManagerUrl: `http://127.0.0.1:${alertmanagerPort}`,
    expose: (series) => void (page = series.map((line) => `${line}\n`).join('')),
    async stop() {
      await Promise.all(servers.map((server) => server.kill()));
      servers = [];
    },
    async start() {
      if (servers.length > 0) return;
      const { monitoring } = options;
      const alertmanager = begin(
        join(monitoring, 'prometheus-alertmanager'),
        alertmanagerArgs(folder, alertmanagerPort),
        'alertmanager.log',
      );
      const prometheus = begin(join(monitoring, 'prometheus'), prometheusArgs(folder, prometheusPort), 'prometheus.log');
      servers = [alertmanager, prometheus];
      await Promise.all([isReady(result.alertManagerUrl, alertmanager), isReady(result.prometheusUrl, prometheus)]);
    },
    async close() {
      await Promise.all([result.stop(), stateMetrics.kill(), exporter.close()]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
  try {
    await result.start();
    await eventually('kube-state-metrics', 30 * SECOND, () => isListening(`http://127.0.0.1:${metrics}/healthz`));
    return result;
  } catch (error) {
    await result.close();
    throw error;
  }
}

const address = (prefix: string, port: number): readonly string[] => [`--${prefix}host=127.0.0.1`, `--${prefix}port=${port}`];

const isListening = async (url: string): Promise<true | undefined> =>
  fetch(url).then(
    ({ ok }) => ok || undefined,
    () => undefined,
  );

const prometheusArgs = (folder: string, port: number): readonly string[] => [
  `--config.file=${join(folder, 'prometheus.json')}`,
  `--storage.tsdb.path=${join(folder, 'prometheus')}`,
  `--web.listen-address=127.0.0.1:${port}`,
  '--rules.alert.resend-delay=5s',
];

const alertmanagerArgs = (folder: string, port: number): readonly string[] => [
  `--config.file=${join(folder, 'alertmanager.json')}`,
  `--storage.path=${join(folder, 'alertmanager')}`,
  `--web.listen-address=127.0.0.1:${port}`,
  '--cluster.listen-address=',
];

interface Places extends ClusterMonitoringOptions {
  readonly metrics: number;
  readonly alertmanagerPort: number;
  readonly exporter: string;
}

async function writeConfigs(folder: string, places: Places): Promise<void> {
  const { metrics, alertmanagerPort, exporter } = places;
  const scraped = (job_name: string, target: string) => ({ job_name, honor_labels: true, static_configs: [{ targets: [target] }] });
  const prometheus = {
    global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '2s' },
    rule_files: [join(folder, 'rules.json')],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${alertmanagerPort}`] }] }] },
    scrape_configs: [
      scraped('kube-state-metrics', `127.0.0.1:${metrics}`),
      scraped('exporter', exporter),
      ...(await cadvisors(folder, places)),
    ],
  };
  // JSON is YAML.
  for (const [file, content] of Object.entries({ prometheus, rules: STOCK_RULES, alertmanager: routes(places) }))
    writeFileSync(join(folder, `${file}.json`), JSON.stringify(content), { mode: 0o600 });
}

/** The intervals are those of a hurried day: 5 s, and a minute between repeats. */
function routes({ webhookUrl, namespaces, sendsNodes }: ClusterMonitoringOptions): object {
  const matched = [[`namespace=~"${namespaces}.*"`], ...(sendsNodes ? [['alertname=~"KubeNode.*"']] : [])];
  return {
    route: {
      receiver: 'nowhere',
      group_by: ['namespace'],
      group_wait: '5s',
      group_interval: '5s',
      repeat_interval: '1m',
      routes: matched.map((matchers) => ({ receiver: 'sickbay', matchers })),
    },
    receivers: [{ name: 'nowhere' }, { name: 'sickbay', webhook_configs: [{ url: webhookUrl, send_resolved: true }] }],
  };
}

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string; readonly 'certificate-authority-data'?: string } }];
  readonly users: readonly [{ readonly user: { readonly token?: string } }];
}

/** Each kubelet's cAdvisor, through the API server; none where the kubeconfig has no token. */
async function cadvisors(folder: string, { kubeconfig, nodes }: ClusterMonitoringOptions): Promise<readonly object[]> {
  const { clusters, users } = parse(await readFile(kubeconfig, 'utf8')) as Kubeconfig;
  const [{ cluster }] = clusters;
  const { token } = users[0].user;
  if (token === undefined) return [];
  const ca_file = join(folder, 'ca.crt');
  writeFileSync(ca_file, Buffer.from(cluster['certificate-authority-data'] ?? '', 'base64'));
  return nodes.map((node) => ({
    job_name: `cadvisor-${node}`,
    scheme: 'https',
    metrics_path: `/api/v1/nodes/${node}/proxy/metrics/cadvisor`,
    scrape_interval: '5s',
    scrape_timeout: '5s',
    authorization: { credentials: token },
    tls_config: { ca_file },
    static_configs: [{ targets: [new URL(cluster.server).host] }],
    metric_relabel_configs: [{ source_labels: ['__name__'], regex: 'container_cpu_.*|container_memory_working_set_bytes', action: 'keep' }],
  }));
}
