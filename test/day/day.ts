import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Namespace, Node } from '../../src/api/builtin/index.ts';
import { admissionPolicies } from '../../src/api/policies/index.ts';
import { ACCOUNT, ownRights } from '../../src/api/rights/index.ts';
import { hasCode, steadyClock, systemClock, systemRandom } from '../../src/base/index.ts';
import { grant, install } from '../../src/cli/process/install.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import { installPolicies } from '../../src/kube/client/install-policies.ts';
import { createClient, httpTransport, loadConfig, type HttpTransport, type KubeClient } from '../../src/kube/index.ts';
import { asAccount } from '../cluster/as-account.ts';
import { startSickbay, type SickbayLife } from '../cluster/sickbay-process.ts';
import { Book } from './book.ts';
import { startClusterMonitoring, type ClusterMonitoring, type MonitoringPrograms } from './monitoring.ts';
import { startWebhookTap, type WebhookTap } from './webhook-tap.ts';

const { namespace: SYSTEM, executionNamespace } = DEFAULT_SETTINGS;
const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const run = promisify(execFile);

export interface DayOptions extends MonitoringPrograms {
  readonly kubeconfig: string;
  readonly workflowImage: string;
  /** Whether alerts about Nodes are sent. */
  readonly sendsNodes?: boolean;
  /** Prints one line. */
  readonly print: (line: string) => void;
}

/** How a command of `sickbay` ended. */
export interface CommandEnd {
  readonly code: number;
  readonly output: string;
}

/** A cluster with Sickbay as it ships, and with the monitoring that a real cluster has. */
export class Day {
  readonly client: KubeClient;
  readonly kubeconfig: string;
  /** What the names of all its namespaces begin with. */
  readonly prefix: string;
  readonly book: Book;
  readonly tap: WebhookTap;
  readonly monitoring: ClusterMonitoring;
  readonly over = new AbortController();
  readonly #parts: { readonly transport: HttpTransport; readonly life: SickbayLife; readonly folder: string };
  readonly #beganAt = steadyClock.now();
  readonly #print: (line: string) => void;

  private constructor(options: DayOptions, parts: OpenParts) {
    this.#print = options.print;
    this.kubeconfig = options.kubeconfig;
    this.client = createClient(parts.transport);
    this.prefix = parts.prefix;
    this.tap = parts.tap;
    this.monitoring = parts.monitoring;
    this.#parts = parts;
    this.book = new Book(({ metadata, spec }, { phase, message }) => {
      const { namespace = '', kind, name } = spec.targetResource;
      this.say(`${namespace.replace(this.prefix, '')} ${kind}/${name}`, `${metadata.name} ${phase}: ${message}`);
    });
    this.book.keep(this.client, SYSTEM, this.over.signal).catch(() => undefined);
  }

  static async open(options: DayOptions): Promise<Day> {
    const { kubeconfig, workflowImage } = options;
    const transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig }));
    const client = createClient(transport);
    const folder = mkdtempSync(join(tmpdir(), 'sickbay-day-logs-'));
    const prefix = `day-${systemRandom.uuid().slice(0, 4)}-`;
    const nodes = (await client.list(Node)).items.map(({ metadata }) => metadata.name);
    await install({ client, clock: systemClock, settings: DEFAULT_SETTINGS, workflowImage });
    await installPolicies(admissionPolicies(SYSTEM), client);
    await grant(client, ownRights({ namespace: SYSTEM, executionNamespace }));
    const own = join(folder, 'kubeconfig');
    await asAccount(client, { namespace: SYSTEM, name: ACCOUNT }, { from: kubeconfig, to: own });
    const tap = await startWebhookTap();
    const { sendsNodes = false } = options;
    const monitoring = await startClusterMonitoring({ ...options, nodes, webhookUrl: tap.url, namespaces: prefix, sendsNodes });
    const config = join(folder, 'config.yaml');
    // JSON is YAML.
    writeFileSync(config, JSON.stringify(settingsFor(monitoring)));
    // A busy machine misses a Lease of a second.
    const flags = ['--config', config, '--stabilization', '30', '--lease', '15', '--log-level', 'info'];
    const life = await startSickbay({ kubeconfig: own, logs: folder, flags }, 0);
    tap.passTo(life.signalsUrl);
    return new Day(options, { transport, tap, monitoring, life, folder, prefix });
  }

  /** Prints a line with its time and what it is about. */
  say(about: string, text: string): void {
    const seconds = ((steadyClock.now() - this.#beganAt) / 1_000).toFixed(0);
    this.#print(`${seconds.padStart(5)} s  ${about.padEnd(28)} ${text}`);
  }

  /** The log of the running Sickbay. */
  get log(): string {
    return this.#parts.life.log;
  }

  /** Runs `sickbay` as a person does. */
  async sickbay(...args: readonly string[]): Promise<CommandEnd> {
    try {
      const { stdout, stderr } = await run(process.execPath, [MAIN, ...args, '-n', SYSTEM, '--kubeconfig', this.kubeconfig]);
      return { code: 0, output: `${stdout}${stderr}`.trim() };
    } catch (error) {
      const {
        code = 1,
        stdout = '',
        stderr = '',
      } = error as { readonly code?: number; readonly stdout?: string; readonly stderr?: string };
      return { code, output: `${stdout}${stderr}`.trim() };
    }
  }

  async close(): Promise<void> {
    this.over.abort(new Error('the day is over'));
    const { life, transport, folder } = this.#parts;
    await Promise.all([life.kill(), this.monitoring.close(), this.tap.close()]);
    const mine = (await this.client.list(Namespace)).items.filter(({ metadata }) => metadata.name.startsWith(this.prefix));
    for (const { metadata } of mine) await this.client.delete(Namespace, { namespace: '', name: metadata.name }).catch(unlessGone);
    await transport.close();
    rmSync(folder, { recursive: true });
  }
}

interface OpenParts {
  readonly transport: HttpTransport;
  readonly tap: WebhookTap;
  readonly monitoring: ClusterMonitoring;
  readonly life: SickbayLife;
  readonly folder: string;
  readonly prefix: string;
}

/** What differs from the defaults: addresses, and waits that fit into a day of an hour. */
const settingsFor = ({ prometheusUrl, alertManagerUrl }: ClusterMonitoring): object => ({
  external: { prometheusUrl, alertManagerUrl, scrapeInterval: '5s' },
  routing: { recentlyRemediatedCooldown: '1m', exponentialBackoffBase: '20s' },
  execution: { cooldownPeriod: '5s' },
  effectivenessAssessment: { validityWindow: '3m' },
  budget: { running: { cluster: 10 }, perHour: { cluster: 200 } },
});

function unlessGone(error: unknown): void {
  if (!hasCode(error, 'NotFound')) throw error;
}
