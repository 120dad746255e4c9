import { describe, expect, test } from 'vitest';
import { crdOf } from '../api/crd-of.ts';
import type { Status } from '../kube/meta.ts';
import { RemediationApprovalRequest } from '../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../api/well-known.ts';
import { WorkflowExecution } from '../api/workflow-execution/workflow-execution.ts';
import { after, HOUR, MINUTE, parseTime, toTime, type JsonObject } from '../base/index.ts';
import type { ApiResponse } from '../kube/client/transport.ts';
import type { Stored } from '../apiserver/object.ts';
import { aGuardedApi, aUser, type GuardedApi } from '../apiserver/testing/guarded-api.ts';
import { CRDS } from '../apiserver/testing/harness.ts';
import { ourRights } from './index.ts';

const CHAT = 'system:serviceaccount:sickbay-system:sickbay';
const KINDS = [RemediationApprovalRequest, RemediationRequest, WorkflowExecution];
const pathOf = (plural: string): string => `/apis/kubernaut.ai/v1alpha1/namespaces/default/${plural}`;
const RARS = pathOf('remediationapprovalrequests');
const RRS = pathOf('remediationrequests');
const WFES = pathOf('workflowexecutions');

/** A server where everybody may write everything, so that only admission is in the way. */
async function open(): Promise<GuardedApi> {
  const guarded = aGuardedApi(ourRights([CHAT]));
  const { system, clock } = guarded;
  for (const kind of KINDS) await system.create(CRDS, crdOf(kind));
  await system.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'everybody' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'Group', name: 'system:authenticated', apiGroup: 'rbac.authorization.k8s.io' }],
  });
  const { spec } = RemediationApprovalRequest.sample as unknown as { readonly spec: object };
  const requiredBy = toTime(clock.now()).replace(/T.*/, 'T23:59:59Z');
  await system.create(RARS, { ...typed('RemediationApprovalRequest', 'rar-1'), spec: { ...spec, requiredBy } });
  return guarded;
}

const typed = (kind: string, name: string): object => ({ apiVersion: 'kubernaut.ai/v1alpha1', kind, metadata: { name } });

const statusIn = ({ code, body }: ApiResponse): JsonObject => {
  if (code >= 300) throw new Error((body as Status).message);
  return ((body as Stored).status ?? {}) as JsonObject;
};
const refusal = ({ code, body }: ApiResponse): string => (code < 300 ? 'ok' : `${code} ${(body as Status).message}`);

