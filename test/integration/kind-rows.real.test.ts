/** Rows of the specification that the API itself enforces, on a real kube-apiserver. */
import { beforeAll, expect, test } from 'vitest';
import {
  EffectivenessAssessment,
  kinds,
  Namespace,
  NotificationRequest,
  RemediationApprovalRequest,
  RemediationRequest,
  WorkflowExecution,
  type Draft,
  type KindDefinition,
  type KubeObject,
} from '../../src/api/index.ts';
import { after, hasCode, MINUTE, systemClock } from '../../src/base/index.ts';
import { bearer, createClient, httpTransport, type KubeClient } from '../../src/kube/index.ts';
import { installKinds } from '../../src/kube/client/install-kinds.ts';
import { describeOnControlPlane } from '../../src/testkit/lanes.ts';

const NAMESPACE = 'kind-rows-test';
const isRefused = (error: unknown): boolean => hasCode(error, 'Invalid');

describeOnControlPlane('what the API enforces', (plane) => {
  let client: KubeClient;
  let named = 0;

  beforeAll(async () => {
    const { url, caData, token } = plane();
    client = createClient(httpTransport({ server: url, ca: caData, identity: bearer(token) }));
    await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    await installKinds(kinds, { client, clock: systemClock, until: after(systemClock.now(), MINUTE) });
  });

  const create = <T extends KubeObject>(kind: KindDefinition<T>, object: Draft<T> = kind.sample): Promise<T> =>
    client.create(kind, { ...object, metadata: { name: `object-${named++}`, namespace: NAMESPACE } });

  const statuses: readonly { id: string; kind: KindDefinition; field: string; values: readonly string[] }[] = [
    {
      id: 'RR-033',
      kind: RemediationRequest,
      field: 'overallPhase',
      values: [
        'Pending',
        'Processing',
        'Analyzing',
        'AwaitingApproval',
        'Executing',
        'Verifying',
        'Blocked',
        'Completed',
        'Failed',
        'TimedOut',
        'Skipped',
        'Cancelled',
      ],
    },
    {
      id: 'EM-012',
      kind: EffectivenessAssessment,
      field: 'phase',
      values: ['Pending', 'WaitingForPropagation', 'Stabilizing', 'Assessing', 'Completed', 'Failed'],
    },
    {
      id: 'EM-013',
      kind: EffectivenessAssessment,
      field: 'assessmentReason',
      values: ['NoExecution', 'Partial', 'Full', 'SpecDrift', 'Expired', 'MetricsTimedOut', 'AlertDecayTimeout', 'Unrecoverable'],
    },
    { id: 'CO-089', kind: RemediationApprovalRequest, field: 'decision', values: ['', 'Approved', 'Rejected', 'Expired'] },
  ];
  test.each(statuses)('[$id] status.$field of $kind.kind takes exactly its values', async ({ kind, field, values }) => {
    const write = async (value: string): Promise<unknown> => {
      const object = await create(kind);
      const written = await client.updateStatus(kind, { ...object, status: { [field]: value } } as KubeObject);
      return (written as { status?: Record<string, unknown> }).status?.[field];
    };
    for (const value of values) expect(await write(value)).toBe(value);
    for (const other of ['Other', values.at(-1)!.toLowerCase()]) await expect(write(other)).rejects.toSatisfy(isRefused);
  });

  test('[CO-124] the type of a message is one of six', async () => {
    const typed = (type: string) =>
      create(NotificationRequest, { ...NotificationRequest.sample, spec: { ...NotificationRequest.sample.spec, type: type as 'Simple' } });
    for (const type of ['Escalation', 'Simple', 'StatusUpdate', 'Approval', 'ManualReview', 'Completion'])
      expect((await typed(type)).spec.type).toBe(type);
    await expect(typed('approval_required')).rejects.toSatisfy(isRefused);
  });

  test('[WE-004] a change to the spec of a WorkflowExecution is refused, and the stored one stays', async () => {
    const stored = await create(WorkflowExecution);
    const change = { ...stored, spec: { ...stored.spec, targetResource: 'shop/Deployment/other' } };
    await expect(client.update(WorkflowExecution, change)).rejects.toSatisfy(isRefused);
    expect(await client.get(WorkflowExecution, { namespace: NAMESPACE, name: stored.metadata.name })).toEqual(stored);
  });

  test('[EM-006] [EM-011] an EffectivenessAssessment has a status of its own and a spec that stays', async () => {
    const stored = await create(EffectivenessAssessment);
    expect([stored.apiVersion, stored.metadata.namespace, stored.status]).toEqual(['kubernaut.ai/v1alpha1', NAMESPACE, undefined]);
    const written = await client.updateStatus(EffectivenessAssessment, { ...stored, status: { phase: 'Pending' } });
    expect([written.status, written.metadata.generation]).toEqual([{ phase: 'Pending' }, 1]);
    await expect(client.updateStatus(EffectivenessAssessment, { ...written, status: { phase: 'Done' as 'Completed' } })).rejects.toSatisfy(
      isRefused,
    );
    await expect(client.update(EffectivenessAssessment, { ...written, spec: { ...written.spec, signalName: 'Other' } })).rejects.toSatisfy(
      isRefused,
    );
  });

  test('[EM-007] an EffectivenessAssessment without a stabilization window is refused, as is one that is no duration', async () => {
    const { sample } = EffectivenessAssessment;
    const configured = (config: object) =>
      create(EffectivenessAssessment, { ...sample, spec: { ...sample.spec, config: config as typeof sample.spec.config } });
    await expect(configured({ alertCheckDelay: '1m' })).rejects.toSatisfy(isRefused);
    await expect(configured({ stabilizationWindow: 'soon' })).rejects.toSatisfy(isRefused);
    expect((await configured({ stabilizationWindow: '1h30m' })).spec.config.stabilizationWindow).toBe('1h30m');
  });
});
