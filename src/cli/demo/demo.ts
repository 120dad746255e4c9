import { after, PlatformError, type Clock } from '../../base/index.ts';
import type { Settings } from '../../controllers/settings.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import type { Fault } from '../shop/fault.ts';
import { play, type Stage } from './act.ts';
import { playFault } from './fault-act.ts';
import { playMachines } from './machines-act.ts';
import { hireApprover } from './person.ts';
import { openShop, PRODUCTION, SHOP } from './story.ts';
import { wrap } from './wrap.ts';

export interface DemoOptions {
  readonly client: KubeClient;
  /** The client of the approver, with the approver's own rights. */
  readonly person: KubeClient;
  readonly clock: Clock;
  /** For the displayed times. */
  readonly steady: Clock;
  readonly settings: Settings;
  /** Posts a webhook to the gateway. */
  readonly post: (webhook: object) => Promise<{ readonly code: number; readonly body: unknown }>;
  readonly print: (line: string) => void;
  /** How wide the terminal is; lines are as long as they are when absent. */
  readonly columns?: number;
  readonly signal: AbortSignal;
}

/** Longer than an act ever takes: after that the demo fails. */
const LIMIT_MS = 120_000;
/** Some faults are only believed when they last. */
const FAULT_LIMIT_MS = 360_000;

/** The column in which the text of a line begins: wrapped lines continue there. */
const HANG = { row: 13, line: 10, phase: 29 } as const;

/** Breaks a Deployment that needs no approval, one that does, and then a host; and prints what happens to each. */
export async function demo(options: DemoOptions): Promise<boolean> {
  const { client, settings } = options;
  const stage = stageOf(options);
  const { print } = stage;
  print(`First act:  a bad release of ${SHOP.namespace}/${SHOP.name}, in development, is detected and rolled back.`);
  const first = await inTime(stage, (signal) => play({ ...stage, signal }, { shop: SHOP, environment: 'development' }));
  print('');
  print(`Second act: the same in ${PRODUCTION.namespace}, in production, where nothing runs before a person approves it.`);
  await openShop(client, PRODUCTION, { environment: 'production' });
  await hireApprover(client, [settings.namespace, PRODUCTION.namespace]);
  const second = await inTime(stage, (signal) => play({ ...stage, signal }, { shop: PRODUCTION, environment: 'production' }));
  print('');
  print('Third act:  a host falls silent, and the Machine on it is replaced.');
  const third = await inTime(stage, (signal) => playMachines({ ...stage, signal }));
  return first && second && third;
}

/** Breaks the shop of the local cluster by the name of a fault, and prints what happens. True when the remediation completed. */
export async function demoFault(options: DemoOptions, fault: Fault): Promise<boolean> {
  const { client, settings } = options;
  const stage = stageOf(options);
  await hireApprover(client, [settings.namespace, 'shop', 'payments']);
  stage.print(`${fault.name} ${fault.does}.`);
  return inTime(stage, (signal) => playFault({ ...stage, signal, approvalReason: 'the plan fits the cause' }, fault), FAULT_LIMIT_MS);
}

function stageOf(options: DemoOptions): Stage {
  const { steady } = options;
  const begun = steady.now();
  const print = (line: string, hang: number = HANG.row): void =>
    wrap(line, { width: options.columns ?? Infinity, hang }).forEach((part) => options.print(part));
  const seconds = (): string => ((steady.now() - begun) / 1_000).toFixed(1).padStart(6);
  const narrate = (text: string): void => print(`${seconds()} s  ${text}`, text.startsWith(' ') ? HANG.phase : HANG.line);
  return { ...options, print, narrate, approvalReason: 'the release is bad' };
}

/** Plays an act, and aborts it when it takes too long. */
async function inTime(
  { steady, signal }: Pick<Stage, 'steady' | 'signal'>,
  act: (signal: AbortSignal) => Promise<boolean>,
  limitMs = LIMIT_MS,
): Promise<boolean> {
  const limit = new AbortController();
  const cancelled = new AbortController();
  const expire = (): void => limit.abort(new PlatformError('Unavailable', `the demo did not finish within ${limitMs / 1_000} s`));
  void steady.waitUntil(after(steady.now(), limitMs), cancelled.signal).then(expire, () => undefined);
  try {
    return await act(AbortSignal.any([signal, limit.signal]));
  } finally {
    cancelled.abort();
    // Stops every watch that is still open.
    limit.abort(new PlatformError('Unavailable', 'the demo is over'));
  }
}
