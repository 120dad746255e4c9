import { describe, expect, test } from 'vitest';
import { AIAnalysis } from '../api/ai-analysis/ai-analysis.ts';
import { aiAnalysisSample } from '../api/ai-analysis/sample.ts';
import type { KindDefinition } from '../api/define-kind.ts';
import type { Draft, KubeObject } from '../api/meta.ts';
import { Namespace } from '../api/builtin/index.ts';
import { RemediationApprovalRequest } from '../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { closeApproval } from '../controllers/approval/index.ts';
import { RemediationWorkflow } from '../api/remediation-workflow/remediation-workflow.ts';
import { ourRights } from '../admission/index.ts';
import { ADMIN, createMemoryApi, newSigningKey, type User } from '../apiserver/index.ts';
import { installKind } from '../testkit/try-bad-value.ts';
import { bindPeopleRole } from '../testkit/with-role.ts';
import { after, HOUR, MINUTE, seededRandom, toTime } from '../base/index.ts';
import { aPlan, aWorkflow, anApproval, NAMESPACE } from '../controllers/approval/testing/builders.ts';
import { createClient, type KubeClient } from '../kube/index.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { decideApproval, decidedText, type Answer } from './decide-approval.ts';

interface Asked {
  readonly anna: KubeClient;
  readonly clock: ManualClock;
  readonly system: KubeClient;
  approval(): Promise<RemediationApprovalRequest>;
  /** A user with this role in Sickbay's namespace, and no other right. */
  withRole(role: string): Promise<KubeClient>;
}

/** A server where anna, its administrator, is asked about rr. */
async function asked(): Promise<Asked> {
  const clock = new ManualClock();
  const user = { ...ADMIN, username: 'anna' };
  const rights = { tokens: [{ token: 't', user }], signingKey: newSigningKey(), ...ourRights() };
  const api = createMemoryApi({ clock, random: seededRandom(1), rights });
  const system = createClient(api);
  const kinds: readonly KindDefinition[] = [RemediationRequest, RemediationApprovalRequest, RemediationWorkflow, AIAnalysis];
  for (const kind of kinds) await installKind(api, kind);
  await system.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  const bare = <T extends KubeObject>(object: T): Draft<T> =>
    ({ ...object, metadata: { name: object.metadata.name, namespace: NAMESPACE } }) as unknown as Draft<T>;
  const question = anApproval();
  const spec = { ...question.spec, requiredBy: toTime(after(clock.now(), HOUR)) };
  await system.create(RemediationApprovalRequest, bare({ ...question, spec }));
  for (const name of ['rollback-deployment', 'restart']) await system.create(RemediationWorkflow, bare(aWorkflow(name)));
  const { workflow, target } = aPlan();
  const analysis = { apiVersion: 'kubernaut.ai/v1alpha1', kind: 'AIAnalysis', metadata: { name: 'ai-rr', namespace: NAMESPACE } };
  await system.create(AIAnalysis, { ...analysis, spec: aiAnalysisSample.spec } as Draft<AIAnalysis>);
  const status = {
    phase: 'Completed',
    needsHumanReview: false,
    approvalRequired: true,
    rootCauseAnalysis: { summary: 's', signalType: 't', remediationTarget: target },
    selectedWorkflow: workflow,
  };
  await system.patchStatus(AIAnalysis, { namespace: NAMESPACE, name: 'ai-rr' }, { type: 'merge', body: { status } });
  const clientOf = (who: User) =>
    createClient({
      request: (request) => api.gate.admit(who, request).request(request),
      watch: (request, signal) => api.watch(request, signal),
    });
  return {
    anna: clientOf(user),
    clock,
    system,
    approval: () => system.get(RemediationApprovalRequest, { namespace: NAMESPACE, name: 'rar-rr' }),
    async withRole(role) {
      await bindPeopleRole(system, { user: 'ben', role, namespaces: [NAMESPACE] });
      return clientOf({ username: 'ben', groups: ['system:authenticated'] });
    },
  };
}

describe('the roles for people', () => {
  test.each(['sickbay-approver', 'sickbay-operator'])('%s is enough to approve a changed plan', async (role) => {
    const { withRole, clock, approval } = await asked();
    const ben = await withRole(role);
    await decideApproval(ben, clock, answer({ workflow: 'restart', parameters: { REVISION: '1' } }));
    expect((await approval()).status).toMatchObject({ decision: 'Approved', decidedBy: 'ben' });
  });

  test('sickbay-viewer may read the question, not answer it', async () => {
    const { withRole, clock, approval } = await asked();
    const ben = await withRole('sickbay-viewer');
    await expect(decideApproval(ben, clock, answer())).rejects.toMatchObject({ code: 'Forbidden' });
    expect((await approval()).status?.decision).toBeUndefined();
  });
});

