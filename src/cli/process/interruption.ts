import { constants } from 'node:os';

/** Why a run ends early: a signal, or a closed output pipe (then SIGPIPE, which Node hides). */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  /** As a shell reports a command that a signal ended. */
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(signal);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** The events of a process that are handled. */
export type Interruptible = Pick<NodeJS.Process, 'once' | 'stdout' | 'stderr'>;

/** Aborts with an Interruption when the process should end. The second signal of a kind ends the process at once. */
export function interruptions(of: Interruptible): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) of.once(signal, () => stop.abort(new Interruption(signal)));
  for (const output of [of.stdout, of.stderr]) output.on('error', () => stop.abort(new Interruption('SIGPIPE')));
  return stop.signal;
}
