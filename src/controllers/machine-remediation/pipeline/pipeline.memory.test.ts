import { afterEach, describe, expect, test } from 'vitest';
import { Event, Node } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { PipelineRemediation } from '../../../api/pipeline-remediation/pipeline-remediation.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { after, MINUTE, SECOND, silent, toTime } from '../../../base/index.ts';
import { createGateway } from '../../../gateway/index.ts';
import { childNames } from '../../child-names.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { health, KEY, MachineStage, NODE_KEY, pipeline } from './testing/machine-stage.ts';

let the: MachineStage;
afterEach(async () => {
  expect(the.stage.troubles).toEqual([]);
  await the.stage.end();
});

/** Says of the Node what the workflow of a request does when it drains it. */
async function drainedBy(request: string): Promise<void> {
  const record = {
    workflow: 'drain-node',
    execution: childNames(request).execution,
    did: 'cordoned',
    undo: { workflow: 'uncordon-node', parameters: {} },
  };
  const body = { metadata: { annotations: { [ANNOTATIONS.undo]: JSON.stringify(record) } }, spec: { unschedulable: true } };
  await the.stage.admin.patch(Node, NODE_KEY, { type: 'merge', body });
}

const nameOfFirst = async (): Promise<string> => (await the.remediations())[0]?.metadata.name ?? '';

