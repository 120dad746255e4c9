import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Deployment, Job, Lease, ReplicaSet, type Pod } from '../../src/api/builtin/index.ts';
import {
  executionPhases,
  isTerminal,
  NotificationRequest,
  remediationPhases,
  RemediationRequest,
  RemediationWorkflow,
  WorkflowExecution,
} from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/meta.ts';
import type { Resource } from '../../src/api/resource.ts';
import { SECOND, silent, systemClock } from '../../src/base/index.ts';
import {
  BAD,
  crashLoopAlert,
  openShop,
  releaseOf,
  rollOut,
  SHOP,
  untilCrashLoop,
  untilReady,
  webhook,
  type Shop,
} from '../../src/cli/demo/story.ts';
import { until } from '../../src/cli/demo/until.ts';
import { install } from '../../src/cli/process/install.ts';
import { postSignal } from '../../src/cli/process/post-signal.ts';
import { SIGNALS_PATH } from '../../src/cli/process/serve.ts';
import { up, type LocalRun } from '../../src/cli/process/up.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';

/** Jobs and locks are cleared away a second after a run, so that a test can see them go. */
const settings = { ...DEFAULT_SETTINGS, stabilizationMs: SECOND, cooldownMs: SECOND };
const { namespace, executionNamespace } = settings;
const TIMEOUT_MS = 120_000;

let run: LocalRun;
const over = new AbortController();
beforeAll(async () => {
  run = await up({ version: 'test', settings: () => settings, port: 0, log: silent });
  await openShop(run.client, SHOP);
}, TIMEOUT_MS);
afterAll(async () => {
  over.abort(new Error('the tests are over'));
  await run.close();
}, TIMEOUT_MS);

const shopNamed = (name: string): Shop => ({ ...SHOP, name });

/** A release that ran, and one over it that does not. */
async function brokenShop(name: string): Promise<Pod> {
  const shop = shopNamed(name);
  await openShop(run.client, shop);
  await untilReady(run.client, shop, over.signal);
  await rollOut(run.client, shop, BAD);
  return untilCrashLoop(run.client, shop, over.signal);
}

const post = (body: object) => postSignal(`${run.url}${SIGNALS_PATH}`, body);

/** What became of an alert: the request at its end, the message that was sent, and the run, if there was one. */
interface Ending {
  readonly request: RemediationRequest;
  readonly message: NotificationRequest;
  readonly execution: WorkflowExecution | undefined;
}

/** Raises the alert and waits until the remediation has finished, a notification was sent, and no object of a run is left. */
async function endOf(alert: object): Promise<Ending> {
  const { code, body } = await post(alert);
  expect({ code, body }).toMatchObject({ code: 201 });
  const { remediationRequestName: name } = body as { readonly remediationRequestName: string };
  const request = await until(
    run.client,
    { resource: RemediationRequest, namespace },
    (all) => all.find(({ metadata, status }) => metadata.name === name && isTerminal(remediationPhases, status?.overallPhase)),
    over.signal,
  );
  const message = await until(
    run.client,
    { resource: NotificationRequest, namespace },
    (all) => all.find(({ spec, status }) => spec.remediationRequestRef?.name === name && status?.phase === 'Sent'),
    over.signal,
  );
  await untilNone(Job);
  await untilNone(Lease);
  const executions = (await run.client.list(WorkflowExecution, { namespace })).items;
  return { request, message, execution: executions.find(({ spec }) => spec.remediationRequestRef.name === name) };
}

const untilNone = <T extends KubeObject>(resource: Resource<T>): Promise<true> =>
  until(run.client, { resource, namespace: executionNamespace }, (all) => (all.length === 0 ? true : undefined), over.signal);

/** Changes the catalogue's only workflow for as long as the work takes. */
async function withWorkflow<T>(spec: object, work: () => Promise<T>): Promise<T> {
  const { client } = run;
  await client.patch(RemediationWorkflow, { namespace, name: 'rollback-deployment' }, { type: 'merge', body: { spec } });
  try {
    return await work();
  } finally {
    await install({ client, clock: systemClock, settings });
  }
}

/** Nothing was run; a person is asked, in words that say what is wrong and what to do. */
function expectReview({ request, message, execution }: Ending, want: { readonly wrong: RegExp; readonly advice: RegExp }): void {
  expect(request.status).toMatchObject({ overallPhase: 'Completed', outcome: 'ManualReviewRequired', requiresManualReview: true });
  expect(execution).toBeUndefined();
  expect(message.spec.type).toBe('ManualReview');
  for (const text of [request.status?.message, message.spec.body]) {
    expect(text).toMatch(want.wrong);
    expect(text).toMatch(want.advice);
  }
}

/** The workflow found a precondition not met: nothing was changed, no review is asked for, and the message quotes what it said. */
function expectRefusal({ request, message, execution }: Ending, said: RegExp): void {
  expect(request.status).toMatchObject({ overallPhase: 'Failed', failurePhase: 'WorkflowExecution', requiresManualReview: false });
  expect(execution?.status).toMatchObject({ phase: 'Failed', failureDetails: { exitCode: 3, wasExecutionFailure: false } });
  expect(message.spec).toMatchObject({ type: 'Escalation', priority: 'High' });
  for (const text of [request.status?.failureReason, message.spec.body]) {
    expect(text).toMatch(said);
    expect(text).toContain('Nothing was changed.');
  }
}

