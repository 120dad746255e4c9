import { mkdtempSync, rmSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, PlatformError, steadyClock, systemClock } from '../../src/base/index.ts';
import { SIGNALS_PATH } from '../../src/cli/process/serve.ts';
import { createClient, httpTransport, loadConfig, type HttpTransport, type KubeClient } from '../../src/kube/index.ts';
import { freePorts } from '../../src/testkit/free-ports.ts';
import { startServer, type ServerProcess } from '../../src/testkit/server-process.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

const START_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;

/** `sickbay up` as a real process that keeps its objects in a folder. */
export class Product {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sickbay-console-'));
  readonly #port: number;
  readonly #flags: readonly string[];
  #process: ServerProcess | undefined;
  #transport: HttpTransport | undefined;
  #starts = 0;

  private constructor(port: number, flags: readonly string[]) {
    this.#port = port;
    this.#flags = flags;
  }

  /** @param flags more options of `sickbay up` */
  static async start(...flags: readonly string[]): Promise<Product> {
    const [port] = (await freePorts(1)) as [number];
    const product = new Product(port, flags);
    await product.start();
    return product;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get kubeconfig(): string {
    return join(this.#folder, 'state', 'kubeconfig');
  }

  /** The link that opens a session now; each works once. */
  link(): string {
    const links = readFileSync(this.#log, 'utf8').match(/http:\S+\/auth\/link\?code=\S+/g);
    const link = links?.at(-1);
    if (link === undefined) throw new PlatformError('Unavailable', 'no link was printed');
    return link;
  }

  /** With the rights of the administrator. */
  async client(): Promise<KubeClient> {
    this.#transport ??= httpTransport(await loadConfig({ clock: systemClock, kubeconfig: this.kubeconfig }));
    return createClient(this.#transport);
  }

  /** Sends a webhook as Alertmanager does. */
  async alert(webhook: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(this.url + SIGNALS_PATH, { method: 'POST', headers, body: JSON.stringify(webhook) });
    if (!answer.ok) throw new PlatformError('Unavailable', `the alert was answered with ${answer.status}: ${await answer.text()}`);
  }

  /** Starts it, or starts it again with what it kept. */
  async start(): Promise<void> {
    this.#starts++;
    this.#process = startServer(
      process.execPath,
      [MAIN, 'up', '--port', String(this.#port), '--state', join(this.#folder, 'state'), '--stabilization', '3', ...this.#flags],
      this.#log,
      { HOME: this.#folder },
    );
    await this.said('/auth/link?code=');
  }

  /** Ends it as a power cut would; what it kept stays. */
  async kill(): Promise<void> {
    await this.#transport?.close();
    this.#transport = undefined;
    await this.#process?.kill();
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Resolves once it has printed that. */
  async said(text: string): Promise<void> {
    const limit = after(steadyClock.now(), START_WITHIN_MS);
    while (!readFileSync(this.#log, 'utf8').includes(text)) {
      if (this.#process?.ended() !== false || steadyClock.now() > limit)
        throw new PlatformError('Unavailable', `it did not say "${text}": ${this.#process?.lastWords()}`);
      await steadyClock.waitUntil(after(steadyClock.now(), LOOK_EVERY_MS), new AbortController().signal);
    }
  }

  get #log(): string {
    return join(this.#folder, `start-${this.#starts}.log`);
  }
}