describe('an unhealthy Machine', () => {
  test('[MH-110] [MH-108] is handed to the pipeline as soon as the request exists, and Events report it', async () => {
    the = await MachineStage.start();
    await the.fail();
    const [remediation] = await the.remediations();
    expect(remediation?.spec).toMatchObject({ signalName: 'MachineUnhealthy', targetResource: { kind: 'Node', name: 'worker-0' } });
    const request = await the.request();
    expect(request?.metadata.finalizers).toEqual(['remediation.sickbay.dev']);
    expect(request?.status).toMatchObject({ phase: 'Requested', remediationRequestRef: { uid: remediation?.metadata.uid } });
    expect(the.stage.told).toEqual(expect.arrayContaining(['MachineMarkedUnhealthy', 'Accepted', 'Requested']));
  });

  test('[MH-111] is worked on until the request is withdrawn, by one remediation after the other', async () => {
    the = await MachineStage.start();
    await the.fail();
    const { uid } = (await the.request())!.metadata;
    for (let nth = 1; nth <= 3; nth++) {
      const open = (await the.remediations()).filter(({ status }) => status?.completedAt === undefined);
      expect(open).toHaveLength(1);
      await the.set(open[0]!.metadata.name, { overallPhase: 'Failed', completedAt: toTime(the.stage.clock.now()) });
      expect((await the.request())?.status).toMatchObject({ phase: 'Failed', retryCount: nth - 1 });
      await the.stage.advance(2 ** (nth - 1) * MINUTE);
    }
    expect(await the.remediations()).toHaveLength(4);
    expect((await the.request())?.metadata.uid).toBe(uid);
    expect(the.stage.told).toContain('DidNotHelp');
  });

  test('is worked on no further while its check is paused, and is released after that', async () => {
    the = await MachineStage.start();
    const pause = (value: '' | null) =>
      the.stage.admin.patch(
        MachineHealthCheck,
        { ...KEY, name: 'workers' },
        { type: 'merge', body: { metadata: { annotations: { [ANNOTATIONS.paused]: value } } } },
      );
    await the.fail();
    await pause('');
    await the.turn('True');
    await the.set(await nameOfFirst(), { overallPhase: 'Failed', completedAt: toTime(the.stage.clock.now()) });
    await the.stage.advance(120 * MINUTE);
    expect(await the.remediations()).toHaveLength(1);
    const message = 'MachineHealthCheck workers is paused: the health of the Machine is not evaluated, so no remediation starts';
    expect((await the.request())?.status?.conditions).toMatchObject([{ reason: 'Paused', message }]);
    await pause(null);
    await the.stage.advance(2 * MINUTE);
    expect([await the.request(), (await the.remediations()).length]).toEqual([undefined, 1]);
  });

  test('[MH-106] is not judged by what the request says', async () => {
    the = await MachineStage.start();
    await the.fail();
    const before = (await the.check()).status;
    for (const phase of ['Succeeded', 'Failed'] as const)
      await the.stage.admin.patchStatus(PipelineRemediation, KEY, { type: 'merge', body: { status: { phase, outcome: 'Remediated' } } });
    await the.stage.advance(SECOND);
    expect((await the.check()).status).toEqual(before);
    expect((await the.request())?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('[MH-114] that recovers in the middle: the remediation that was started is cancelled, and then the request is gone', async () => {
    the = await MachineStage.start();
    await the.fail();
    const name = await nameOfFirst();
    await the.set(name, { overallPhase: 'AwaitingApproval' });
    await the.recover();
    expect((await the.request())?.metadata.deletionTimestamp).toBeDefined();
    expect((await the.remediations())[0]?.metadata.annotations).toMatchObject({ [ANNOTATIONS.cancelBy]: 'us' });
    await the.set(name, { overallPhase: 'Cancelled', completedAt: toTime(the.stage.clock.now()) });
    await the.stage.advance(2 * SECOND);
    expect(await the.request()).toBeUndefined();
    expect(await the.remediations()).toHaveLength(1);
  });

  test('[MH-114] that recovers after it was drained: the Node is opened before the request goes', async () => {
    the = await MachineStage.start();
    await the.fail();
    const name = await nameOfFirst();
    await drainedBy(name);
    await the.set(name, { overallPhase: 'Completed', outcome: 'Inconclusive', completedAt: toTime(the.stage.clock.now()) });
    await the.stage.advance(2 * MINUTE);
    expect((await the.request())?.status).toMatchObject({ cordonedBy: name, conditions: [{ reason: 'Drained' }] });
    await the.recover();
    const [, opening] = (await the.remediations()).toSorted((a, b) => (a.spec.signalName < b.spec.signalName ? 1 : -1));
    expect(opening?.spec.signalName).toBe('MachineRecovered');
    expect(await the.request()).toBeDefined();
    await the.stage.admin.patch(Node, NODE_KEY, { type: 'merge', body: { spec: { unschedulable: null } } });
    await the.set(opening!.metadata.name, { overallPhase: 'Verifying' });
    await the.stage.advance(2 * SECOND);
    expect(await the.request()).toBeUndefined();
  });

  test('that recovers during verification: the Node is uncordoned as soon as the pipeline allows it', async () => {
    the = await MachineStage.start();
    await the.fail();
    const name = await nameOfFirst();
    await drainedBy(name);
    await the.set(name, { overallPhase: 'Verifying' });
    await the.recover();
    const ended = the.stage.clock.now();
    const held = { completedAt: toTime(ended), nextAllowedExecution: toTime(after(ended, MINUTE)) };
    await the.set(name, { overallPhase: 'Completed', outcome: 'Inconclusive', ...held });
    await the.stage.advance(30 * SECOND);
    expect(await the.request()).toBeDefined();
    expect(await the.remediations()).toHaveLength(1);
    await the.stage.advance(MINUTE);
    expect((await the.remediations()).map(({ spec }) => spec.signalName).toSorted()).toEqual(['MachineRecovered', 'MachineUnhealthy']);
    expect(the.stage.told).not.toContain('NodeLeftCordoned');
  });

  test('whose Node cannot be uncordoned is reported before the request is gone', async () => {
    the = await MachineStage.start();
    await the.fail();
    const name = await nameOfFirst();
    await drainedBy(name);
    const nextAllowedExecution = toTime(the.stage.clock.now()).replace('2026', '2027');
    await the.set(name, { overallPhase: 'Failed', completedAt: toTime(the.stage.clock.now()), nextAllowedExecution });
    await the.recover();
    expect(await the.request()).toBeUndefined();
    expect(the.stage.told).toContain('NodeLeftCordoned');
  });

  test('continues after a process died, without a second remediation', async () => {
    the = await MachineStage.start();
    await the.fail();
    await the.stage.restart([...health(), pipeline()]);
    await the.stage.advance(5 * MINUTE);
    expect(await the.remediations()).toHaveLength(1);
  });
});

describe('an alert about the same Node', () => {
  const alert = (alertname = 'NodeDown', status = 'firing') => ({
    version: '4',
    status,
    alerts: [
      {
        status,
        labels: { alertname, node: 'worker-0', severity: 'critical' },
        annotations: {},
        startsAt: toTime(the.stage.clock.now()),
        fingerprint: '1',
      },
    ],
  });
  const gateway = () =>
    createGateway({
      client: the.stage.admin,
      clock: the.stage.clock,
      log: silent,
      namespace: DEFAULT_SETTINGS.namespace,
      executionNamespace: DEFAULT_SETTINGS.executionNamespace,
      clusterID: '',
      chainIntervalMs: () => DEFAULT_SETTINGS.routing.ineffectiveTimeWindowMs,
    });

  test('that comes first is waited for, and not cancelled', async () => {
    the = await MachineStage.start();
    expect((await gateway().receive(alert())).code).toBeLessThan(300);
    await the.fail();
    expect(await the.remediations()).toMatchObject([{ spec: { signalName: 'NodeDown' } }]);
    expect((await the.request())?.status).toMatchObject({ phase: 'Requested', remediationRequestRef: { name: await nameOfFirst() } });
    await the.recover();
    await the.stage.advance(2 * SECOND);
    expect(await the.request()).toBeUndefined();
    expect((await the.remediations())[0]?.metadata.annotations ?? {}).not.toHaveProperty(ANNOTATIONS.cancel);
  });

  test('that comes second joins, and what it still waits for is not cancelled', async () => {
    the = await MachineStage.start();
    await the.fail();
    expect((await gateway().receive(alert())).code).toBeLessThan(300);
    expect(await the.remediations()).toMatchObject([
      { spec: { signalName: 'MachineUnhealthy' }, status: { deduplication: { occurrenceCount: 2 } } },
    ]);
    await the.recover();
    await the.stage.advance(2 * SECOND);
    expect(await the.request()).toBeUndefined();
    expect((await the.remediations())[0]?.metadata.annotations ?? {}).not.toHaveProperty(ANNOTATIONS.cancel);
  });

  test.each([
    { status: 'firing', outcome: 'people are told that the Node stays closed', told: true, signals: ['MachineUnhealthy'] },
    { status: 'resolved', outcome: 'the Node is opened', told: false, signals: ['MachineRecovered', 'MachineUnhealthy'] },
  ])('that joined and is $status when a run ends that outlasted the fault: $outcome', async ({ status, told, signals }) => {
    the = await MachineStage.start();
    await the.fail();
    const name = await nameOfFirst();
    await gateway().receive(alert());
    await the.set(name, { overallPhase: 'Executing' });
    await the.recover();
    expect((await the.request())?.status?.message).toBe(`${name} is running on the Node; waiting until it ends`);
    await drainedBy(name);
    if (status === 'resolved') await gateway().receive(alert('NodeDown', status));
    await the.set(name, { overallPhase: 'Verifying', verifyingStartTime: toTime(the.stage.clock.now()) });
    await the.stage.advance(5 * SECOND);
    await the.set(name, { overallPhase: 'Completed', outcome: 'Inconclusive', completedAt: toTime(the.stage.clock.now()) });
    await the.stage.advance(5 * SECOND);
    const opened = (await the.remediations()).map(({ spec }) => spec.signalName).toSorted();
    expect([the.stage.told.includes('NodeLeftCordoned'), opened]).toEqual([told, signals]);
  });

  test.each([
    { status: 'firing', isCancelled: false },
    { status: 'resolved', isCancelled: true },
  ])('that has the name of our own signal and is $status: whether that is cancelled, $isCancelled', async ({ status, isCancelled }) => {
    the = await MachineStage.start();
    await the.fail();
    await gateway().receive(alert('MachineUnhealthy'));
    await gateway().receive(alert('MachineUnhealthy', status));
    await the.recover();
    const [remediation] = await the.remediations();
    expect(remediation?.status?.deduplication?.alerts).toHaveLength(2);
    expect(ANNOTATIONS.cancel in (remediation?.metadata.annotations ?? {})).toBe(isCancelled);
  });
});

describe('which controller judges Machines', () => {
  test('[MH-013] is the health check and no other controller: without it no remediator reports or requests anything', async () => {
    the = await MachineStage.start([pipeline()]);
    await the.fail();
    expect((await the.machine()).status).toEqual({ nodeRef: { name: 'worker-0' } });
    expect([await the.request(), await the.remediations()]).toEqual([undefined, []]);
    await the.stage.restart([...health(), pipeline()]);
    await the.stage.advance(SECOND);
    expect((await the.machine()).status?.conditions).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: 'HealthCheckSucceeded', status: 'False' })]),
    );
    expect(await the.request()).toBeDefined();
  });
});

