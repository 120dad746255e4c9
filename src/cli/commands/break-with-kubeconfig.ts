import { messageOf, PlatformError, systemClock } from '../../base/index.ts';
import { createClient, httpTransport, loadConfig, type KubeClient, type Transport } from '../../kube/index.ts';
import { breakTarget, type Broken } from '../shop/break-target.ts';
import { FAULTS, faultLines, findFault, onTarget } from '../shop/faults.ts';
import { targetText, type Fault } from '../shop/fault.ts';
import { healFaults } from '../shop/heal-faults.ts';
import { kubeconfigOfLocalRun } from '../process/local-run-file.ts';
import type { BreakFlags } from './break-commands.ts';

/** What people read of it. */
export async function breakText(
  { fault: name, target, command }: { readonly fault: string | undefined; readonly target: string | undefined; readonly command: string },
  flags: BreakFlags,
): Promise<string> {
  if (name === undefined) return listText(flags, command);
  const fault = onTarget(findFault(name), target);
  const broken = await withTestCluster(flags, (client) => breakTarget(client, fault));
  if (flags.output === 'json') return JSON.stringify({ fault: name, target: targetText(fault), ends: fault.ends, ...broken }, undefined, 2);
  return brokenLines(broken, fault, command).join('\n');
}

function listText({ output }: BreakFlags, command: string): string {
  if (output === 'text') return faultLines(command).join('\n');
  return JSON.stringify(
    FAULTS.map((fault) => ({ name: fault.name, target: targetText(fault), does: fault.does, ends: fault.ends })),
    undefined,
    2,
  );
}

const brokenLines = ({ did, watch }: Broken, { name, does, ends }: Fault, command: string): readonly string[] => [
  `Broken: ${did}.`,
  `  fault    ${name} ${does}`,
  `  ends     ${ends}`,
  `  watch    the console, or: ${watch}`,
  '           kubectl get rr -n sickbay-system -w',
  `  undo     ${command} heal ${name}`,
];

/** The same for what is undone. */
export async function healText(fault: string | undefined, flags: BreakFlags): Promise<string> {
  const name = fault === undefined ? undefined : findFault(fault).name;
  const lines = await withTestCluster(flags, (client) => healFaults(client, name));
  if (flags.output === 'json') return JSON.stringify({ healed: lines }, undefined, 2);
  return lines.length > 0 ? lines.join('\n') : name === undefined ? 'Nothing is broken.' : `${name} is not broken.`;
}

/** Only a cluster that may be broken: the local one of Sickbay, or one that the user says is for tests. */
async function withTestCluster<T>(flags: BreakFlags, work: (client: KubeClient) => Promise<T>): Promise<T> {
  const kubeconfig = flags.kubeconfig ?? (flags.context === undefined ? await kubeconfigOfLocalRun() : undefined);
  const config = await loadConfig({
    clock: systemClock,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(flags.context !== undefined && { context: flags.context }),
  });
  const transport = httpTransport({ ...config, userAgent: 'sickbay' });
  try {
    const version = await versionOf(transport, config.server);
    if (!isLocal(version) && flags.yesThisIsATestCluster !== true)
      throw new PlatformError(
        'Forbidden',
        `${config.server} (Kubernetes ${version}) is not a local cluster of Sickbay, so nothing is changed: start one with "npm start", ` +
          'or add --yes-this-is-a-test-cluster if this one may be broken',
      );
    return await work(createClient(transport));
  } finally {
    await transport.close();
  }
}

/** The API server of a local cluster says so in its version. */
const isLocal = (version: string): boolean => version.endsWith('+sickbay');

async function versionOf(transport: Transport, server: string): Promise<string> {
  try {
    const { body } = await transport.request({ method: 'GET', path: '/version' });
    return (body as { readonly gitVersion?: string }).gitVersion ?? 'of unknown version';
  } catch (error) {
    throw new PlatformError('Unavailable', `no cluster answers at ${server} (${messageOf(error)}): start the local one with "npm start"`, {
      cause: error,
    });
  }
}
