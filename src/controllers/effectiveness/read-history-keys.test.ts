import { describe, expect, test } from 'vitest';
import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { MINUTE } from '../../base/index.ts';
import type { Read, Reader } from '../../runtime/reconcile/controller.ts';
import { createRemediationHistory, memoryAuditLog, type RemediationHistory } from '../../store/index.ts';
import { aRemediation } from '../../store/testing/a-remediation.ts';
import { assessmentEventsOf } from '../narration/audit/assessment-audit-events.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { fingerprint } from '../target/index.ts';
import { decide } from './decide.ts';
import { observe } from './observe.ts';
import { aDeployment, anAssessment, aPod, at, UNREADABLE } from './testing/builders.ts';

type Objects = Readonly<Record<string, Read<KubeObject>>>;

const found = <T extends KubeObject>(value: T): Read<T> => ({ kind: 'value', value });
const ownedBy = <T extends KubeObject>(object: T, kind: string, name: string): T => {
  const ownerReferences = [{ apiVersion: 'apps/v1', kind, name, uid: `${name}-uid`, controller: true }];
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
};
const set = { ...ownedBy(aDeployment(), 'Deployment', 'checkout'), kind: 'ReplicaSet' };
const CLUSTER: Objects = {
  Deployment: found(aDeployment()),
  ReplicaSet: found({ ...set, metadata: { ...set.metadata, name: 'checkout-1', uid: 'checkout-1-uid' } }),
  Pod: found(ownedBy(aPod('checkout-1-x'), 'ReplicaSet', 'checkout-1')),
};

/** One look at an assessment, six minutes after the run: what was asked of the server, and what is on the status then. */
async function look(object: EffectivenessAssessment, objects: Objects = CLUSTER, history?: RemediationHistory) {
  const asked: string[] = [];
  const reader = {
    get: () => found(object),
    fetch: ({ kind }: Resource, { name }: ObjectKey) => (
      asked.push(`${kind} ${name}`),
      Promise.resolve(objects[kind] ?? { kind: 'absent' })
    ),
    fetchList: () => Promise.resolve({ kind: 'value', value: [aPod('p')] }),
  } as unknown as Reader;
  const now = at(6 * MINUTE);
  const seen = await observe({ namespace: 'sickbay-system', name: 'ea-rr' }, reader, {
    now,
    settings: DEFAULT_SETTINGS,
    monitoring: {},
    history,
  });
  const status = (seen && decide(seen, now).status) as NonNullable<EffectivenessAssessment['status']>;
  return { asked, status, events: assessmentEventsOf({ ...object, status }) };
}

const assessing = (spec: Partial<EffectivenessAssessment['spec']> = {}): EffectivenessAssessment =>
  ownedBy(anAssessment({ phase: 'Assessing' }, spec), 'RemediationRequest', 'rr');

const recorded = async (uid = 'rr-uid'): Promise<RemediationHistory> => {
  const log = memoryAuditLog();
  await log.append(aRemediation({ name: 'rr', uid, hashes: { pre: `sha256:${'4'.repeat(64)}` } }));
  return createRemediationHistory(log);
};

const hashEvent = ({ events }: Awaited<ReturnType<typeof look>>) => events.find(({ type }) => type === 'effectiveness.hash.computed');

describe('the hash from before', () => {
  test('[EM-172] is asked from the store by correlation id where the order does not say it', async () => {
    const looked = await look(assessing(), CLUSTER, await recorded());
    expect(looked.status.components?.preRemediationSpecHash).toBe(`sha256:${'4'.repeat(64)}`);
    expect(hashEvent(looked)?.data).toMatchObject({ pre: `sha256:${'4'.repeat(64)}`, match: false });
  });

  test('[EM-172] is not asked for where the order says it', async () => {
    const pre = `sha256:${'5'.repeat(64)}`;
    const looked = await look(assessing({ preRemediationSpecHash: pre }), CLUSTER, await recorded());
    expect(looked.status.components).not.toHaveProperty('preRemediationSpecHash');
    expect(hashEvent(looked)?.data).toMatchObject({ pre });
  });

  test('is not that of an earlier request of the same name', async () =>
    expect((await look(assessing(), CLUSTER, await recorded('another'))).status.components).not.toHaveProperty('preRemediationSpecHash'));

  test.each<[string, RemediationHistory | undefined]>([
    ['no store is configured', undefined],
    ['the store has none', createRemediationHistory(memoryAuditLog())],
    ['the store is down', createRemediationHistory({ ...memoryAuditLog(), find: () => Promise.reject(new Error('the disk is gone')) })],
  ])('stays unknown where %s, and nothing waits for it', async (_, history) => {
    const looked = await look(assessing(), CLUSTER, history);
    expect(looked.status).toMatchObject({ phase: 'Completed', assessmentReason: 'Full' });
    expect(hashEvent(looked)?.data).not.toHaveProperty('match');
  });
});

describe('what manages the target', () => {
  const POD = { remediationTarget: { kind: 'Pod', name: 'checkout-1-x', namespace: 'shop', apiVersion: 'v1' } };

  test('[EM-252] is recorded with its own hash, beside that of the target', async () => {
    const looked = await look(assessing(POD));
    const rootSpecHash = fingerprint(aDeployment()).specHash;
    expect(looked.status.components).toMatchObject({ rootOwner: 'shop/Deployment/checkout', rootSpecHash });
    expect(looked.status.components?.postRemediationSpecHash).not.toBe(rootSpecHash);
    expect(hashEvent(looked)?.data).toMatchObject({ root: 'shop/Deployment/checkout', rootPost: rootSpecHash });
  });

  test('costs nothing where it is the target', async () => {
    const { asked, status } = await look(assessing());
    expect(asked).toEqual(['Deployment checkout']);
    expect(status.components).not.toHaveProperty('rootOwner');
  });

  test.each(['ReplicaSet', 'Deployment'])('stays unknown where its %s cannot be read, and nothing waits for it', async (kind) => {
    const { status } = await look(assessing(POD), { ...CLUSTER, [kind]: UNREADABLE });
    expect(status).toMatchObject({ phase: 'Completed', assessmentReason: 'Full' });
    expect(status.components).not.toHaveProperty('rootSpecHash');
  });
});