describe('a decision', () => {
  const decide = (guarded: GuardedApi, user: string, status: object): Promise<ApiResponse> =>
    guarded.as(user).merge(`${RARS}/rar-1/status`, { status });

  test('carries the name of who made it and the time, even where the sender states neither', async () => {
    const guarded = await open();
    const status = statusIn(await decide(guarded, 'anna', { decision: 'Approved' }));
    expect(status).toMatchObject({ decision: 'Approved', decidedBy: 'anna', decidedAt: toTime(guarded.clock.now()) });
    expect(status.decidedVia).toBeUndefined();
  });

  test('may say what is true', async () => {
    const guarded = await open();
    const said = { decision: 'Rejected', decidedBy: 'anna', decidedVia: '', decidedAt: toTime(after(guarded.clock.now(), -MINUTE)) };
    expect(statusIn(await decide(guarded, 'anna', said))).toMatchObject({ decidedBy: 'anna', decidedAt: toTime(guarded.clock.now()) });
  });

  test.each([
    ['another name', { decidedBy: 'boss' }, 'status.decidedBy is boss, but anna sends this request: leave the field out'],
    ['another way', { decidedVia: 'chat' }, 'status.decidedVia is chat, but anna sends this request: leave the field out'],
    ['another time', { decidedAt: '2001-01-01T00:00:00Z' }, 'status.decidedAt is 2001-01-01T00:00:00Z, but the time is'],
  ])('that says %s is refused with what to do', async (_title, claim, why) => {
    expect(refusal(await decide(await open(), 'anna', { decision: 'Approved', ...claim }))).toContain(why);
  });

  test('that is passed on names the service that passes it on, and no other client may use that name', async () => {
    const claim = { decision: 'Approved', decidedBy: 'anna', decidedVia: 'chat' };
    expect(refusal(await decide(await open(), CHAT, claim))).toContain(`status.decidedVia is chat, but ${CHAT} sends this request`);
  });

  test.each(['Approved', 'Rejected'])('after the deadline is refused: %s', async (decision) => {
    const guarded = await open();
    guarded.clock.jump(24 * HOUR);
    expect(refusal(await decide(guarded, 'anna', { decision }))).toMatch(/^403 .*the request expired at .*T23:59:59Z/);
  });

  test('is made through the status only', async () => {
    const guarded = await open();
    await guarded.as('anna').merge(`${RARS}/rar-1`, { status: { decision: 'Approved' } });
    const created = {
      ...typed('RemediationApprovalRequest', 'rar-2'),
      ...specOf(await guarded.system.get(`${RARS}/rar-1`)),
      status: { decision: 'Approved', decidedBy: 'x' },
    };
    await guarded.as('anna').call('POST', RARS, created);
    for (const name of ['rar-1', 'rar-2']) expect(statusIn(await guarded.system.get(`${RARS}/${name}`)).decision ?? '').toBe('');
  });

  test('cannot be prepared in another’s name', async () => {
    const guarded = await open();
    for (const claim of [{ decidedBy: 'boss' }, { decidedAt: '2001-01-01T00:00:00Z' }, { decidedVia: 'chat' }])
      expect(refusal(await decide(guarded, 'mallory', { ...claim, message: 'hi' }))).toMatch(/^403 .*set together with status.decision/);
    expect(statusIn(await decide(guarded, 'anna', { decision: 'Rejected' })).decidedBy).toBe('anna');
  });

  test.each([
    ['its outcome', { decision: 'Rejected' }],
    ['its author', { decidedBy: 'bert' }],
    ['its moment', { decidedAt: '2001-01-01T00:00:00Z' }],
    ['what was said', { decisionMessage: 'no' }],
    ['what runs', { workflowOverride: { workflowName: 'other' } }],
    ['that it was made', { decision: null, decidedBy: null }],
    ['that it was not passed on', { decidedVia: 'chat' }],
  ])('is final: %s cannot change', async (_title, change) => {
    const guarded = await open();
    await decide(guarded, 'anna', { decision: 'Approved', decisionMessage: 'go' });
    for (const user of ['anna', 'bert', CHAT])
      expect(refusal(await decide(guarded, user, change))).toMatch(/^403 .*approved by anna.*final/);
  });

  test('leaves the rest of the status to controllers', async () => {
    const guarded = await open();
    await decide(guarded, 'anna', { decision: 'Approved' });
    expect(statusIn(await decide(guarded, 'robot', { message: 'seen', decision: 'Approved' }))).toMatchObject({
      message: 'seen',
      decidedBy: 'anna',
    });
  });

  test('is passed on by an account that is trusted to, which signs it as well', async () => {
    const guarded = await open();
    expect(statusIn(await decide(guarded, CHAT, { decision: 'Approved', decidedBy: 'anna' }))).toMatchObject({
      decidedBy: 'anna',
      decidedVia: CHAT,
    });
  });

  test('of the account itself is its own', async () => {
    const guarded = await open();
    const status = statusIn(await decide(guarded, CHAT, { decision: 'Approved' }));
    expect(status.decidedBy).toBe(CHAT);
    expect(status.decidedVia).toBeUndefined();
  });

  test('that time ran out is not made before it did', async () => {
    const guarded = await open();
    expect(refusal(await decide(guarded, 'robot', { decision: 'Expired' }))).toMatch(/^403 .*only Sickbay sets Expired/);
    guarded.clock.jump(24 * HOUR);
    expect(statusIn(await decide(guarded, 'robot', { decision: 'Expired' }))).toMatchObject({ decision: 'Expired', decidedBy: 'robot' });
  });

  test('ruling 126: is refused with the reason once Sickbay has closed the request, which only Sickbay does', async () => {
    const guarded = await open();
    const closed = { decision: 'Expired', decisionMessage: 'rr is NoActionRequired: the alert resolved' };
    expect(statusIn(await decide(guarded, 'robot', closed))).toMatchObject({ ...closed, decidedBy: 'robot' });
    expect(refusal(await decide(guarded, 'anna', { decision: 'Approved' }))).toMatch(
      /^403 .*it was closed, because rr is NoActionRequired: the alert resolved: it can no longer be decided/,
    );
  });

  test('by this process itself stays as it is written', async () => {
    const { system } = await open();
    const status = { decision: 'Expired', decidedBy: 'system', decidedAt: '2026-11-15T00:00:00Z', expired: true };
    expect(statusIn(await system.merge(`${RARS}/rar-1/status`, { status }))).toEqual(status);
  });

  test('needs the right to the status', async () => {
    const guarded = await open();
    await guarded.system.remove('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/everybody');
    expect((await decide(guarded, 'anna', { decision: 'Approved' })).code).toBe(403);
    await guarded.system.create('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
      metadata: { name: 'approvers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'sickbay:approve' },
      subjects: [{ kind: 'Group', name: 'approvers', apiGroup: 'rbac.authorization.k8s.io' }],
    });
    const approver = guarded.as(aUser('anna', ['approvers']));
    expect((await approver.merge(`${RARS}/rar-1/status`, { status: { decision: 'Approved' } })).code).toBe(200);
    expect((await approver.merge(`${RARS}/rar-1`, { metadata: { labels: { a: 'b' } } })).code).toBe(403);
    await guarded.system.create(RARS, {
      ...typed('RemediationApprovalRequest', 'rar-2'),
      ...specOf(await guarded.system.get(`${RARS}/rar-1`)),
    });
    const closing = await approver.merge(`${RARS}/rar-2/status`, { status: { decision: 'Expired', decisionMessage: 'rr ended' } });
    expect(refusal(closing)).toMatch(/^403 .*only Sickbay sets Expired/);
    guarded.clock.jump(24 * HOUR);
    const expiry = await approver.merge(`${RARS}/rar-2/status`, { status: { decision: 'Expired' } });
    expect(refusal(expiry)).toMatch(/^403 .*only Sickbay sets Expired/);
  });
});

