import { after, PlatformError, type Clock } from '../../base/index.ts';
import type { Settings } from '../../controllers/settings.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { play, type Stage } from './act.ts';
import { playMachines } from './machines-act.ts';
import { hireApprover } from './person.ts';
import { openShop, PRODUCTION, SHOP } from './story.ts';
import { wrap } from './wrap.ts';

export interface DemoOptions {
  readonly client: KubeClient;
  /** The client of whoever is asked: their own, with no more than their rights. */
  readonly person: KubeClient;
  readonly clock: Clock;
  /** For the times that are shown. */
  readonly steady: Clock;
  readonly settings: Settings;
  /** Hands a webhook to the gateway. */
  readonly post: (webhook: object) => Promise<{ readonly code: number; readonly body: unknown }>;
  readonly print: (line: string) => void;
  /** How wide the terminal is; lines are as long as they are when absent. */
  readonly columns?: number;
  readonly signal: AbortSignal;
}

/** Longer than an act ever takes: then something is wrong, and that is said instead of waiting on. */
const LIMIT_MS = 120_000;

/** Where the text of a line begins: under it the line goes on where it has to be broken. */
const HANG = { row: 12, told: 10, phase: 29 } as const;

/** Breaks a Deployment where nobody needs to be asked, and where somebody does, and then a host; and tells what becomes of each. */
export async function demo(options: DemoOptions): Promise<boolean> {
  const { client, steady, settings } = options;
  const begun = steady.now();
  const print = (line: string, hang: number = HANG.row): void =>
    wrap(line, { width: options.columns ?? Infinity, hang }).forEach((part) => options.print(part));
  const seconds = (): string => ((steady.now() - begun) / 1_000).toFixed(1).padStart(6);
  const tell = (text: string): void => print(`${seconds()} s  ${text}`, text.startsWith(' ') ? HANG.phase : HANG.told);
  const stage = { ...options, print, tell };
  print(`First act:  a bad release of ${SHOP.namespace}/${SHOP.name}, in development, is noticed and taken back.`);
  const first = await inTime(stage, (signal) => play({ ...stage, signal }, { shop: SHOP, environment: 'development' }));
  print('');
  print(`Second act: the same in ${PRODUCTION.namespace}, in production, where nothing is done before a person has said yes.`);
  await openShop(client, PRODUCTION, { environment: 'production' });
  await hireApprover(client, [settings.namespace, PRODUCTION.namespace]);
  const second = await inTime(stage, (signal) => play({ ...stage, signal }, { shop: PRODUCTION, environment: 'production' }));
  print('');
  print('Third act:  a host falls silent, and the Machine on it is replaced.');
  const third = await inTime(stage, (signal) => playMachines({ ...stage, signal }));
  return first && second && third;
}

/** Plays an act, and gives up on it when it takes too long. */
async function inTime(
  { steady, signal }: Pick<Stage, 'steady' | 'signal'>,
  act: (signal: AbortSignal) => Promise<boolean>,
): Promise<boolean> {
  const limit = new AbortController();
  const cancelled = new AbortController();
  const expire = (): void => limit.abort(new PlatformError('Unavailable', `the demo was not over after ${LIMIT_MS / 1_000} s`));
  void steady.waitUntil(after(steady.now(), LIMIT_MS), cancelled.signal).then(expire, () => undefined);
  try {
    return await act(AbortSignal.any([signal, limit.signal]));
  } finally {
    cancelled.abort();
    // Whoever still looks at something stops looking.
    limit.abort(new PlatformError('Unavailable', 'the demo is over'));
  }
}
