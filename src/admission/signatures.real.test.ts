import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ValidatingAdmissionPolicy } from '../kube/builtin/index.ts';
import { kinds } from '../api/kinds.ts';
import type { Status } from '../kube/meta.ts';
import { AIAnalysis } from '../api/ai-analysis/ai-analysis.ts';
import { EffectivenessAssessment } from '../api/effectiveness-assessment/effectiveness-assessment.ts';
import { accountIn, admissionPolicies } from '../api/policies/index.ts';
import { RemediationApprovalRequest } from '../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { SignalProcessing } from '../api/signal-processing/signal-processing.ts';
import { ANNOTATIONS } from '../api/well-known.ts';
import { WorkflowExecution } from '../api/workflow-execution/workflow-execution.ts';
import { after, HOUR, MINUTE, SECOND, systemClock, toTime, type JsonObject } from '../base/index.ts';
import { createClient } from '../kube/client/api-client.ts';
import { installKinds } from '../kube/client/install-kinds.ts';
import { installPolicies, missingPolicy } from '../kube/client/install-policies.ts';
import type { ApiResponse } from '../kube/client/transport.ts';
import { describeOnOwnControlPlane } from '../testkit/lanes.ts';
import { asAdmin, asUser, ourServer, realServer, type GuardedServer } from '../apiserver/testing/guarded-servers.ts';
import { ourRights } from './index.ts';
import { rule } from '../apiserver/testing/rights-scene.ts';

