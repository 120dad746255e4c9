import { constants } from 'node:os';

/** Why a run ends before it is done: somebody sent a signal, or nobody reads what it prints (then SIGPIPE, which Node hides). */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  /** As a shell reports a command that a signal ended. */
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(signal);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** What of a process is listened to. */
export type Interruptible = Pick<NodeJS.Process, 'once' | 'stdout' | 'stderr'>;

/** Aborts with an Interruption when the process should end. The second signal of a kind is not heard any more: it ends the process at once. */
export function interruptions(of: Interruptible): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) of.once(signal, () => stop.abort(new Interruption(signal)));
  for (const output of [of.stdout, of.stderr]) output.on('error', () => stop.abort(new Interruption('SIGPIPE')));
  return stop.signal;
}
