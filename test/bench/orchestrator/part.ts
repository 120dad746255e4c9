import { fork } from 'node:child_process';
import { once } from 'node:events';
import { messageOf, signalChild } from '../../../src/base/index.ts';
import { bearer } from '../../../src/kube/http/http-config.ts';
import { httpTransport } from '../../../src/kube/http/http-transport.ts';
import type { Transport } from '../../../src/kube/client/transport.ts';
import type { ControlPlaneAccess } from '../../../src/testkit/control-plane.ts';
import { Counter, type Tally } from './tally.ts';

/** One of those who work on the server, in a process of its own, so that what it costs can be told apart. */
export interface Part {
  /** What it did since the last report. */
  report(): Promise<PartReport>;
  /** Holds the whole process still, as it is, until it goes on. */
  halt(): void;
  goOn(): void;
  stop(): Promise<void>;
}

export interface PartReport extends Tally {
  readonly cpuMs: number;
  /** What the program itself has counted so far. */
  readonly counts: Counts;
}

export type Counts = Readonly<Record<string, number>>;

export type Access = Pick<ControlPlaneAccess, 'url' | 'token' | 'caData'>;

/** What each of them is told. */
export interface PartOptions {
  readonly access: Access;
  readonly namespace: string;
  /** The request whose writes are kept. */
  readonly sampled: string;
  /** Passes at a time. */
  readonly workers: number;
}

type Told = { readonly ready: true } | { readonly report: PartReport } | { readonly error: string };

/** Connections of one process, as many as the client opens where nothing else is said. */
export const CONNECTIONS = 32;

export const connect = ({ url, token, caData }: Access) =>
  httpTransport({ server: url, ca: caData, identity: bearer(token), limits: { connections: CONNECTIONS } });

/** Starts a program; resolves once it is ready. */
export async function startPart(program: URL, options: PartOptions): Promise<Part> {
  const child = fork(program, { stdio: 'inherit' });
  const gone = once(child, 'exit').then((): Told => ({ error: 'it ended' }));
  const ask = async (asked: PartOptions | 'report'): Promise<Told> => {
    const answer = once(child, 'message').then(([told]) => told as Told);
    child.send(asked);
    return Promise.race([answer, gone]);
  };
  const goOn = (): void => void signalChild(child, 'SIGCONT');
  const stop = async (): Promise<void> => {
    // A paused process does not hear the end.
    goOn();
    if (child.connected) child.disconnect();
    await gone;
  };
  const told = await ask(options);
  if ('error' in told) {
    await stop();
    throw new Error(`starting ${program.pathname}: ${told.error}`);
  }
  return {
    async report() {
      const answer = await ask('report');
      if (!('report' in answer)) throw new Error(`asking ${program.pathname}: ${'error' in answer ? answer.error : 'no report'}`);
      return answer.report;
    },
    halt: () => void signalChild(child, 'SIGSTOP'),
    goOn,
    stop,
  };
}

/**
 * What each program does: start on a message, report on a message, and end with the process that started it. What `begin` returns says what the
 * program counts itself.
 */
export function servePart(begin: (transport: Transport, options: PartOptions) => Promise<void | (() => Counts)>): void {
  const tell = (told: Told): void => void process.send?.(told);
  let report = (): Promise<PartReport> => Promise.reject(new Error('nothing was begun'));
  const fail = (error: unknown): void => tell({ error: messageOf(error) });
  const start = async (options: PartOptions): Promise<void> => {
    const counter = new Counter(options.sampled);
    const counts = await begin(counter.counted(connect(options.access)), options);
    report = reporter(counter, counts ?? (() => ({})));
  };
  process.on('message', (asked: PartOptions | 'report') => {
    if (asked === 'report') return void report().then((done) => tell({ report: done }), fail);
    start(asked).then(() => tell({ ready: true }), fail);
  });
  process.on('disconnect', () => process.exit(0));
}

function reporter(counter: Counter, counts: () => Counts): () => Promise<PartReport> {
  // All that it took to begin is part of the first report.
  let before = { user: 0, system: 0 };
  return async () => {
    const tally = await counter.take();
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    return { ...tally, cpuMs: (user + system) / 1_000, counts: counts() };
  };
}