/** The run failed; a person is told what it said. */
function expectFailure({ request, message, execution }: Ending, want: { readonly exitCode: number; readonly said: RegExp }): void {
  expect(request.status).toMatchObject({ overallPhase: 'Failed', failurePhase: 'WorkflowExecution', requiresManualReview: true });
  expect(execution?.status).toMatchObject({ phase: 'Failed', failureDetails: { exitCode: want.exitCode } });
  expect(message.spec.type).toBe('ManualReview');
  for (const text of [request.status?.failureReason, message.spec.body]) {
    expect(text).toMatch(want.said);
    expect(text).toContain(`exited with ${want.exitCode}`);
  }
}

const isFirst = ({ metadata }: ReplicaSet): boolean => metadata.annotations?.['deployment.kubernetes.io/revision'] === '1';

const isUnderWay = ({ status }: WorkflowExecution): boolean => !isTerminal(executionPhases, status?.phase);

const releaseNow = async (name: string): Promise<string | undefined> =>
  releaseOf(await run.client.get(Deployment, { namespace: SHOP.namespace, name }));

describe('an alert that nothing can be done about', { timeout: TIMEOUT_MS }, () => {
  test('a Deployment that is not there', async () => {
    const ending = await endOf(webhook({ namespace: SHOP.namespace, deployment: 'gone' }, 'it crashes', systemClock.now()));
    expectReview(ending, { wrong: /Deployment shop\/gone does not exist/, advice: /silence the alert; otherwise restore it/ });
  });

  test('a first release that crashes: there is nothing to go back to', async () => {
    const shop = shopNamed('newborn');
    await openShop(run.client, shop, { release: BAD });
    const ending = await endOf(crashLoopAlert(await untilCrashLoop(run.client, shop, over.signal), systemClock.now()));
    expectReview(ending, { wrong: /no earlier revision/, advice: /kubectl logs -n shop deploy\/newborn --previous/ });
    expect(await releaseNow('newborn')).toBe(BAD.version);
  });

  test('a Deployment whose rollouts are paused', async () => {
    const pod = await brokenShop('paused');
    const key = { namespace: SHOP.namespace, name: 'paused' };
    await run.client.patch(Deployment, key, { type: 'merge', body: { spec: { paused: true } } });
    const ending = await endOf(crashLoopAlert(pod, systemClock.now()));
    expectReview(ending, { wrong: /paused/, advice: /kubectl rollout resume/ });
    expect(await releaseNow('paused')).toBe(BAD.version);
  });

  test('a workflow that requires a parameter without a value', async () => {
    const pod = await brokenShop('unspecified');
    const ticket = { name: 'TICKET', type: 'string', required: true, description: 'number of the change request' };
    const ending = await withWorkflow({ parameters: [ticket] }, () => endOf(crashLoopAlert(pod, systemClock.now())));
    expectReview(ending, { wrong: /TICKET/, advice: /rollback-deployment/ });
    expect(await releaseNow('unspecified')).toBe(BAD.version);
  });
});

describe('a workflow that exits with an error', { timeout: TIMEOUT_MS }, () => {
  test('what it is to go back to is deleted just before it begins', async () => {
    const pod = await brokenShop('forgetful');
    const [good] = (await run.client.list(ReplicaSet, { namespace: SHOP.namespace, labelSelector: 'app=forgetful' })).items.filter(isFirst);
    const begun = until(run.client, { resource: WorkflowExecution, namespace }, (all) => all.find(isUnderWay), over.signal);
    const forgotten = begun.then(() => run.client.delete(ReplicaSet, { namespace: SHOP.namespace, name: good?.metadata.name ?? '' }));
    const [ending] = await Promise.all([endOf(crashLoopAlert(pod, systemClock.now())), forgotten]);
    expectRefusal(ending, /a precondition is not met: Deployment shop\/forgetful is not rolled back: it has no revision 1, only 2/);
    expect(await releaseNow('forgetful')).toBe(BAD.version);
  });

  test('the catalogue names one that the image does not hold', async () => {
    const pod = await brokenShop('mistyped');
    const execution = { engineConfig: { args: ['rollback-deploymnet'] } };
    const ending = await withWorkflow({ execution }, () => endOf(crashLoopAlert(pod, systemClock.now())));
    expectFailure(ending, { exitCode: 2, said: /no workflow "rollback-deploymnet"; there are: .*rollback-deployment/ });
    expect(await releaseNow('mistyped')).toBe(BAD.version);
  });
});

describe('what is no signal for us', { timeout: TIMEOUT_MS }, () => {
  const requests = async (): Promise<number> => (await run.client.list(RemediationRequest, { namespace })).items.length;
  const about = (labels: Readonly<Record<string, string>>) => webhook(labels, 'it crashes', systemClock.now());

  test.each([
    {
      name: 'a namespace that is not there',
      body: () => about({ namespace: 'nowhere', deployment: 'x' }),
      code: 200,
      want: /no namespace nowhere/,
    },
    { name: 'a namespace that we may not touch', body: () => about({ namespace: 'default', deployment: 'x' }), code: 200, want: /default/ },
    { name: 'no target', body: () => about({}), code: 202, want: /rejected: no target/ },
    { name: 'no alerts', body: () => ({ ...about({}), alerts: [] }), code: 400, want: /at least one alert/ },
    { name: 'another version', body: () => ({ ...about({}), version: '3' }), code: 400, want: /only \\"4\\" is understood/ },
  ])('$name: $code, and no remediation', async ({ body, code, want }) => {
    const before = await requests();
    const answer = await post(body());
    expect(answer).toMatchObject({ code });
    expect(JSON.stringify(answer.body)).toMatch(want);
    expect(await requests()).toBe(before);
  });
});