const specOf = ({ body }: ApiResponse): object => ({ spec: (body as Stored).spec });

describe('an override of change freezes', () => {
  const { overrideFreeze, overrideFreezeBy } = ANNOTATIONS;
  const { spec } = RemediationRequest.sample as unknown as { readonly spec: object };

  /** Only anna has the right to override; all may patch. */
  async function scene(): Promise<GuardedApi> {
    const guarded = aGuardedApi(ourRights([CHAT]));
    const { system } = guarded;
    for (const kind of KINDS) await system.create(CRDS, crdOf(kind));
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const roles = [
      { name: 'patchers', verbs: ['patch', 'get'], subject: { kind: 'Group', name: 'system:authenticated' } },
      { name: 'overriders', verbs: ['override-freeze'], subject: { kind: 'User', name: 'anna' } },
    ];
    for (const { name, verbs, subject } of roles) {
      const rules = [{ apiGroups: ['kubernaut.ai'], resources: ['remediationrequests'], verbs }];
      await system.create(`${rbac}/clusterroles`, { metadata: { name }, rules });
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
      const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', ...subject }];
      await system.create(`${rbac}/clusterrolebindings`, { metadata: { name }, roleRef, subjects });
    }
    await system.create(RRS, { ...typed('RemediationRequest', 'rr-1'), spec });
    return guarded;
  }

  const annotate = (guarded: GuardedApi, user: string, annotations: object): Promise<ApiResponse> =>
    guarded.as(user).merge(`${RRS}/rr-1`, { metadata: { annotations } });

  test('is signed with the name of who has the right', async () => {
    const answer = await annotate(await scene(), 'anna', { [overrideFreeze]: 'cannot wait' });
    expect((answer.body as Stored).metadata.annotations).toMatchObject({ [overrideFreeze]: 'cannot wait', [overrideFreezeBy]: 'anna' });
  });

  test('is refused without the right, in any name', async () => {
    const guarded = await scene();
    for (const by of [{}, { [overrideFreezeBy]: 'mallory' }, { [overrideFreezeBy]: 'anna' }])
      expect(refusal(await annotate(guarded, 'mallory', { [overrideFreeze]: 'x', ...by }))).toMatch(
        /^403 .*mallory may not override change freezes: that takes the right to override-freeze remediationrequests\.kubernaut\.ai/,
      );
  });

  test('in the name of another is refused', async () => {
    const guarded = await scene();
    expect(refusal(await annotate(guarded, 'anna', { [overrideFreeze]: 'x', [overrideFreezeBy]: 'bert' }))).toMatch(/^403 .*leave it out/);
    expect(refusal(await annotate(guarded, 'anna', { [overrideFreezeBy]: 'anna' }))).toMatch(/^403 .*only set together with/);
  });

  test('can be withdrawn, and its name with it', async () => {
    const guarded = await scene();
    await annotate(guarded, 'anna', { [overrideFreeze]: 'x' });
    const answer = await annotate(guarded, 'bert', { [overrideFreeze]: null });
    expect((answer.body as Stored).metadata.annotations).not.toHaveProperty([overrideFreezeBy]);
  });
});

