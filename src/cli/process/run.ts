import { admissionPolicies } from '../../api/policies/index.ts';
import { OWNER_ACCOUNT } from '../../api/rights/index.ts';
import { given, hasCode, messageOf, PlatformError, systemClock, type Logger } from '../../base/index.ts';
import { bearer, createClient, httpTransport, loadConfig, type HttpConfig, type KubeClient } from '../../kube/index.ts';
import { accountIdentity } from '../../kube/identity/account-identity.ts';
import { installPolicies } from '../../kube/client/install-policies.ts';
import { whoAmI } from '../../kube/identity/who-am-i.ts';
import { clusterAddress } from '../commands/cluster-address.ts';
import type { AuditFiles } from './audit-trail.ts';
import { demandKinds } from './require-kinds.ts';
import { install } from './install.ts';
import { leaseTiming } from './lease-timing.ts';
import type { Address } from './listen-address.ts';
import { serve, type Running } from './serve.ts';
import type { ChosenSettings } from './settings-for.ts';
import { watchPolicies, type PolicyWatch } from './watch-policies.ts';

export interface RunOptions extends ChosenSettings {
  readonly port?: number;
  readonly listen?: Address;
  /** $KUBECONFIG, the home folder's, or the Pod's own identity when absent. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Installs kinds, policies, namespaces and workflows first. */
  readonly install: boolean;
  readonly workflowImage?: string;
  readonly leaseSeconds?: number;
  /** The audit trail; it ends with the process when absent. */
  readonly audit?: AuditFiles;
  /** Of Sickbay. */
  readonly version: string;
  readonly log: Logger;
  /** Aborts the start; a running process is stopped by closing it. */
  readonly signal: AbortSignal;
}

/** A server that has just received our kinds delays requests for them. */
const AT_START = { clock: systemClock, retries: 10 };

/** Sickbay on a real cluster; several replicas may run, and one of them leads. */
export async function run({ settings, config: file, port, listen, log, ...options }: RunOptions): Promise<Running> {
  await using opened = new AsyncDisposableStack();
  const config = await loadConfig({
    clock: systemClock,
    ...(options.kubeconfig === undefined ? {} : { kubeconfig: options.kubeconfig }),
    ...(options.context === undefined ? {} : { context: options.context }),
  });
  const transport = httpTransport({ ...config, userAgent: 'sickbay' });
  opened.defer(() => transport.close());
  const preparation = prepare(config.server, createClient(transport, { retry: AT_START }), { settings, log, ...options });
  const { account, policies } = await Promise.race([preparation, aborted(options.signal)]);
  opened.defer(watching(policies));
  const lease = leaseTiming(options.leaseSeconds);
  const cluster = clusterAddress(config.server, systemClock);
  const machineOwner = settings().machineOwner.enabled ? ownerTransport(config, createClient(transport), settings().namespace) : undefined;
  opened.defer(() => machineOwner?.close());
  if (options.audit === undefined)
    log.warn('the audit trail is in memory and ends with this process: --audit FILE or DATABASE_URL keeps it');
  const running = await serve({
    transport,
    settings,
    ...(file && { config: file }),
    address: { port, listen },
    log,
    lease,
    account,
    ...(cluster && { cluster }),
    ...(machineOwner && { machineOwner }),
    ...given({ audit: options.audit }),
    identityIsChecked: () => policies.isChecked(),
    people: {
      mode: 'cluster',
      version: options.version,
      connect: (token) => httpTransport({ ...asCaller(config, token), userAgent: 'sickbay' }),
    },
  });
  opened.defer(() => running.close());
  const all = opened.move();
  return { ...running, close: () => all.disposeAsync() };
}

/** The same server for a user with a token, who is not to get our certificate. */
const asCaller = (config: HttpConfig, token: string): HttpConfig => ({ ...config, identity: bearer(token) });

/** To the same server under the owner's account: ours may delete no Machine. */
const ownerTransport = (config: HttpConfig, client: KubeClient, namespace: string) =>
  httpTransport({
    ...config,
    identity: accountIdentity({ client, account: { namespace, name: OWNER_ACCOUNT }, clock: systemClock }),
    userAgent: OWNER_ACCOUNT,
  });

/** Watches the policies until the returned function is called. */
function watching(policies: PolicyWatch): () => Promise<void> {
  const stop = new AbortController();
  const ended = policies.run(stop.signal);
  return () => {
    stop.abort(new Error('told to stop'));
    return ended;
  };
}

type Preparation = Pick<RunOptions, 'settings' | 'install' | 'workflowImage' | 'signal' | 'log'>;

/** What has to be known about the cluster before the start. */
interface Prepared {
  /** Sickbay's user name. */
  readonly account: string;
  readonly policies: PolicyWatch;
}

async function prepare(server: string, client: KubeClient, options: Preparation): Promise<Prepared> {
  const { namespace } = options.settings();
  try {
    if (options.install) await installAll(client, options);
    else await demandKinds(client, namespace);
    const policies = await watchPolicies({ client, namespace, clock: systemClock, log: options.log });
    return { account: await whoAmI(client), policies };
  } catch (error) {
    const code = error instanceof PlatformError ? error.code : 'Internal';
    throw new PlatformError(code, `cannot start on ${server}: ${messageOf(error)}`, { cause: error });
  }
}

async function installAll(client: KubeClient, { settings, workflowImage, signal }: Preparation): Promise<void> {
  const image = workflowImage === undefined ? {} : { workflowImage };
  await install({ client, clock: systemClock, settings: settings(), signal, ...image });
  await unlessUnknown(() => installPolicies(admissionPolicies(settings().namespace), client));
}

/** On a server without policies everything runs that needs no approval; the log says that approvals do not count. */
async function unlessUnknown(install: () => Promise<void>): Promise<void> {
  try {
    await install();
  } catch (error) {
    if (!hasCode(error, 'NotFound')) throw error;
  }
}

/** Rejects when the signal aborts: a cluster may take long to answer, or never do. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
