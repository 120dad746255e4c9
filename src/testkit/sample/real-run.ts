import { CustomResourceDefinition, Job, Namespace } from '../../api/builtin/index.ts';
import { crdOf } from '../../api/crd-of.ts';
import { after, hasCode, SECOND, silent, systemClock, systemRandom } from '../../base/index.ts';
import { createClient } from '../../kube/client/api-client.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { httpTransport, type HttpTransport } from '../../kube/http/http-transport.ts';
import { loadConfig } from '../../kube/identity/load-config.ts';
import { bootProcess } from './boot.ts';
import { Errand } from './errand.ts';
import { errandController } from './index.ts';

/** How often the end is looked for; the controller itself is woken by watches. */
const LOOK_MS = 200;

/** What is left when all errands are over. */
export interface RealRun {
  readonly errands: readonly Errand[];
  readonly jobsLeft: number;
}

export interface RealRunOptions {
  readonly kubeconfig: string;
  readonly errands: readonly { readonly name: string; readonly target: string }[];
  readonly deadlineMs: number;
  /** Plays what the server at hand lacks, such as a kubelet; ends with the signal. */
  readonly around?: (client: KubeClient, namespace: string, signal: AbortSignal) => Promise<void>;
}

/** Runs the sample controller, unchanged, on a real API server, in a namespace of its own that is deleted afterwards. */
export async function runErrandsForReal(options: RealRunOptions): Promise<RealRun> {
  const transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig: options.kubeconfig }));
  const client = createClient(transport);
  const namespace = `errands-${systemRandom.uuid().slice(0, 8)}`;
  const stop = new AbortController();
  await installErrands(client);
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const process = startProcess(transport, stop.signal);
  const around = options.around?.(client, namespace, stop.signal);
  try {
    for (const { name, target } of options.errands) {
      await client.create(Errand, { apiVersion: 'test.sickbay.dev/v1', kind: 'Errand', metadata: { name, namespace }, spec: { target } });
    }
    return await waitForTheEnd(client, namespace, options.deadlineMs);
  } finally {
    stop.abort(new Error('the run is over'));
    await Promise.allSettled([process, around]);
    await client.delete(Namespace, { namespace: '', name: namespace });
    await transport.close();
  }
}

const startProcess = (transport: HttpTransport, signal: AbortSignal): Promise<void> =>
  bootProcess({ controllers: () => [errandController] })({
    name: 'real',
    transport,
    log: silent,
    clock: systemClock,
    steady: systemClock,
    random: systemRandom,
    signal,
  });

async function installErrands(client: KubeClient): Promise<void> {
  try {
    await client.create(CustomResourceDefinition, crdOf(Errand));
  } catch (error) {
    if (!hasCode(error, 'AlreadyExists')) throw error;
  }
  const key = { namespace: '', name: 'errands.test.sickbay.dev' };
  await until(async () => {
    const crd = await client.get(CustomResourceDefinition, key);
    return crd.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false;
  }, 30 * SECOND);
}

async function waitForTheEnd(client: KubeClient, namespace: string, deadlineMs: number): Promise<RealRun> {
  let end: RealRun = { errands: [], jobsLeft: 0 };
  await until(async () => {
    const [errands, jobs] = [await client.list(Errand, { namespace }), await client.list(Job, { namespace })];
    end = { errands: errands.items, jobsLeft: jobs.items.length };
    return end.jobsLeft === 0 && end.errands.every(({ status }) => status?.phase === 'Succeeded' || status?.phase === 'Failed');
  }, deadlineMs);
  return end;
}

/** Looks until it is so, or the time is over: what was seen last is then judged by the test. */
async function until(isSo: () => Promise<boolean>, limitMs: number): Promise<void> {
  const limit = after(systemClock.now(), limitMs);
  const never = new AbortController().signal;
  while (!(await isSo()) && systemClock.now() < limit) await systemClock.waitUntil(after(systemClock.now(), LOOK_MS), never);
}