describe('cancelling a request', () => {
  const { cancel, cancelBy } = ANNOTATIONS;
  const { spec } = RemediationRequest.sample as unknown as { readonly spec: object };
  const created = async (annotations: object = {}): Promise<GuardedApi> => {
    const guarded = await open();
    await guarded.system.create(RRS, {
      apiVersion: 'kubernaut.ai/v1alpha1',
      kind: 'RemediationRequest',
      metadata: { name: 'rr-1', annotations },
      spec,
    });
    return guarded;
  };
  const annotate = (guarded: GuardedApi, user: string, annotations: object): Promise<ApiResponse> =>
    guarded.as(user).merge(`${RRS}/rr-1`, { metadata: { annotations } });
  const notes = ({ code, body }: ApiResponse): unknown =>
    code < 300 ? ((body as Stored).metadata.annotations ?? {}) : refusal({ code, body });

  test('is signed with the name of who does it', async () => {
    expect(notes(await annotate(await created(), 'anna', { [cancel]: 'wrong target' }))).toEqual({
      [cancel]: 'wrong target',
      [cancelBy]: 'anna',
    });
  });

  test('may carry one’s own name', async () => {
    expect(notes(await annotate(await created(), 'anna', { [cancel]: 'x', [cancelBy]: 'anna' }))).toEqual({
      [cancel]: 'x',
      [cancelBy]: 'anna',
    });
  });

  test('in the name of another is refused with what to do', async () => {
    expect(notes(await annotate(await created(), 'mallory', { [cancel]: 'x', [cancelBy]: 'anna' }))).toMatch(
      /^403 .*cancel-by is anna, but mallory sends this request: leave it out/,
    );
  });

  test('by another person for another reason is theirs', async () => {
    const guarded = await created({ [cancel]: 'x', [cancelBy]: 'anna' });
    expect(notes(await annotate(guarded, 'bert', { [cancel]: 'y' }))).toEqual({ [cancel]: 'y', [cancelBy]: 'bert' });
  });

  test('is not put on another afterwards', async () => {
    const guarded = await created({ [cancel]: 'x', [cancelBy]: 'anna' });
    for (const name of ['bert', null])
      expect(notes(await annotate(guarded, 'bert', { [cancelBy]: name }))).toMatch(/^403 .*cancelled by anna/);
  });

  test('is withdrawn together with its name', async () => {
    const guarded = await created({ [cancel]: 'x', [cancelBy]: 'anna' });
    expect(notes(await annotate(guarded, 'bert', { [cancel]: null }))).toEqual({});
  });

  test('a name alone is refused', async () => {
    expect(notes(await annotate(await created(), 'bert', { [cancelBy]: 'anna' }))).toMatch(/^403 .*names who cancelled/);
  });

  test('from the start is signed as well', async () => {
    const guarded = await open();
    const object = {
      apiVersion: 'kubernaut.ai/v1alpha1',
      kind: 'RemediationRequest',
      metadata: { name: 'rr-2', annotations: { [cancel]: 'x' } },
      spec,
    };
    expect(notes(await guarded.as('anna').call('POST', RRS, object))).toMatchObject({ [cancel]: 'x', [cancelBy]: 'anna' });
  });

  test('changes of other annotations are not checked', async () => {
    const guarded = await created({ [cancel]: 'x', [cancelBy]: 'anna' });
    expect(notes(await annotate(guarded, 'bert', { note: 'hi' }))).toEqual({ [cancel]: 'x', [cancelBy]: 'anna', note: 'hi' });
  });
});

