import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { heard } from '../../served/child.ts';
import type { BenchResult } from '../result.ts';
import type { StreamsOrder, StreamsReport } from './streams-process.ts';

const PROGRAM = new URL('streams-process.ts', import.meta.url);
const CLIENTS = 200;
const ORDER: StreamsOrder = { changes: 1_000, objects: 100, overMs: 10_000 };

/** What 200 clients that follow 1,000 changes in 10 s cost the server, against sending each change to each client as it comes. */
export async function benchStreams(): Promise<readonly BenchResult[]> {
  const none = await run(() => undefined);
  const plain = await run(({ plain: url }) => url);
  const ours = await run(({ ours: url }) => url);
  const [numerator, denominator] = [ours.cpuMs - none.cpuMs, plain.cpuMs - none.cpuMs];
  const details = [
    `the changes themselves ${Math.round(none.cpuMs)} ms; with ${CLIENTS} clients ${Math.round(ours.cpuMs)} ms, plainly ${Math.round(plain.cpuMs)} ms`,
    `${ours.complete} of ${CLIENTS} clients saw the last state of every object (plainly ${plain.complete})`,
  ];
  return [
    { name: 'streams of changes', ratio: numerator / denominator, numerator, denominator, unit: 'ms of CPU', goal: '≤ 0.5', details },
  ];
}

interface Outcome {
  readonly cpuMs: number;
  /** Clients that saw the last state of every object. */
  readonly complete: number;
}

type Addresses = Extract<StreamsReport, { readonly ours: string }>;

async function run(urlOf: (addresses: Addresses) => string | undefined): Promise<Outcome> {
  const child = fork(PROGRAM, { stdio: 'inherit' });
  try {
    const url = urlOf((await heard<StreamsReport>(child)) as Addresses);
    const clients = url === undefined ? [] : await Promise.all(Array.from({ length: CLIENTS }, () => Client.open(url)));
    child.send(ORDER);
    const { cpuMs } = (await heard<StreamsReport>(child)) as Extract<StreamsReport, { readonly cpuMs: number }>;
    const complete = clients.filter((client) => client.sawTheLastOf(ORDER)).length;
    for (const client of clients) client.close();
    return { cpuMs, complete };
  } finally {
    child.kill('SIGKILL');
  }
}

/** A client that keeps the last state of every object. */
class Client {
  readonly #response: IncomingMessage;
  readonly #messages = new Map<string, string>();
  #rest = '';

  private constructor(response: IncomingMessage) {
    this.#response = response;
    response.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    response.on('error', () => undefined);
  }

  static async open(url: string): Promise<Client> {
    const request = get(url, { headers: { authorization: 'Bearer admin' } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`${url} answered with ${response.statusCode}`);
    return new Client(response);
  }

  sawTheLastOf({ changes, objects }: StreamsOrder): boolean {
    return Array.from({ length: objects }, (_, i) => this.#messages.get(`rr-${i}`) === `change ${changes - objects + i}`).every(Boolean);
  }

  close(): void {
    this.#response.destroy();
  }

  #take(text: string): void {
    const frames = (this.#rest + text).split('\n\n');
    this.#rest = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      const event = data === undefined ? undefined : (JSON.parse(data) as { name?: string; remediation?: { message?: string } });
      if (event?.name !== undefined) this.#messages.set(event.name, event.remediation?.message ?? '');
    }
  }
}