describe('Events', () => {
  /** How Machine, Node and check stand after a Machine has failed, and after it has recovered. */
  async function story(meanwhile: () => Promise<void>): Promise<readonly unknown[]> {
    the = await MachineStage.start();
    const stands = async () => [
      (await the.machine()).status,
      (await the.check()).status,
      (await the.stage.admin.get(Node, NODE_KEY)).status,
      (await the.request())?.status?.phase,
    ];
    const seen: unknown[] = [await stands()];
    await meanwhile();
    await the.fail();
    seen.push(await stands());
    await meanwhile();
    await the.recover();
    seen.push(await stands());
    await the.stage.end();
    return seen;
  }

  async function forge(): Promise<void> {
    const machine = await the.machine();
    const involvedObject = { apiVersion: machine.apiVersion, kind: Machine.kind, ...KEY, uid: machine.metadata.uid };
    for (const reason of ['MachineMarkedUnhealthy', 'RemediationRestricted', 'NodeReady', 'Requested'])
      await the.stage.admin.create(Event, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { namespace: KEY.namespace, name: `forged-${reason.toLowerCase()}-${the.stage.clock.now()}` },
        involvedObject,
        type: 'Normal',
        reason,
        message: 'forged',
      });
    await the.stage.settle();
  }

  test('[MH-109] are information only: nothing changes where none is written, where they are forged, or where they are deleted', async () => {
    // On this stage no controller writes Events: they are suppressed.
    const suppressed = await story(() => Promise.resolve());
    const forged = await story(forge);
    const deleted = await story(async () => {
      await forge();
      for (const { metadata } of (await the.stage.admin.list(Event, { namespace: KEY.namespace })).items)
        await the.stage.admin.delete(Event, { namespace: KEY.namespace, name: metadata.name });
    });
    expect(suppressed.map((updatePipeline) => (updatePipeline as readonly unknown[])[3])).toEqual([undefined, 'Requested', 'Ending']);
    expect(forged).toEqual(suppressed);
    expect(deleted).toEqual(suppressed);
    the = await MachineStage.start();
  });
});