/** The same writes on a real server with our policies and on ours: the same verdicts. */
const NAMESPACE = 'signatures';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const CHAT = accountIn('sickbay-system');
const POLICIES = admissionPolicies('sickbay-system');
const { cancel, cancelBy, overrideFreeze, overrideFreezeBy, requestedBy, block, blockClearedBy, blockClearReason } = ANNOTATIONS;
const LOCKS = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases`;
const pathOf = (plural: string, name = ''): string => `/apis/kubernaut.ai/v1alpha1/namespaces/${NAMESPACE}/${plural}${name && `/${name}`}`;
const now = (): string => toTime(systemClock.now());
const soon = (ms: number): string => toTime(after(systemClock.now(), ms));

type Subject = 'approval' | 'overdue' | 'execution' | 'request' | 'processing' | 'analysis' | 'assessment' | 'lock';

interface Step {
  readonly as: string;
  readonly status?: object;
  readonly annotations?: object;
}

interface Scenario {
  readonly title: string;
  readonly on: Subject;
  /** All but the last are let through. */
  readonly steps: readonly (() => Step)[];
  readonly want: 'let through' | 'refused';
}

const decision = (as: string, status: object) => (): Step => ({
  as,
  status: { decision: 'Approved', decidedBy: as, decidedAt: now(), ...status },
});
const clearance = (as: string, blockClearance: object | null) => (): Step => ({ as, status: { blockClearance } });
const clears = { clearReason: 'looked at it', clearMethod: 'StatusField', clearedAt: '2026-11-15T00:00:00Z' };
const annotate = (as: string, annotations: object) => (): Step => ({ as, annotations });
const yes = decision('anna', {});

const decisions: readonly Scenario[] = [
  { title: 'a yes with one’s own name', on: 'approval', steps: [yes], want: 'let through' },
  { title: 'a no with one’s own name', on: 'approval', steps: [decision('anna', { decision: 'Rejected' })], want: 'let through' },
  {
    title: 'a yes with a message and another workflow',
    on: 'approval',
    steps: [decision('anna', { decisionMessage: 'go', workflowOverride: { workflowName: 'x' } })],
    want: 'let through',
  },
  {
    title: 'a no with another workflow',
    on: 'approval',
    steps: [decision('anna', { decision: 'Rejected', workflowOverride: { workflowName: 'x' } })],
    want: 'refused',
  },
  { title: 'a yes in another’s name', on: 'approval', steps: [decision('mallory', { decidedBy: 'anna' })], want: 'refused' },
  {
    title: 'a no in another’s name',
    on: 'approval',
    steps: [decision('mallory', { decision: 'Rejected', decidedBy: 'anna' })],
    want: 'refused',
  },
  { title: 'a yes that claims to be passed on', on: 'approval', steps: [decision('mallory', { decidedVia: CHAT })], want: 'refused' },
  {
    title: 'an approval that its sender falsely claims to pass on',
    on: 'approval',
    steps: [decision('mallory', { decidedBy: 'anna', decidedVia: 'mallory' })],
    want: 'refused',
  },
  { title: 'a yes from long ago', on: 'approval', steps: [decision('anna', { decidedAt: '2001-01-01T00:00:00Z' })], want: 'refused' },
  { title: 'a yes from the future', on: 'approval', steps: [() => decision('anna', { decidedAt: soon(2 * HOUR) })()], want: 'refused' },
  { title: 'a yes that is no word', on: 'approval', steps: [decision('anna', { decision: 'Maybe' })], want: 'refused' },
  {
    title: 'a name without a decision',
    on: 'approval',
    steps: [() => ({ as: 'mallory', status: { decidedBy: 'anna' } })],
    want: 'refused',
  },
  {
    title: 'a moment without a decision',
    on: 'approval',
    steps: [() => ({ as: 'mallory', status: { decidedAt: now() } })],
    want: 'refused',
  },
  {
    title: 'a message without a decision',
    on: 'approval',
    steps: [() => ({ as: 'pipeline', status: { message: 'asked' } })],
    want: 'let through',
  },
  {
    title: 'a decision passed on by our account',
    on: 'approval',
    steps: [decision(CHAT, { decidedBy: 'anna', decidedVia: CHAT })],
    want: 'let through',
  },
  { title: 'a decision of our account itself', on: 'approval', steps: [decision(CHAT, {})], want: 'let through' },
  {
    title: 'a decision passed on by our account in the name of a third',
    on: 'approval',
    steps: [decision(CHAT, { decidedBy: 'anna', decidedVia: 'bert' })],
    want: 'refused',
  },
  { title: 'a second decision', on: 'approval', steps: [yes, decision('bert', { decision: 'Rejected' })], want: 'refused' },
  {
    title: 'a withdrawn decision',
    on: 'approval',
    steps: [yes, () => ({ as: 'anna', status: { decision: null, decidedBy: null, decidedAt: null } })],
    want: 'refused',
  },
  {
    title: 'another author afterwards',
    on: 'approval',
    steps: [yes, () => ({ as: 'bert', status: { decidedBy: 'bert' } })],
    want: 'refused',
  },
  {
    title: 'another moment afterwards',
    on: 'approval',
    steps: [yes, () => ({ as: 'anna', status: { decidedAt: '2026-11-15T00:00:00Z' } })],
    want: 'refused',
  },
  {
    title: 'another message afterwards',
    on: 'approval',
    steps: [yes, () => ({ as: 'anna', status: { decisionMessage: 'x' } })],
    want: 'refused',
  },
  {
    title: 'another workflow afterwards',
    on: 'approval',
    steps: [yes, () => ({ as: 'anna', status: { workflowOverride: { workflowName: 'x' } } })],
    want: 'refused',
  },
  { title: 'another way afterwards', on: 'approval', steps: [yes, () => ({ as: CHAT, status: { decidedVia: CHAT } })], want: 'refused' },
  {
    title: 'the pipeline’s own bookkeeping afterwards',
    on: 'approval',
    steps: [yes, () => ({ as: 'pipeline', status: { message: 'seen', expired: false } })],
    want: 'let through',
  },
  {
    title: 'expiry before its time, by the pipeline',
    on: 'approval',
    steps: [decision('pipeline', { decision: 'Expired' })],
    want: 'refused',
  },
  {
    title: 'ruling 126: closing before its time with the reason, by the pipeline',
    on: 'approval',
    steps: [decision('pipeline', { decision: 'Expired', decisionMessage: 'rr is Cancelled' })],
    want: 'let through',
  },
  {
    title: 'ruling 126: closing before its time, by a person',
    on: 'approval',
    steps: [decision('anna', { decision: 'Expired', decisionMessage: 'rr is Cancelled' })],
    want: 'refused',
  },
  {
    title: 'ruling 126: an approval of a closed one',
    on: 'approval',
    steps: [decision('pipeline', { decision: 'Expired', decisionMessage: 'rr is Cancelled' }), yes],
    want: 'refused',
  },
  {
    title: 'expiry in its time, by the pipeline',
    on: 'overdue',
    steps: [decision('pipeline', { decision: 'Expired' })],
    want: 'let through',
  },
  { title: 'expiry in its time, by a person', on: 'overdue', steps: [decision('anna', { decision: 'Expired' })], want: 'refused' },
  {
    title: 'expiry in its time, in the name of the system',
    on: 'overdue',
    steps: [decision('anna', { decision: 'Expired', decidedBy: 'system' })],
    want: 'refused',
  },
  { title: 'an approval after the deadline', on: 'overdue', steps: [yes], want: 'refused' },
  { title: 'a rejection after the deadline', on: 'overdue', steps: [decision('anna', { decision: 'Rejected' })], want: 'refused' },
];

const clearances: readonly Scenario[] = [
  {
    title: 'a clearance with one’s own name',
    on: 'execution',
    steps: [clearance('anna', { ...clears, clearedBy: 'anna' })],
    want: 'let through',
  },
  {
    title: 'a clearance in another’s name',
    on: 'execution',
    steps: [clearance('mallory', { ...clears, clearedBy: 'anna' })],
    want: 'refused',
  },
  {
    title: 'a second clearance, by another',
    on: 'execution',
    steps: [clearance('anna', { ...clears, clearedBy: 'anna' }), clearance('bert', { clearReason: 'me too', clearedBy: 'bert' })],
    want: 'let through',
  },
  {
    title: 'a clearance put on another',
    on: 'execution',
    steps: [clearance('anna', { ...clears, clearedBy: 'anna' }), clearance('mallory', { clearedBy: 'bert' })],
    want: 'refused',
  },
  {
    title: 'other words about a cleared run',
    on: 'execution',
    steps: [clearance('anna', { ...clears, clearedBy: 'anna' }), () => ({ as: 'pipeline', status: { duration: '1s' } })],
    want: 'let through',
  },
  {
    title: 'a clearance taken away',
    on: 'execution',
    steps: [clearance('anna', { ...clears, clearedBy: 'anna' }), clearance('bert', null)],
    want: 'let through',
  },
];

const freedByAnna = annotate('anna', { [blockClearReason]: 'looked at it', [blockClearedBy]: 'anna' });

const keptBlocks: readonly Scenario[] = [
  { title: 'a block on a lock lifted with one’s own name', on: 'lock', steps: [freedByAnna], want: 'let through' },
  {
    title: 'a block on a lock lifted in another’s name',
    on: 'lock',
    steps: [annotate('mallory', { [blockClearReason]: 'x', [blockClearedBy]: 'anna' })],
    want: 'refused',
  },
  {
    title: 'other words about a lock that was freed',
    on: 'lock',
    steps: [freedByAnna, annotate('bert', { note: 'hi' })],
    want: 'let through',
  },
  {
    title: 'another’s name under another reason',
    on: 'lock',
    steps: [freedByAnna, annotate('mallory', { [blockClearReason]: 'x', [blockClearedBy]: 'bert' })],
    want: 'refused',
  },
  {
    title: 'a withdrawn block clearance',
    on: 'lock',
    steps: [freedByAnna, annotate('bert', { [blockClearReason]: null, [blockClearedBy]: null })],
    want: 'let through',
  },
];

const overridden = annotate('anna', { [overrideFreeze]: 'cannot wait', [overrideFreezeBy]: 'anna' });
const byAnna = annotate('anna', { [cancel]: 'wrong target', [cancelBy]: 'anna' });

/** Only anna has the right to override. */
const override = (as: string, by: string | null, why: string | null = 'x') =>
  annotate(as, { [overrideFreeze]: why, [overrideFreezeBy]: by });
const overrides = (
  [
    ['an override of freezes by a person with the right', [overridden], 'let through'],
    ['an override of freezes by a person without the right', [override('mallory', 'mallory')], 'refused'],
    ['an override of freezes in another’s name', [override('anna', 'bert')], 'refused'],
    ['an override in the name of a person with the right', [override('mallory', 'anna')], 'refused'],
    ['a name without an override of freezes', [annotate('anna', { [overrideFreezeBy]: 'anna' })], 'refused'],
    ['another reason, by a person without the right', [overridden, annotate('mallory', { [overrideFreeze]: 'y' })], 'refused'],
    ['other annotations beside an override', [overridden, annotate('bert', { note: 'hi' })], 'let through'],
    ['a withdrawn override', [overridden, override('bert', null, null)], 'let through'],
  ] as const
).map(([title, steps, want]): Scenario => ({ title, on: 'request', steps, want }));

const requests: readonly Scenario[] = [
  { title: 'a cancellation with one’s own name', on: 'request', steps: [byAnna], want: 'let through' },
  {
    title: 'a cancellation in another’s name',
    on: 'request',
    steps: [annotate('mallory', { [cancel]: 'x', [cancelBy]: 'anna' })],
    want: 'refused',
  },
  { title: 'a canceller without a cancellation', on: 'request', steps: [annotate('mallory', { [cancelBy]: 'anna' })], want: 'refused' },
  { title: 'a cancellation put on another', on: 'request', steps: [byAnna, annotate('bert', { [cancelBy]: 'bert' })], want: 'refused' },
  { title: 'a cancellation without a name', on: 'request', steps: [byAnna, annotate('bert', { [cancelBy]: null })], want: 'refused' },
  {
    title: 'another reason, by another',
    on: 'request',
    steps: [byAnna, annotate('bert', { [cancel]: 'y', [cancelBy]: 'bert' })],
    want: 'let through',
  },
  {
    title: 'a withdrawn cancellation',
    on: 'request',
    steps: [byAnna, annotate('bert', { [cancel]: null, [cancelBy]: null })],
    want: 'let through',
  },
  {
    title: 'a suppression lifted with one’s own name',
    on: 'request',
    steps: [annotate('anna', { [blockClearReason]: 'fixed', [blockClearedBy]: 'anna' })],
    want: 'let through',
  },
  {
    title: 'a suppression lifted in another’s name',
    on: 'request',
    steps: [annotate('mallory', { [blockClearReason]: 'x', [blockClearedBy]: 'anna' })],
    want: 'refused',
  },
  ...overrides,
  { title: 'other annotations', on: 'request', steps: [byAnna, annotate('bert', { note: 'hi' })], want: 'let through' },
  { title: 'another requester afterwards', on: 'request', steps: [annotate('mallory', { [requestedBy]: 'bert' })], want: 'refused' },
];

const creations: readonly { title: string; as: string; annotations: object; want: Scenario['want'] }[] = [
  { title: 'with one’s own name', as: 'anna', annotations: { [requestedBy]: 'anna' }, want: 'let through' },
  { title: 'in another’s name', as: 'mallory', annotations: { [requestedBy]: 'anna' }, want: 'refused' },
  { title: 'by the pipeline, for an alert', as: 'pipeline', annotations: {}, want: 'let through' },
  { title: 'by the pipeline, in another’s name', as: 'pipeline', annotations: { [requestedBy]: 'anna' }, want: 'refused' },
  {
    title: 'cancelled from the start',
    as: 'anna',
    annotations: { [requestedBy]: 'anna', [cancel]: 'x', [cancelBy]: 'anna' },
    want: 'let through',
  },
  {
    title: 'cancelled from the start by another',
    as: 'anna',
    annotations: { [requestedBy]: 'anna', [cancel]: 'x', [cancelBy]: 'bert' },
    want: 'refused',
  },
];

/** What a person may leave out where the server fills it in. */
const incomplete: readonly Scenario[] = [
  {
    title: 'a decision without a name',
    on: 'approval',
    steps: [() => ({ as: 'anna', status: { decision: 'Approved' } })],
    want: 'refused',
  },
  { title: 'a clearance without a name', on: 'execution', steps: [clearance('anna', clears)], want: 'refused' },
  { title: 'a cancellation without a name', on: 'request', steps: [annotate('anna', { [cancel]: 'x' })], want: 'refused' },
];

const SUBJECTS = {
  approval: RemediationApprovalRequest,
  overdue: RemediationApprovalRequest,
  execution: WorkflowExecution,
  request: RemediationRequest,
  processing: SignalProcessing,
  analysis: AIAnalysis,
  assessment: EffectivenessAssessment,
} as const;

/** Forged statuses that Sickbay would act on: a phase that was never reached, a plan without an analysis, a score without an assessment. */
const driven = (['request', 'processing', 'analysis', 'assessment'] as const).flatMap((on): readonly Scenario[] => {
  const status = (as: string, written: object | null) => (): Step => ({ as, status: written as object });
  const whole = (SUBJECTS[on].sample as unknown as { status: object }).status;
  return [
    { title: `the status of a ${on}, by the pipeline`, on, steps: [status('pipeline', whole)], want: 'let through' },
    { title: `the status of a ${on}, by a person who may write it`, on, steps: [status('mallory', whole)], want: 'refused' },
    {
      title: `another word in the status of a ${on}, by such a person`,
      on,
      steps: [status('pipeline', whole), status('mallory', { observedGeneration: 7 })],
      want: 'refused',
    },
    {
      title: `the same status of a ${on}, by such a person`,
      on,
      steps: [status('pipeline', whole), status('mallory', whole)],
      want: 'let through',
    },
  ];
});

const runs: readonly Scenario[] = [
  {
    title: 'a phase of a run, by a person',
    on: 'execution',
    steps: [() => ({ as: 'mallory', status: { phase: 'Completed' } })],
    want: 'refused',
  },
  {
    title: 'a phase of a run behind one’s own clearance',
    on: 'execution',
    steps: [() => ({ as: 'mallory', status: { phase: 'Completed', blockClearance: { ...clears, clearedBy: 'mallory' } } })],
    want: 'refused',
  },
  {
    title: 'a phase of a run, by the pipeline',
    on: 'execution',
    steps: [() => ({ as: 'pipeline', status: { phase: 'Pending' } })],
    want: 'let through',
  },
];

const verdictOn = ({ code, body }: ApiResponse): string => {
  if (code < 300) return 'let through';
  const { message = '' } = body as Status;
  // 422 is the schema's own refusal. A rule that cannot be evaluated refuses everything, which proves nothing.
  const isVerdict = (code === 403 || code === 422) && !/resulted in error|failed to|compil/.test(message);
  return isVerdict ? 'refused' : `${code} ${message}`;
};

const drafts = { count: 0 };

/** A new object without a signature. */
async function prepare(server: GuardedServer, on: Subject): Promise<string> {
  if (on === 'lock') return prepareLock(server);
  const kind = SUBJECTS[on];
  const name = `${on}-${(drafts.count += 1)}`;
  const deadline = { approval: { requiredBy: soon(HOUR) }, overdue: { requiredBy: soon(-MINUTE) } };
  const spec = { ...(kind.sample as unknown as { spec: JsonObject }).spec, ...(on in deadline && deadline[on as keyof typeof deadline]) };
  const body = { apiVersion: 'kubernaut.ai/v1alpha1', kind: kind.kind, metadata: { name }, spec };
  const answer = await asUser(server, 'pipeline').request({ method: 'POST', path: pathOf(kind.plural), body });
  if (answer.code !== 201) throw new Error((answer.body as Status).message);
  return pathOf(kind.plural, name);
}

async function prepareLock(server: GuardedServer): Promise<string> {
  const metadata = {
    name: `wfe-${(drafts.count += 1)}`,
    labels: { 'kubernaut.ai/workflow-execution-uid': 'u' },
    annotations: { [block]: '{}' },
  };
  const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: { holderIdentity: 'blocked' } };
  const answer = await asUser(server, 'pipeline').request({ method: 'POST', path: LOCKS, body });
  if (answer.code !== 201) throw new Error((answer.body as Status).message);
  return `${LOCKS}/${metadata.name}`;
}

async function take(server: GuardedServer, path: string, { as, status, annotations }: Step): Promise<ApiResponse> {
  const body = status ? { status } : { metadata: { annotations } };
  const contentType = 'application/merge-patch+json';
  return asUser(server, as).request({ method: 'PATCH', path: `${path}${status ? '/status' : ''}`, body, contentType });
}

async function play(server: GuardedServer, { on, steps }: Scenario): Promise<string> {
  const path = await prepare(server, on);
  for (const step of steps.slice(0, -1)) expect(verdictOn(await take(server, path, step()))).toBe('let through');
  const last = steps.at(-1);
  return last ? verdictOn(await take(server, path, last())) : '';
}

/** Everybody may decide, ask, cancel, clear, and write every status; only the pipeline may drive. */
async function setScene(server: GuardedServer): Promise<void> {
  const admin = createClient(asAdmin(server));
  await installKinds(kinds, { client: admin, clock: systemClock, until: after(systemClock.now(), MINUTE) });
  const group = 'kubernaut.ai';
  const everybody = [
    rule(
      group,
      [...new Set(Object.values(SUBJECTS))].map(({ plural }) => `${plural}/status`),
      ['patch', 'update'],
    ),
    rule(group, ['remediationrequests'], ['create', 'patch']),
    rule('coordination.k8s.io', ['leases'], ['patch']),
  ];
  const pipeline = [
    rule(group, ['remediationrequests'], ['drive']),
    rule(group, ['*'], ['create']),
    rule('coordination.k8s.io', ['leases'], ['create']),
  ];
  const overriders = [rule(group, ['remediationrequests'], ['override-freeze'])];
  const bind = (name: string, subject: object) => ({
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', ...subject }],
  });
  const bodies: readonly (readonly [string, object])[] = [
    ['/api/v1/namespaces', { metadata: { name: NAMESPACE } }],
    [`${RBAC}/clusterroles`, { metadata: { name: 'signatures:everybody' }, rules: everybody }],
    [`${RBAC}/clusterroles`, { metadata: { name: 'signatures:pipeline' }, rules: pipeline }],
    [`${RBAC}/clusterroles`, { metadata: { name: 'signatures:overriders' }, rules: overriders }],
    [`${RBAC}/clusterrolebindings`, bind('signatures:overriders', { kind: 'User', name: 'anna' })],
    [`${RBAC}/clusterrolebindings`, bind('signatures:everybody', { kind: 'Group', name: 'system:authenticated' })],
    [`${RBAC}/clusterrolebindings`, bind('signatures:pipeline', { kind: 'User', name: 'pipeline' })],
  ];
  for (const [path, body] of bodies) {
    const answer = await asAdmin(server).request({ method: 'POST', path, body });
    if (answer.code >= 300 && answer.code !== 409) throw new Error((answer.body as Status).message);
  }
}

/** A policy is in force a moment after it was created. */
async function untilEnforced(server: GuardedServer): Promise<void> {
  const forgeries = [decisions[4], clearances[1], requests[1], keptBlocks[1], driven[1]].filter((scenario) => scenario !== undefined);
  for (const forgery of forgeries) {
    const until = after(systemClock.now(), 30 * SECOND);
    while ((await play(server, forgery)) !== 'refused') {
      if (systemClock.now() >= until) throw new Error(`${forgery.title} is not refused in time`);
      await systemClock.waitUntil(after(systemClock.now(), 200), new AbortController().signal);
    }
  }
}

describeOnOwnControlPlane('signatures', (plane) => {
  let real: GuardedServer;
  let ours: GuardedServer;

  beforeAll(async () => {
    [real, ours] = [realServer(plane()), await ourServer(ourRights([CHAT]))];
    for (const server of [real, ours]) await setScene(server);
    await installPolicies(POLICIES, createClient(asAdmin(real)));
    await untilEnforced(real);
  });

  afterAll(async () => {
    for (const server of [real, ours]) await server.close();
  });

  describe.each(['real', 'ours'] as const)('on the server that is %s', (which) => {
    const server = (): GuardedServer => (which === 'real' ? real : ours);

    test.each([...decisions, ...clearances, ...requests, ...keptBlocks, ...driven, ...runs])('$title is $want', async (scenario) =>
      expect(await play(server(), scenario)).toBe(scenario.want),
    );

    test.each(creations)('a request $title is $want', async ({ as, annotations, want }) => {
      const body = {
        apiVersion: 'kubernaut.ai/v1alpha1',
        kind: 'RemediationRequest',
        metadata: { name: `created-${(drafts.count += 1)}`, annotations },
        spec: (RemediationRequest.sample as unknown as { spec: object }).spec,
      };
      expect(verdictOn(await asUser(server(), as).request({ method: 'POST', path: pathOf('remediationrequests'), body }))).toBe(want);
    });
  });

  describe('what a policy cannot fill in and our server does', () =>
    test.each(incomplete)('$title', async (scenario) => {
      expect(await play(real, scenario)).toBe('refused');
      expect(await play(ours, scenario)).toBe('let through');
    }));

  test('says what to do', async () => {
    const path = await prepare(real, 'approval');
    const { body } = await take(real, path, { as: 'mallory', status: { decision: 'Approved', decidedBy: 'anna', decidedAt: now() } });
    expect((body as Status).message).toContain(
      'status.decidedBy must be mallory, the user who makes the request, and status.decidedVia left out',
    );
  });

  test('policies are found as they were written, and missed when they are not', async () => {
    const admin = createClient(asAdmin(real));
    expect(await missingPolicy(POLICIES, admin)).toBeUndefined();
    await installPolicies(POLICIES, admin);
    expect(await missingPolicy(admissionPolicies('elsewhere'), admin)).toBe(
      'validatingadmissionpolicies.admissionregistration.k8s.io sickbay-approvals is not as it should be',
    );
    expect(await missingPolicy(POLICIES, createClient(asUser(real, 'anna')))).toContain('sickbay-approvals may not be read');
  });

  test('have no expression that the server would not type', async () => {
    const admin = createClient(asAdmin(real));
    for (const { name } of POLICIES) {
      const { status } = (await admin.get(ValidatingAdmissionPolicy, { namespace: '', name })) as {
        status?: { typeChecking?: { expressionWarnings?: unknown } };
      };
      expect(status?.typeChecking?.expressionWarnings).toBeUndefined();
    }
  });
});
