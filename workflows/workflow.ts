import type { Clock } from '../src/base/index.ts';
import type { KubeClient } from '../src/kube/client/client.ts';
import type { Environment } from './environment.ts';

/** How a workflow is run. */
export interface How {
  /** Changes nothing; the result is the diff. The server still validates the change. */
  readonly dryRun?: boolean;
  /** Writes a line about what the run waits for to its log; nowhere when absent. */
  readonly report?: (line: string) => void;
  /** The machine's own when absent. */
  readonly clock?: Clock;
}

/** A workflow: acts on the cluster with parameters from its environment, and resolves to one line of what it did. Refusals are errors. */
export type Workflow = (client: KubeClient, env: Environment, how?: How) => Promise<string>;
