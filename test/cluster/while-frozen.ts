import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { Node } from '../../src/api/builtin/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import type { KubeClient } from '../../src/kube/index.ts';

/** A program that can stop a node of the cluster and start it again; without it no node can be frozen. */
export const FREEZER = process.env['SICKBAY_TEST_CLUSTER_TOOL'] ?? '';

export interface FrozenOn {
  readonly kubeconfig: string;
  readonly client: KubeClient;
  readonly signal: AbortSignal;
}

const run = promisify(execFile);

/** The node that tests freeze, the last one by name. */
export async function nodeToFreeze(client: KubeClient): Promise<string> {
  const names = (await client.list(Node)).items.map(({ metadata }) => metadata.name);
  return names.toSorted().at(-1) ?? '';
}

const tool = (verb: 'stop-node' | 'start-node', node: string, { kubeconfig }: Pick<FrozenOn, 'kubeconfig'>): Promise<unknown> =>
  run(FREEZER, [verb, dirname(kubeconfig), node.replace(/\D/g, '')]);

/** Freezes a node. */
export const freeze = (node: string, on: Pick<FrozenOn, 'kubeconfig'>): Promise<unknown> => tool('stop-node', node, on);

/** Lets a frozen node go on; one that is not frozen goes on as it does. */
export const thaw = (node: string, on: Pick<FrozenOn, 'kubeconfig'>): Promise<unknown> => tool('start-node', node, on);

/** Acts while a node is frozen; afterwards it is back, and ready. */
export async function whileFrozen(node: string, on: FrozenOn, act: () => Promise<void>): Promise<void> {
  const { client, signal } = on;
  await freeze(node, on);
  try {
    await act();
  } finally {
    await thaw(node, on);
  }
  const isBack = ({ metadata, status }: Node): boolean =>
    metadata.name === node && (status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false);
  await until(client, { resource: Node, namespace: '' }, (nodes) => nodes.find(isBack), signal);
}