describe('asking for a remediation', () => {
  const { requestedBy } = ANNOTATIONS;
  const { spec } = RemediationRequest.sample as unknown as { readonly spec: object };
  const ask = (guarded: GuardedApi, user: string, annotations?: object): Promise<ApiResponse> =>
    guarded.as(user).call('POST', RRS, {
      apiVersion: 'kubernaut.ai/v1alpha1',
      kind: 'RemediationRequest',
      metadata: { name: 'rr-1', ...(annotations && { annotations }) },
      spec,
    });
  const signature = ({ code, body }: ApiResponse): unknown =>
    code < 300 ? (body as Stored).metadata.annotations?.[requestedBy] : refusal({ code, body });

  test('is signed with the name of who does it', async () => {
    expect(signature(await ask(await open(), 'anna'))).toBe('anna');
    expect(signature(await ask(await open(), 'anna', { [requestedBy]: 'anna' }))).toBe('anna');
  });

  test('in the name of another is refused', async () =>
    expect(signature(await ask(await open(), 'anna', { [requestedBy]: 'bert' }))).toMatch(
      /^403 .*is bert, but anna sends this request: leave it out/,
    ));

  test.each([['bert'], [null]])('stays signed: %s', async (name) => {
    const guarded = await open();
    await ask(guarded, 'anna');
    const changed = await guarded.as('anna').merge(`${RRS}/rr-1`, { metadata: { annotations: { [requestedBy]: name } } });
    expect(signature(changed)).toMatch(/^403 .*requested-by cannot change/);
  });

  test('by this process itself is not signed', async () => {
    const { system } = await open();
    const created = await system.create(RRS, {
      apiVersion: 'kubernaut.ai/v1alpha1',
      kind: 'RemediationRequest',
      metadata: { name: 'rr-1' },
      spec,
    });
    expect((created as unknown as Stored).metadata.annotations).toBeUndefined();
  });
});

describe('lifting a block that a lock keeps', () => {
  const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
  const { block, blockClearedBy, blockClearReason, blockClearedAt } = ANNOTATIONS;
  const created = async (): Promise<GuardedApi> => {
    const guarded = await open();
    const metadata = { name: 'wfe-1', labels: { 'kubernaut.ai/workflow-execution-uid': 'u' }, annotations: { [block]: '{}' } };
    await guarded.system.create(LEASES, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: {} });
    return guarded;
  };
  const annotate = (guarded: GuardedApi, user: string, annotations: object): Promise<ApiResponse> =>
    guarded.as(user).merge(`${LEASES}/wfe-1`, { metadata: { annotations } });
  const annotationsIn = ({ body }: ApiResponse) => (body as Stored).metadata.annotations ?? {};

  test('is signed with the name of who does it and the moment', async () => {
    const guarded = await created();
    const answer = await annotate(guarded, 'anna', { [blockClearReason]: 'looked at it' });
    expect(annotationsIn(answer)).toMatchObject({ [blockClearedBy]: 'anna', [blockClearedAt]: toTime(guarded.clock.now()) });
  });

  test.each([{ [blockClearedBy]: 'anna', [blockClearReason]: 'x' }, { [blockClearedBy]: 'anna' }])(
    'in the name of another is refused: %j',
    async (forged) => {
      expect(refusal(await annotate(await created(), 'mallory', forged))).toMatch(/^403 .*is anna, but mallory sends this request/);
    },
  );

  test('other words on the lock leave the name', async () => {
    const guarded = await created();
    await annotate(guarded, 'anna', { [blockClearReason]: 'looked at it' });
    expect(annotationsIn(await annotate(guarded, 'bert', { note: 'hi' }))).toMatchObject({ [blockClearedBy]: 'anna', note: 'hi' });
  });

  test('can be withdrawn', async () => {
    const guarded = await created();
    await annotate(guarded, 'anna', { [blockClearReason]: 'looked at it' });
    const answer = await annotate(guarded, 'bert', { [blockClearReason]: null, [blockClearedBy]: null });
    expect(annotationsIn(answer)[blockClearedBy]).toBeUndefined();
  });
});

