import type { Container } from '../../api/builtin/index.ts';
import { messageOf } from '../../base/index.ts';
import type { ProcessAccount, ProcessEnd, RunProcess } from './run-process.ts';

/** What is known of a pod's process: nothing, that it runs, or how it ended. */
export type ProcessState = { readonly kind: 'unknown' } | { readonly kind: 'running' } | ({ readonly kind: 'ended' } & ProcessEnd);

/** The processes that this life of the local cluster started, by pod UID. */
export interface ProcessTable {
  /** Tells this life from earlier ones: what they started is not known here, and is gone with them. */
  readonly life: string;
  runs(image: string): boolean;
  /** Starts the pod's process, unless it was started before. */
  start(podUid: string, container: Container, account: ProcessAccount): void;
  stop(podUid: string): void;
  stateOf(podUid: string): ProcessState;
  /** The pods whose process is known, running or not. */
  known(): readonly string[];
  /** Drops the entry of an ended process, once no caller can ask for it. */
  forget(podUid: string): void;
}

const UNKNOWN: ProcessState = { kind: 'unknown' };
const COULD_NOT_RUN = 128;

/** A table with nothing in it yet. */
export function createProcessTable(runProcess: RunProcess, life: string): ProcessTable {
  const states = new Map<string, ProcessState>();
  const stateOf = (podUid: string): ProcessState => states.get(podUid) ?? UNKNOWN;
  const begin = async (podUid: string, container: Container, account: ProcessAccount): Promise<void> => {
    const end = await runProcess
      .start(podUid, container, account)
      .catch((error: unknown): ProcessEnd => ({ exitCode: COULD_NOT_RUN, message: messageOf(error) }));
    states.set(podUid, { kind: 'ended', ...end });
  };
  return {
    life,
    runs: (image) => runProcess.runs(image),
    start(podUid, container, account) {
      if (states.has(podUid)) return;
      states.set(podUid, { kind: 'running' });
      void begin(podUid, container, account);
    },
    stop: (podUid) => {
      if (stateOf(podUid).kind === 'running') runProcess.stop(podUid);
    },
    stateOf,
    known: () => [...states.keys()],
    forget: (podUid) => {
      if (stateOf(podUid).kind === 'ended') states.delete(podUid);
    },
  };
}
