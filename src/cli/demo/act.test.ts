import { beforeEach, describe, expect, test } from 'vitest';
import { Deployment, Pod } from '../../api/builtin/index.ts';
import type { Draft } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { after, MINUTE, toTime, turn } from '../../base/index.ts';
import { aNotification } from '../../controllers/remediation/testing/builders.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import { ExplainStage, SYSTEM } from '../../actions/testing/explain-stage.ts';
import { play, type Scene } from './act.ts';
import { hireApprover, PERSON } from './person.ts';
import { GOOD, openShop, SHOP } from './story.ts';
import { until } from './until.ts';

const SCENE: Scene = { shop: { ...SHOP, namespace: 'street' }, environment: 'production' };
const RR = { namespace: SYSTEM, name: 'rr' };
const never = new AbortController().signal;
type Status = NonNullable<RemediationRequest['status']>;

let world: ExplainStage;
let printed: string[];
beforeEach(async () => {
  world = await new ExplainStage().open();
  printed = [];
  await hireApprover(world.admin, [SYSTEM, 'shop']);
  await shopWithCrashingPod();
});

/** What the cluster would make of the shop: it was ready once, and now a pod of it crashes. */
async function shopWithCrashingPod(): Promise<void> {
  const { shop, environment } = SCENE;
  await openShop(world.admin, shop, { release: GOOD, environment });
  const counts = { observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2 };
  await world.admin.patchStatus(Deployment, shop, { type: 'merge', body: { status: counts } });
  const key = { namespace: shop.namespace, name: 'checkout-1' };
  const spec = { containers: [{ name: 'checkout', image: 'busybox' }] };
  await world.admin.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata: { ...key, labels: { app: shop.name } }, spec } as Draft<Pod>);
  const container = { name: 'checkout', restartCount: 1, state: { waiting: { reason: 'CrashLoopBackOff' } } };
  await world.admin.patchStatus(Pod, key, { type: 'merge', body: { status: { containerStatuses: [container] } } });
}

/** The message to people that a request ends with. */
async function tellPeople(request: RemediationRequest, type: 'Completion' | 'Approval' = 'Completion'): Promise<void> {
  const name = `nr-${type.toLowerCase()}`;
  const { apiVersion, kind, spec } = aNotification(name);
  const remediationRequestRef = { name: request.metadata.name, uid: request.metadata.uid };
  const draft = { apiVersion, kind, metadata: { name, namespace: SYSTEM }, spec: { ...spec, type, subject: type, remediationRequestRef } };
  await world.admin.create(NotificationRequest, draft as Draft<NotificationRequest>);
  await world.admin.patchStatus(NotificationRequest, { namespace: SYSTEM, name }, { type: 'merge', body: { status: { phase: 'Sent' } } });
}

const playOut = (post: () => Promise<{ code: number; body: unknown }>) =>
  play(
    {
      client: world.admin,
      person: world.as(PERSON.username),
      clock: world.clock,
      steady: world.clock,
      settings: DEFAULT_SETTINGS,
      post,
      print: (line) => void printed.push(line),
      narrate: (text) => void printed.push(text),
      approvalReason: 'the release is bad',
      signal: never,
    },
    SCENE,
  );

const ended = (status: Status) => async () => {
  await tellPeople(await world.request({ completedAt: toTime(world.clock.now()), ...status }));
  return { code: 201, body: {} };
};

describe('an act', () => {
  test.each<{ status: Status; want: boolean }>([
    { status: { overallPhase: 'Completed', outcome: 'Remediated' }, want: true },
    { status: { overallPhase: 'Completed', outcome: 'Inconclusive' }, want: false },
    { status: { overallPhase: 'Failed', failurePhase: 'WorkflowExecution' }, want: false },
  ])('that ends with $status.overallPhase $status.outcome went well: $want', async ({ status, want }) => {
    expect(await playOut(ended(status))).toBe(want);
    expect(printed).toContain([status.overallPhase, status.outcome].filter(Boolean).join(' / '));
    expect(printed).toContain('release 1.4.0 runs: 2 of 2 pods ready');
  });

  test('is about the request that its alert opened, and not an earlier one', async () => {
    await world.request({ overallPhase: 'Failed', completedAt: toTime(world.clock.now()) }, 'earlier');
    expect(await playOut(ended({ overallPhase: 'Completed', outcome: 'Remediated' }))).toBe(true);
  });

  test('ends when the gateway does not take the alert', () =>
    expect(playOut(() => Promise.resolve({ code: 503, body: { title: 'busy' } }))).rejects.toThrow(
      'the gateway did not accept the alert: 503',
    ));
});

describe('an act with a question', () => {
  const ask = async () => {
    const awaiting: Status = {
      overallPhase: 'AwaitingApproval',
      startTime: toTime(world.clock.now()),
      approvalRequestRef: { name: 'rar-rr' },
    };
    const request = await world.request(awaiting);
    await world.ask(request);
    await tellPeople(request, 'Approval');
    return { code: 201, body: {} };
  };

  /** Continues once the approver has decided, as the orchestrator does; time passes meanwhile. */
  async function goOn(): Promise<RemediationApprovalRequest> {
    const decided = until(
      world.admin,
      { resource: RemediationApprovalRequest, namespace: SYSTEM },
      ([approval]) => (approval?.status?.decision ? approval : undefined),
      never,
    );
    while (world.clock.waiting === 0) await turn();
    expect((await world.admin.get(RemediationApprovalRequest, { namespace: SYSTEM, name: 'rar-rr' })).status?.decision ?? '').toBe('');
    await world.clock.advance(2_000);
    const approval = await decided;
    const status = { overallPhase: 'Executing', message: 'running' };
    const request = await world.admin.patchStatus(RemediationRequest, RR, { type: 'merge', body: { status } });
    await tellPeople(request);
    const end = { overallPhase: 'Completed', outcome: 'Remediated', completedAt: toTime(after(world.clock.now(), MINUTE)) };
    await world.admin.patchStatus(RemediationRequest, RR, { type: 'merge', body: { status: end } });
    return approval;
  }

  test('shows it, and a person says yes under their own name', async () => {
    const [wentWell, { status }] = await Promise.all([playOut(ask), goOn()]);
    expect(wentWell).toBe(true);
    expect(status).toMatchObject({ decision: 'Approved', decidedBy: PERSON.username, decisionMessage: 'the release is bad' });
    const text = printed.join('\n');
    expect(text).toContain('Approval requested (RemediationApprovalRequest rar-rr):');
    expect(text).toContain(`  yes        sickbay approve rr -n ${SYSTEM}`);
    expect(text).toContain('  held by    Approval');
    expect(text).toContain(`rar-rr is approved by ${PERSON.username}: run rollback-deployment`);
    expect(text, 'the final notification, not the approval request').toMatch(/^ {2}notified +Completion \(Completion, Sent\)$/m);
    expect(text).toContain('Completed / Remediated');
  });
});
