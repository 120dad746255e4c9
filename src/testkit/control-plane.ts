/**
 * A real Kubernetes control plane for tests: etcd and kube-apiserver (and, when asked, kube-controller-manager) on free
 * loopback ports, in a temporary folder that goes away with it. RBAC is on; the token belongs to system:masters.
 * No nodes: Pods stay Pending. What needs nodes runs on a cluster (see lanes.ts).
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { after, PlatformError, SECOND, systemClock, systemRandom } from '../base/index.ts';
import { freePorts } from './free-ports.ts';
import { startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

/** How to reach a control plane as its administrator. Plain data, so that it can be handed to test workers. */
export interface ControlPlaneAccess {
  readonly url: string;
  readonly token: string;
  readonly caFile: string;
  readonly caData: string;
  readonly kubeconfig: string;
}

/** A running control plane. */
export interface ControlPlane extends ControlPlaneAccess {
  stop(): Promise<void>;
}

/** What to start, and from which folder (the one KUBEBUILDER_ASSETS names). */
export interface ControlPlaneOptions {
  readonly binaries: string;
  /** Starts kube-controller-manager too: Jobs, Deployments, garbage collection, service accounts. */
  readonly controllerManager?: boolean;
}

interface Site {
  readonly folder: string;
  readonly binaries: string;
  readonly token: string;
  readonly apiPort: number;
  readonly etcdPort: number;
  readonly peerPort: number;
}

const READY_WITHIN_MS = 60 * SECOND;
const READY_POLL_MS = 100;

/** Starts a control plane and resolves once it answers /readyz. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const site = await prepareSite(options.binaries);
  const running: ServerProcess[] = [];
  const clear = (): void => rmSync(site.folder, { recursive: true, force: true, maxRetries: 3 });
  // A run that is interrupted never gets to stop(); its servers go by their own hook.
  process.once('exit', clear);
  const stop = async (): Promise<void> => {
    for (const server of running.toReversed()) await server.kill();
    process.off('exit', clear);
    clear();
  };
  try {
    running.push(startEtcd(site));
    running.push(startApiServer(site, options.controllerManager === true));
    const access = await grantAccess(site, running);
    if (options.controllerManager) {
      running.push(startControllerManager(site, access.kubeconfig));
      await untilAnswers(access, '/api/v1/namespaces/default/serviceaccounts/default', running);
    }
    return { ...access, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepareSite(binaries: string): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-control-plane-'));
  const [apiPort, etcdPort, peerPort] = (await freePorts(3)) as [number, number, number];
  const token = systemRandom.uuid();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'service-account.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  writeFileSync(join(folder, 'tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
  return { folder, binaries, token, apiPort, etcdPort, peerPort };
}

function start(site: Site, name: string, args: readonly string[]): ServerProcess {
  return startServer(join(site.binaries, name), args, join(site.folder, `${name}.log`));
}

function startEtcd(site: Site): ServerProcess {
  const client = `http://127.0.0.1:${site.etcdPort}`;
  const peer = `http://127.0.0.1:${site.peerPort}`;
  return start(site, 'etcd', [
    `--data-dir=${join(site.folder, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--unsafe-no-fsync',
  ]);
}

function startApiServer(site: Site, serviceAccounts: boolean): ServerProcess {
  const key = join(site.folder, 'service-account.key');
  return start(site, 'kube-apiserver', [
    `--etcd-servers=http://127.0.0.1:${site.etcdPort}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${site.apiPort}`,
    // Finding no certificate there, the server writes its own, signed by a CA made for it and kept beside it.
    `--cert-dir=${join(site.folder, 'certificates')}`,
    `--token-auth-file=${join(site.folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--allow-privileged',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    '--service-cluster-ip-range=10.96.0.0/24',
    // Without a controller manager the accounts that this plugin demands of every Pod are not created.
    ...(serviceAccounts ? [] : ['--disable-admission-plugins=ServiceAccount']),
  ]);
}

function startControllerManager(site: Site, kubeconfig: string): ServerProcess {
  return start(site, 'kube-controller-manager', [
    `--kubeconfig=${kubeconfig}`,
    `--service-account-private-key-file=${join(site.folder, 'service-account.key')}`,
    `--root-ca-file=${certificateFile(site)}`,
    '--use-service-account-credentials',
    '--leader-elect=false',
    '--secure-port=0',
  ]);
}

const certificateFile = (site: Site): string => join(site.folder, 'certificates', 'apiserver.crt');

async function grantAccess(site: Site, running: readonly ServerProcess[]): Promise<ControlPlaneAccess> {
  const caFile = certificateFile(site);
  const url = `https://127.0.0.1:${site.apiPort}`;
  const caData = await poll('kube-apiserver to write its certificate', running, () => Promise.resolve(readPem(caFile)));
  const kubeconfig = join(site.folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigText({ url, token: site.token, caData }), { mode: 0o600 });
  const access: ControlPlaneAccess = { url, token: site.token, caFile, caData, kubeconfig };
  await untilAnswers(access, '/readyz', running);
  return access;
}

function readPem(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return text.endsWith('-----END CERTIFICATE-----\n') ? text : undefined;
  } catch {
    return undefined;
  }
}

const kubeconfigText = (access: Pick<ControlPlaneAccess, 'url' | 'token' | 'caData'>): string =>
  `apiVersion: v1
kind: Config
current-context: test
contexts: [{ name: test, context: { cluster: test, user: admin } }]
clusters: [{ name: test, cluster: { server: '${access.url}', certificate-authority-data: ${Buffer.from(access.caData).toString('base64')} } }]
users: [{ name: admin, user: { token: ${access.token} } }]
`;

async function untilAnswers(access: ControlPlaneAccess, path: string, running: readonly ServerProcess[]): Promise<void> {
  const dispatcher = new Agent({ connect: { ca: access.caData } });
  const headers = { authorization: `Bearer ${access.token}` };
  const ask = async (): Promise<true | undefined> => {
    const answer = await request(access.url + path, { dispatcher, headers }).catch(() => undefined);
    await answer?.body.dump();
    return answer?.statusCode === 200 ? true : undefined;
  };
  try {
    await poll(`kube-apiserver to answer ${path}`, running, ask);
  } finally {
    await dispatcher.close();
  }
}

async function poll<T>(what: string, running: readonly ServerProcess[], ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = after(systemClock.now(), READY_WITHIN_MS);
  const never = new AbortController().signal;
  while (systemClock.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    const dead = running.find((server) => server.ended());
    if (dead) throw new PlatformError('Unavailable', `waiting for ${what}: ${dead.name} ended: ${dead.lastWords()}`);
    await systemClock.waitUntil(after(systemClock.now(), READY_POLL_MS), never);
  }
  throw new PlatformError('Unavailable', `waiting for ${what}: no answer in ${READY_WITHIN_MS / SECOND} s`);
}
