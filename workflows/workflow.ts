import type { KubeClient } from '../src/kube/client.ts';
import type { Environment } from './environment.ts';

/** A workflow: acts on the cluster as its environment says, and resolves to one line of what it did. Its refusals are errors. */
export type Workflow = (client: KubeClient, env: Environment) => Promise<string>;
