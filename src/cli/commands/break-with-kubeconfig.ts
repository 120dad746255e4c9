import { given, messageOf, PlatformError, systemClock } from '../../base/index.ts';
import { createClient, httpTransport, loadConfig, type HttpTransport, type KubeClient, type Transport } from '../../kube/index.ts';
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
  const { done, place } = await inTestCluster(flags, (client) => breakTarget(client, fault));
  if (flags.output === 'json')
    return JSON.stringify({ fault: name, target: targetText(fault), ends: fault.ends, ...done, server: place.server }, undefined, 2);
  return brokenLines(done, { fault, place, command }).join('\n');
}

function listText({ output }: BreakFlags, command: string): string {
  if (output === 'text') return faultLines(command).join('\n');
  return JSON.stringify(
    FAULTS.map((fault) => ({ name: fault.name, target: targetText(fault), does: fault.does, ends: fault.ends })),
    undefined,
    2,
  );
}

function brokenLines(
  { did, watch }: Broken,
  { fault, place, command }: { readonly fault: Fault; readonly place: Place; readonly command: string },
): readonly string[] {
  const { name, does, ends } = fault;
  return [
    `Broken: ${did}.`,
    ...placeLines(place),
    `  fault    ${name} ${does}`,
    `  ends     ${ends}`,
    ...(place.kubeconfig === undefined ? [] : [`  first    export KUBECONFIG=${place.kubeconfig}`]),
    `  watch    the console, or: ${watch}`,
    '           kubectl get rr -n sickbay-system -w',
    `  undo     ${command} heal ${name}`,
  ];
}

/** The same for what is undone. */
export async function healText(fault: string | undefined, flags: BreakFlags): Promise<string> {
  const name = fault === undefined ? undefined : findFault(fault).name;
  const { done: lines, place } = await inTestCluster(flags, (client) => healFaults(client, name));
  if (flags.output === 'json') return JSON.stringify({ healed: lines, server: place.server }, undefined, 2);
  const healed = lines.length > 0 ? lines : [name === undefined ? 'Nothing is broken.' : `${name} is not broken.`];
  return [...healed, ...placeLines(place)].join('\n');
}

const placeLines = ({ server, note }: Place): readonly string[] => [
  `  cluster  ${server}`,
  ...(note === undefined ? [] : [`  note     ${note}`]),
];

/** Where something was broken. */
interface Place {
  readonly server: string;
  /** The file for kubectl; undefined where it is that of the user's environment. */
  readonly kubeconfig: string | undefined;
  /** Why it is not the cluster that was noted. */
  readonly note?: string;
}

/** Only a cluster that may be broken: the local one of Sickbay, or one that the user names and says is for tests. */
async function inTestCluster<T>(
  flags: BreakFlags,
  work: (client: KubeClient) => Promise<T>,
): Promise<{ readonly done: T; readonly place: Place }> {
  if (flags.yesThisIsATestCluster && flags.kubeconfig === undefined && flags.context === undefined)
    throw new PlatformError('Invalid', '--yes-this-is-a-test-cluster does not say which cluster: name it with --kubeconfig or --context', {
      retry: 'never',
    });
  const { transport, version, place } = await findCluster(flags);
  try {
    if (!isLocal(version) && flags.yesThisIsATestCluster !== true) throw notLocal(version, place);
    return { done: await work(createClient(transport)), place };
  } finally {
    await transport.close();
  }
}

const notLocal = (version: string, { server, note }: Place): PlatformError =>
  new PlatformError(
    'Forbidden',
    `${server} (Kubernetes ${version}) is not a local cluster of Sickbay, so nothing is changed: start one with "npm start", ` +
      'or add --yes-this-is-a-test-cluster and --kubeconfig or --context if this one may be broken' +
      (note === undefined ? '' : ` (${note})`),
  );

interface Cluster {
  readonly transport: HttpTransport;
  readonly version: string;
  readonly place: Place;
}

/** The cluster that is named; else the local one that was started last; else, where that does not answer, the one of the environment. */
async function findCluster({ kubeconfig, context }: BreakFlags): Promise<Cluster> {
  if (kubeconfig !== undefined || context !== undefined) return connect(kubeconfig, context);
  const noted = await kubeconfigOfLocalRun();
  if (noted === undefined) return connect();
  try {
    return await connect(noted);
  } catch (error) {
    const note = `the local cluster that ~/.sickbay/local-run names is gone: ${messageOf(error)}`;
    const cluster = await connect().catch((other: unknown) => {
      throw new PlatformError('Unavailable', `${note}; and without it: ${messageOf(other)}`, { cause: other });
    });
    return { ...cluster, place: { ...cluster.place, note } };
  }
}

async function connect(kubeconfig?: string, context?: string): Promise<Cluster> {
  const config = await loadConfig({ clock: systemClock, ...given({ kubeconfig, context }) });
  const transport = httpTransport({ ...config, userAgent: 'sickbay' });
  try {
    return { transport, version: await versionOf(transport, config.server), place: { server: config.server, kubeconfig } };
  } catch (error) {
    await transport.close();
    throw error;
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
