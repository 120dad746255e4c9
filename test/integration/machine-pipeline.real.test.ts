import { afterAll, beforeAll, expect, test } from 'vitest';
import { Namespace, Node } from '../../src/api/builtin/index.ts';
import { kinds, PipelineRemediation, PipelineRemediationTemplate, RemediationRequest } from '../../src/api/index.ts';
import { accountIn, admissionPolicies } from '../../src/api/policies/index.ts';
import { ownRights } from '../../src/api/rights/index.ts';
import { ANNOTATIONS, LABELS } from '../../src/api/well-known.ts';
import { after, MINUTE, silent, systemClock } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import {
  createMachineHealthControllers,
  createUnmanagedCheckLogger,
  LOG_UNMANAGED_CHECK,
} from '../../src/controllers/machine-health/index.ts';
import { createPipelineRemediationController } from '../../src/controllers/machine-remediation/pipeline/index.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import { installKinds } from '../../src/kube/client/install-kinds.ts';
import { installPolicies } from '../../src/kube/client/install-policies.ts';
import type { Controller } from '../../src/runtime/index.ts';
import { describeOnOwnControlPlane } from '../../src/testkit/lanes.ts';
import { runControllers } from '../cluster/run-controllers.ts';
import { MachineWard, reach } from './machine-health/machine-ward.ts';
import { tokenOf } from './machine-health/token-of.ts';

const { namespace: SYSTEM, executionNamespace } = DEFAULT_SETTINGS;
const REFERENCE = { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: PipelineRemediationTemplate.kind, name: 'pipe' };

describeOnOwnControlPlane('handing Machines to the pipeline on a real kube-apiserver, by its role and its policies', (plane) => {
  const over = new AbortController();
  let ward: MachineWard;
  let working: Promise<unknown> = Promise.resolve();

  beforeAll(async () => {
    ward = await MachineWard.open(reach(plane()), 'machines');
    const { admin } = ward;
    await installKinds(kinds, { client: admin, clock: systemClock, until: after(systemClock.now(), MINUTE) });
    for (const name of [SYSTEM, executionNamespace])
      await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await installPolicies(admissionPolicies(SYSTEM), admin);
    const token = await tokenOf(admin, ownRights({ namespace: SYSTEM, executionNamespace }), SYSTEM);
    await admin.create(PipelineRemediationTemplate, { ...PipelineRemediationTemplate.sample, metadata: ward.key('pipe') });
    const controllers = [
      ...createMachineHealthControllers(() => DEFAULT_SETTINGS.machineHealth),
      createPipelineRemediationController(() => DEFAULT_SETTINGS, accountIn(SYSTEM)) as Controller,
    ];
    const calls = { [LOG_UNMANAGED_CHECK]: createUnmanagedCheckLogger(silent) };
    working = runControllers(ward.recorded(token), controllers, over.signal, calls).catch(() => undefined);
  }, 2 * MINUTE);

  afterAll(async () => {
    over.abort(new Error('the tests are over'));
    await working;
    await ward.close();
  });

  const requestWhere = (isWanted: (request: RemediationRequest) => boolean) =>
    until(ward.admin, { resource: RemediationRequest, namespace: SYSTEM }, (all) => all.find(isWanted), over.signal);

  test('[MH-110] [MH-114] one is opened for the Node, cancelled under our own name when it is well, and then the request is gone', async () => {
    await ward.machine('worker-0', { labels: { role: 'worker' } });
    const labels = { [LABELS.managed]: 'true' };
    await ward.admin.patch(Node, { namespace: '', name: 'worker-0' }, { type: 'merge', body: { metadata: { labels } } });
    await ward.check('workers', { selector: { matchLabels: { role: 'worker' } }, remediation: { templateRef: REFERENCE } });
    await ward.turn('worker-0', 'True');
    const opened = await requestWhere(() => true);
    expect(opened.spec).toMatchObject({ signalSource: 'machine-health', targetResource: { kind: 'Node', name: 'worker-0' } });
    await ward.until(PipelineRemediation, 'worker-0', ({ status }) => status?.remediationRequestRef?.uid === opened.metadata.uid);
    await ward.turn('worker-0', 'False');
    const cancelled = await requestWhere(({ metadata }) => metadata.annotations?.[ANNOTATIONS.cancel] !== undefined);
    expect(cancelled.metadata.annotations?.[ANNOTATIONS.cancelBy]).toBe(accountIn(SYSTEM));
    // As the orchestrator would, which does not run here.
    const key = { namespace: SYSTEM, name: opened.metadata.name };
    await ward.admin.patchStatus(RemediationRequest, key, { type: 'merge', body: { status: { overallPhase: 'Cancelled' } } });
    await ward.untilGone(PipelineRemediation, 'worker-0');
    expect(ward.refused).toEqual([]);
  });
});
