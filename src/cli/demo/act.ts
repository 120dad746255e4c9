import type { Pod } from '../../api/builtin/index.ts';
import { AIAnalysis, EffectivenessAssessment, NotificationRequest, RemediationRequest, WorkflowExecution } from '../../api/index.ts';
import { PlatformError } from '../../base/index.ts';
import { childNames } from '../../controllers/child-names.ts';
import { ask } from '../../kube/client/read-live.ts';
import { answer } from './answer.ts';
import type { DemoOptions } from './demo.ts';
import { PhaseLog } from './phase-log.ts';
import { BAD, crashLoopAlert, GOOD, openShop, rollOut, untilCrashLoop, untilReady, type Shop } from './story.ts';
import { summary, type Ending } from './summary.ts';
import { until } from './until.ts';

/** What an act of the demo needs. */
export interface Stage extends Omit<DemoOptions, 'columns'> {
  /** Prints a line with its time. */
  readonly narrate: (text: string) => void;
  /** Why the person approves. */
  readonly approvalReason: string;
}

/** Where an act takes place. */
export interface Scene {
  readonly shop: Shop;
  readonly environment: 'development' | 'production';
}

/** Breaks the shop, sends the alert, and prints what happens. True when it was remediated. */
export async function play(stage: Stage, scene: Scene): Promise<boolean> {
  const pod = await breakTheShop(stage, scene);
  const request = await followRemediation(stage, () => raiseTheAlert(stage, pod));
  return request.status?.outcome === 'Remediated';
}

/** Does what leads to a remediation, and prints its phases and how it ended; approves where it asks. */
export async function followRemediation(stage: Stage, raise: () => Promise<void>): Promise<RemediationRequest> {
  const { steady, print, narrate } = stage;
  const phases = new PhaseLog(steady, narrate);
  const request = await followTheNext(stage, phases, raise);
  const ending = { request, phases: phases.durations(), ...(await childrenOf(stage, request)) };
  print('');
  for (const line of summary(ending)) print(line);
  return request;
}

async function breakTheShop({ client, narrate, signal }: Stage, { shop, environment }: Scene): Promise<Pod> {
  await openShop(client, shop, { environment });
  const ready = await untilReady(client, shop, signal);
  narrate(`release ${GOOD.version} runs: ${ready.status?.readyReplicas ?? 0} of ${ready.spec.replicas ?? 1} pods ready`);
  await rollOut(client, shop, BAD);
  narrate(`release ${BAD.version} is rolled out`);
  const pod = await untilCrashLoop(client, shop, signal);
  narrate(`pod ${pod.metadata.name} is in CrashLoopBackOff: ${crashText(pod)}`);
  return pod;
}

function crashText({ status }: Pod): string {
  const [container] = status?.containerStatuses ?? [];
  return `exit code ${container?.lastState?.terminated?.exitCode ?? 'unknown'}, restarts ${container?.restartCount ?? 0}`;
}

async function raiseTheAlert({ clock, post, narrate }: Stage, pod: Pod): Promise<void> {
  narrate('the alert KubePodCrashLooping fires');
  const { code, body } = await post(crashLoopAlert(pod, clock.now()));
  if (code >= 300) throw new PlatformError('Unavailable', `the gateway did not accept the alert: ${code} ${JSON.stringify(body)}`);
}

/** Watches for a new RemediationRequest before the alert is sent, so that none of its phases is missed; approves when it asks. */
async function followTheNext(stage: Stage, phases: PhaseLog, raise: () => Promise<void>): Promise<RemediationRequest> {
  const { client, settings, signal } = stage;
  const look = { resource: RemediationRequest, namespace: settings.namespace };
  const known = new Set((await client.list(RemediationRequest, look)).items.map(({ metadata }) => metadata.uid));
  const next = (all: readonly RemediationRequest[]) => all.find(({ metadata }) => !known.has(metadata.uid));
  const endOrQuestion = (all: readonly RemediationRequest[]) =>
    phases.judge(next(all)) ?? (phases.phase === 'AwaitingApproval' ? next(all) : undefined);
  const [request] = await Promise.all([until(client, look, endOrQuestion, signal), raise()]);
  if (phases.isOver) return request;
  await answer(stage, request);
  return until(client, look, (all) => phases.judge(next(all)), signal);
}

type Children = Omit<Ending, 'request' | 'phases'>;

/** Whether it was tried once: a channel that is broken is tried for minutes, which the demo does not need. */
const isOut = (status: NotificationRequest['status']): boolean =>
  status?.phase === 'Sending' ? status.reason === 'ChannelResting' : status?.phase !== undefined && status.phase !== 'Pending';

/** The children, once the final notification was tried. */
async function childrenOf({ client, signal }: Stage, request: RemediationRequest): Promise<Children> {
  const { namespace = '', name } = request.metadata;
  const names = childNames(name);
  const isTold = (all: readonly NotificationRequest[]) =>
    all.find(({ spec, status }) => spec.remediationRequestRef?.name === name && spec.type !== 'Approval' && isOut(status));
  const notification = await until(client, { resource: NotificationRequest, namespace }, isTold, signal);
  const [analysis, execution, assessment] = await Promise.all([
    found(client.get(AIAnalysis, { namespace, name: names.analysis(request.status?.analysisAttempt) })),
    found(client.get(WorkflowExecution, { namespace, name: names.execution })),
    found(client.get(EffectivenessAssessment, { namespace, name: names.assessment })),
  ]);
  return { notification, ...(analysis && { analysis }), ...(execution && { execution }), ...(assessment && { assessment }) };
}

async function found<T>(read: Promise<T>): Promise<T | undefined> {
  const seen = await ask(() => read);
  if (seen.kind === 'unreadable') throw new PlatformError('Unavailable', seen.reason);
  return seen.kind === 'value' ? seen.value : undefined;
}
