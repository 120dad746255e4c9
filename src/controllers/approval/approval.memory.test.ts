import { describe, expect, test } from 'vitest';
import type { Draft } from '../../api/meta.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { after, MINUTE, SECOND, toTime } from '../../base/index.ts';
import { isTrue } from '../../kube/objects/conditions.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { forbid, Stage } from '../testing/stage.ts';
import { createApprovalController } from './index.ts';
import { anApproval, NAMESPACE } from './testing/builders.ts';

const ACCOUNT = 'system:serviceaccount:sickbay-system:sickbay';
const key = { namespace: NAMESPACE, name: 'rar-rr' };

/** A server on which a person was just asked, for a quarter of an hour. */
async function asked() {
  const stage = await Stage.start({
    kinds: [RemediationApprovalRequest],
    controllers: [createApprovalController(() => DEFAULT_SETTINGS, ACCOUNT)],
  });
  const writes: string[] = [];
  stage.intercept = (request) => {
    if (request.method !== 'GET') writes.push(request.path);
    return undefined;
  };
  const { spec, apiVersion, kind, metadata } = anApproval();
  const { name, ownerReferences = [] } = metadata;
  const requiredBy = toTime(after(stage.clock.now(), 15 * MINUTE));
  await stage.admin.create(RemediationApprovalRequest, {
    apiVersion,
    kind,
    metadata: { name, namespace: NAMESPACE, ownerReferences },
    spec: { ...spec, requiredBy },
  } as Draft<RemediationApprovalRequest>);
  await stage.settle();
  const status = async () => (await stage.admin.get(RemediationApprovalRequest, key)).status ?? {};
  const decide = (body: object) => stage.admin.patchStatus(RemediationApprovalRequest, key, { type: 'merge', body: { status: body } });
  return { stage, writes, status, decide };
}

describe('a request for approval on a server', () => {
  test('[CO-093] expires without a decision, in two writes in all', async () => {
    const { stage, writes, status } = await asked();
    expect(isTrue((await status()).conditions, 'ApprovalPending')).toBe(true);
    await stage.advance(15 * MINUTE - SECOND);
    expect((await status()).decision ?? '').toBe('');
    expect(writes).toHaveLength(1);
    await stage.advance(SECOND);
    expect(await status()).toMatchObject({ decision: 'Expired', decidedBy: ACCOUNT, expired: true, reason: 'Expired' });
    await stage.advance(60 * MINUTE);
    expect(writes).toHaveLength(2);
    expect(stage.troubles).toEqual([]);
    await stage.end();
  });

  test('shows what a person decided, and leaves it as it is', async () => {
    const { stage, writes, status, decide } = await asked();
    const answer = { decision: 'Approved', decidedBy: 'anna', decidedAt: toTime(stage.clock.now()), decisionMessage: 'go' };
    await decide(answer);
    await stage.settle();
    await stage.advance(60 * MINUTE);
    expect(await status()).toMatchObject({ ...answer, reason: 'Approved', message: 'approved by anna' });
    expect(writes).toHaveLength(2);
    await stage.end();
  });

  test('does not expire while the server cannot be read', async () => {
    const { stage, status } = await asked();
    // The watch goes on; it is the question at the deadline that is not answered.
    stage.intercept = (request) => (request.method === 'GET' ? forbid(/rar-rr$/)(request) : undefined);
    await stage.advance(16 * MINUTE);
    expect((await status()).decision ?? '').toBe('');
    stage.intercept = () => undefined;
    await stage.advance(MINUTE);
    expect((await status()).decision).toBe('Expired');
    await stage.end();
  });
});
