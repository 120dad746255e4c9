import type { Container } from '../../api/builtin/index.ts';

/** How a process ended; the message is the last of what it wrote. */
export interface ProcessEnd {
  readonly exitCode: number;
  readonly message: string;
}

/** In whose name a process acts: the ServiceAccount of its pod. */
export interface ProcessAccount {
  readonly namespace: string;
  readonly name: string;
  readonly pod: { readonly name: string; readonly uid: string };
}

/** Runs the containers that are real processes; in simulation, functions in virtual time. */
export interface RunProcess {
  /** Whether this image's entrypoint can be run here. */
  runs(image: string): boolean;
  /** Starts the container's process; resolves when it has ended, and never rejects. Called at most once for each pod. */
  start(podUid: string, container: Container, account: ProcessAccount): Promise<ProcessEnd>;
  /** Ends the pod's process, if it has one; `start` resolves when it is gone. */
  stop(podUid: string): void;
}