describe('lifting the suppression of a request', () => {
  const { blockClearedBy, blockClearReason, blockClearedAt } = ANNOTATIONS;
  const { spec } = RemediationRequest.sample as unknown as { readonly spec: object };
  const lift = async (user: string, annotations: object): Promise<[ApiResponse, GuardedApi]> => {
    const guarded = await open();
    const request = { apiVersion: 'kubernaut.ai/v1alpha1', kind: 'RemediationRequest', metadata: { name: 'rr-1' }, spec };
    await guarded.system.create(RRS, request);
    return [await guarded.as(user).merge(`${RRS}/rr-1`, { metadata: { annotations } }), guarded];
  };

  test('is signed with the name of who does it and the moment', async () => {
    const [{ body }, guarded] = await lift('anna', { [blockClearReason]: 'fixed the Secret' });
    const want = { [blockClearedBy]: 'anna', [blockClearedAt]: toTime(guarded.clock.now()) };
    expect((body as Stored).metadata.annotations).toMatchObject(want);
  });

  test('in the name of another is refused', async () => {
    const [answer] = await lift('mallory', { [blockClearedBy]: 'anna', [blockClearReason]: 'x' });
    expect(refusal(answer)).toMatch(/^403 .*is anna, but mallory sends this request/);
  });
});

describe('lifting a block', () => {
  const { spec } = WorkflowExecution.sample as unknown as { readonly spec: object };
  const created = async (): Promise<GuardedApi> => {
    const guarded = await open();
    await guarded.system.create(WFES, { apiVersion: 'kubernaut.ai/v1alpha1', kind: 'WorkflowExecution', metadata: { name: 'we-1' }, spec });
    return guarded;
  };
  const clear = (guarded: GuardedApi, user: string, blockClearance: object | null): Promise<ApiResponse> =>
    guarded.as(user).merge(`${WFES}/we-1/status`, { status: { blockClearance } });
  const why = { clearReason: 'looked at it', clearMethod: 'StatusField' };

  test('is signed with the name of who does it and the moment', async () => {
    const guarded = await created();
    const { blockClearance } = statusIn(await clear(guarded, 'anna', { ...why, clearedAt: '2001-01-01T00:00:00Z' }));
    expect(blockClearance).toEqual({ ...why, clearedBy: 'anna', clearedAt: toTime(guarded.clock.now()) });
    expect(parseTime((blockClearance as { clearedAt: string }).clearedAt)).toBeDefined();
  });

  test('in the name of another is refused', async () => {
    expect(refusal(await clear(await created(), 'mallory', { ...why, clearedBy: 'anna' }))).toMatch(
      /^403 .*clearedBy is anna, but mallory sends this request/,
    );
  });

  test('again, by another, is theirs', async () => {
    const guarded = await created();
    await clear(guarded, 'anna', why);
    expect(statusIn(await clear(guarded, 'bert', { clearReason: 'me too' })).blockClearance).toMatchObject({
      clearedBy: 'bert',
      clearReason: 'me too',
    });
  });

  test('is not touched by other changes of the status, nor by taking it away', async () => {
    const guarded = await created();
    await clear(guarded, 'anna', why);
    const answer = await guarded.as('robot').merge(`${WFES}/we-1/status`, { status: { duration: '1s' } });
    expect(statusIn(answer).blockClearance).toMatchObject({ clearedBy: 'anna' });
    expect(statusIn(await clear(guarded, 'bert', null)).blockClearance).toBeUndefined();
  });
});
