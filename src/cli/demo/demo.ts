import type { Pod } from '../../api/builtin/index.ts';
import { AIAnalysis, EffectivenessAssessment, NotificationRequest, RemediationRequest, WorkflowExecution } from '../../api/index.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { after, hasCode, PlatformError, type Clock } from '../../base/index.ts';
import { childNames } from '../../controllers/child-names.ts';
import type { KubeClient } from '../../kube/client.ts';
import { PhaseLog } from './phase-log.ts';
import { BAD, crashLoopAlert, GOOD, openShop, rollOut, SHOP, untilCrashLoop, untilReady } from './story.ts';
import { summary, type Ending } from './summary.ts';
import { until } from './until.ts';

export interface DemoOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** For the times that are shown. */
  readonly steady: Clock;
  /** Namespace of the pipeline's own objects. */
  readonly namespace: string;
  /** Hands a webhook to the gateway. */
  readonly post: (webhook: object) => Promise<{ readonly code: number; readonly body: unknown }>;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Longer than it ever takes: then something is wrong, and that is said instead of waiting on. */
const LIMIT_MS = 120_000;

type Tell = (text: string) => void;

/** Breaks a Deployment, raises the alert, and tells what becomes of it. True when it was remediated. */
export async function demo(options: DemoOptions): Promise<boolean> {
  const { client, steady, print } = options;
  const begun = steady.now();
  const tell: Tell = (text) => print(`${((steady.now() - begun) / 1_000).toFixed(1).padStart(6)} s  ${text}`);
  const limit = timeLimit(options);
  try {
    print(`Demo: a bad release of ${SHOP.namespace}/${SHOP.name} is noticed and taken back.`);
    const pod = await breakTheShop(client, tell, limit.signal);
    const phases = new PhaseLog(steady, tell);
    const request = await followTheNext(options, phases, limit.signal, () => raiseTheAlert(options, pod, tell));
    const ending = { request, phases: phases.durations(), ...(await childrenOf(client, request, limit.signal)) };
    print('');
    for (const line of summary(ending)) print(line);
    return request.status?.outcome === 'Remediated';
  } finally {
    limit.end();
  }
}

function timeLimit({ steady, signal }: DemoOptions): { readonly signal: AbortSignal; end(): void } {
  const limit = new AbortController();
  const cancelled = new AbortController();
  const expire = (): void => limit.abort(new PlatformError('Unavailable', `the demo was not over after ${LIMIT_MS / 1_000} s`));
  void steady.waitUntil(after(steady.now(), LIMIT_MS), cancelled.signal).then(expire, () => undefined);
  const end = (): void => {
    cancelled.abort();
    // Whoever still looks at something stops looking.
    limit.abort(new PlatformError('Unavailable', 'the demo is over'));
  };
  return { signal: AbortSignal.any([signal, limit.signal]), end };
}

async function breakTheShop(client: KubeClient, tell: Tell, signal: AbortSignal): Promise<Pod> {
  await openShop(client, SHOP);
  const ready = await untilReady(client, SHOP, signal);
  tell(`release ${GOOD.version} runs: ${ready.status?.readyReplicas ?? 0} of ${ready.spec.replicas ?? 1} pods ready`);
  await rollOut(client, SHOP, BAD);
  tell(`release ${BAD.version} is rolled out`);
  const pod = await untilCrashLoop(client, SHOP, signal);
  tell(`pod ${pod.metadata.name} is in CrashLoopBackOff: ${crashText(pod)}`);
  return pod;
}

function crashText({ status }: Pod): string {
  const [container] = status?.containerStatuses ?? [];
  return `exit code ${container?.lastState?.terminated?.exitCode ?? 'unknown'}, restarts ${container?.restartCount ?? 0}`;
}

async function raiseTheAlert({ clock, post }: DemoOptions, pod: Pod, tell: Tell): Promise<void> {
  tell('the alert KubePodCrashLooping fires');
  const { code, body } = await post(crashLoopAlert(pod, clock.now()));
  if (code >= 300) throw new PlatformError('Unavailable', `the gateway did not take the alert: ${code} ${JSON.stringify(body)}`);
}

/** Looks out for a new RemediationRequest before the alert is raised, so that none of its phases is missed. */
async function followTheNext(
  { client, namespace }: DemoOptions,
  phases: PhaseLog,
  signal: AbortSignal,
  raise: () => Promise<void>,
): Promise<RemediationRequest> {
  const known = new Set((await client.list(RemediationRequest, { namespace })).items.map(({ metadata }) => metadata.uid));
  const judge = (all: readonly RemediationRequest[]) => phases.judge(all.find(({ metadata }) => !known.has(metadata.uid)));
  const followed = until(client, { resource: RemediationRequest, namespace }, judge, signal);
  const [request] = await Promise.all([followed, raise()]);
  return request;
}

type Children = Omit<Ending, 'request' | 'phases'>;

/** The children there are, once people have been told. */
async function childrenOf(client: KubeClient, request: RemediationRequest, signal: AbortSignal): Promise<Children> {
  const { namespace = '', name } = request.metadata;
  const names = childNames(name);
  const isTold = (all: readonly NotificationRequest[]) =>
    all.find(({ spec, status }) => spec.remediationRequestRef?.name === name && status?.phase === 'Sent');
  const notification = await until(client, { resource: NotificationRequest, namespace }, isTold, signal);
  const find = <T extends KubeObject>(resource: Resource<T>, child: string) => findOne(client, resource, { namespace, name: child });
  const [analysis, execution, assessment] = await Promise.all([
    find(AIAnalysis, names.analysis()),
    find(WorkflowExecution, names.execution),
    find(EffectivenessAssessment, names.assessment),
  ]);
  return { notification, ...(analysis && { analysis }), ...(execution && { execution }), ...(assessment && { assessment }) };
}

async function findOne<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  key: { readonly namespace: string; readonly name: string },
): Promise<T | undefined> {
  try {
    return await client.get(resource, key);
  } catch (error) {
    if (hasCode(error, 'NotFound')) return undefined;
    throw error;
  }
}