const answer = (more: Partial<Answer> = {}): Answer => ({ namespace: NAMESPACE, name: 'rr', decision: 'Approved', ...more });

describe('deciding', () => {
  test.each(['rr', 'rar-rr'])('by the name %s, as oneself', async (name) => {
    const { anna, clock, approval } = await asked();
    const decided = await decideApproval(anna, clock, answer({ name, reason: 'go' }));
    expect(decided).toEqual({
      name: 'rar-rr',
      namespace: NAMESPACE,
      decision: 'Approved',
      decidedBy: 'anna',
      plan: 'run rollback-deployment:1.0.0 on Deployment shop/checkout',
    });
    const { status } = await approval();
    expect(status).toMatchObject({ decision: 'Approved', decidedBy: 'anna', decidedAt: toTime(clock.now()), decisionMessage: 'go' });
    expect(status?.workflowOverride).toBeUndefined();
  });

  test('against it', async () => {
    const { anna, clock, approval } = await asked();
    await decideApproval(anna, clock, answer({ decision: 'Rejected', reason: 'not now' }));
    expect((await approval()).status).toMatchObject({ decision: 'Rejected', decisionMessage: 'not now' });
  });

  test('for something else', async () => {
    const { anna, clock, approval } = await asked();
    const decided = await decideApproval(anna, clock, answer({ workflow: 'restart', parameters: { REVISION: '2' }, reason: 'better' }));
    expect(decided.plan).toBe('restart:1.0.0 (REVISION=2) instead of rollback-deployment:1.0.0 (REVISION=1) on shop/Deployment/checkout');
    expect((await approval()).status?.workflowOverride).toEqual({
      workflowName: 'restart',
      parameters: { REVISION: '2' },
      rationale: 'better',
    });
  });

  test.each<[string, Partial<Answer>, string]>([
    ['an unknown request', { name: 'other' }, 'no request called other waits for approval in the namespace sickbay-system'],
    ['for a workflow that is not there', { workflow: 'none' }, 'no decision was recorded: the catalogue has no workflow none'],
    ['for a parameter that does not fit', { parameters: { REVISION: 'x' } }, 'REVISION=x is no integer'],
  ])('%s is refused, and nothing is written', async (_title, more, message) => {
    const { anna, clock, approval } = await asked();
    await expect(decideApproval(anna, clock, answer(more))).rejects.toThrow(message);
    expect((await approval()).status?.decision ?? '').toBe('');
  });

  test('what is decided is refused', async () => {
    const { anna, clock } = await asked();
    await decideApproval(anna, clock, answer());
    await expect(decideApproval(anna, clock, answer({ decision: 'Rejected' }))).rejects.toThrow(
      /^rar-rr was approved by anna at .*: that is final$/,
    );
  });

  test('ruling 126: a closed one is refused with the reason', async () => {
    const { anna, clock, system, approval } = await asked();
    const [closed] = closeApproval(await approval(), { why: 'rr is NoActionRequired: A resolved', account: 'sickbay' }, clock.now());
    const { status } = closed as { readonly status: object };
    await system.patchStatus(RemediationApprovalRequest, { namespace: NAMESPACE, name: 'rar-rr' }, { type: 'merge', body: { status } });
    await expect(decideApproval(anna, clock, answer())).rejects.toThrow(
      /^rar-rr was closed: rr is NoActionRequired: A resolved. Nothing was decided$/,
    );
  });

  test.each(['Approved', 'Rejected'] as const)('ruling 126: %s is refused once the remediation has ended', async (decision) => {
    const { anna, clock, system, approval } = await asked();
    const { apiVersion, kind, spec } = RemediationRequest.sample as Draft<RemediationRequest>;
    await system.create(RemediationRequest, { apiVersion, kind, spec, metadata: { name: 'rr', namespace: NAMESPACE } });
    const status = { overallPhase: 'Cancelled', message: 'dana cancelled it' };
    await system.patchStatus(RemediationRequest, { namespace: NAMESPACE, name: 'rr' }, { type: 'merge', body: { status } });
    await expect(decideApproval(anna, clock, answer({ decision }))).rejects.toThrow(
      'rar-rr can no longer be decided: rr is Cancelled: dana cancelled it',
    );
    expect((await approval()).status?.decision ?? '').toBe('');
  });

  test('too late is refused', async () => {
    const { anna, clock } = await asked();
    clock.jump(HOUR + MINUTE);
    await expect(decideApproval(anna, clock, answer())).rejects.toThrow(/^the deadline of rar-rr passed at /);
  });

  test('is printed for people and for programs', () => {
    const decided = { name: 'rar-rr', namespace: 'n', decision: 'Rejected', decidedBy: 'anna', plan: 'run x' } as const;
    expect(decidedText(decided, 'text')).toBe('rar-rr is rejected by anna: run x');
    expect(JSON.parse(decidedText(decided, 'json'))).toEqual(decided);
  });
});
