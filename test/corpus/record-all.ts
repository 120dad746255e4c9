import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { messageOf, PlatformError, steadyClock, systemClock } from '../../src/base/index.ts';
import { httpTransport, loadConfig } from '../../src/kube/index.ts';
import { clusterLane } from '../../src/testkit/lane.ts';
import type { Fault } from './fault.ts';
import { FAULTS } from './faults/index.ts';
import { readRecording, writeRecording } from './recordings.ts';
import { recordFault } from './record.ts';
import type { ClusterAccess } from './scene.ts';

interface RecordOptions {
  /** Those without a recording when absent. */
  readonly only: readonly string[] | undefined;
  readonly atOnce: number;
  readonly print: (line: string) => void;
}

/** Records faults on a real cluster, some at once, each in a namespace of its own. False if any could not be recorded. */
export async function recordAll({ only, atOnce, print }: RecordOptions): Promise<boolean> {
  const path = process.env[clusterLane.setting];
  if (!path) throw new PlatformError('Invalid', `set ${clusterLane.setting} to the kubeconfig of a cluster that may be broken`);
  const transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig: path }));
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(path);
  const access: ClusterAccess = { transport, logs: kubeConfig.makeApiClient(CoreV1Api), clock: systemClock };
  const waiting = FAULTS.filter(({ name }) => (only ? only.includes(name) : readRecording(name) === undefined));
  const failures: string[] = [];
  const one = async (fault: Fault): Promise<void> => {
    const began = steadyClock.now();
    try {
      const bytes = writeRecording(fault.name, await recordFault(access, fault));
      print(`${fault.name}: ${bytes} bytes, ${Math.round((steadyClock.now() - began) / 1_000)} s`);
    } catch (error) {
      failures.push(fault.name);
      print(`${fault.name}: ${messageOf(error)}`);
    }
  };
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await one(next);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await transport.close();
  return failures.length === 0;
}
