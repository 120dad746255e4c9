import { expect, test } from 'vitest';
import type { RemediationPhase } from '../../../src/api/remediation-request/phases.ts';
import { RemediationRequest } from '../../../src/api/remediation-request/remediation-request.ts';
import { SignalProcessing } from '../../../src/api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../../src/api/workflow-execution/workflow-execution.ts';
import { after, parseTime, SECOND } from '../../../src/base/index.ts';
import { ends, openNamespace, type Fates } from '../../../src/testkit/orchestrator/index.ts';
import type { Remediation } from './remediation.ts';
import type { Stage } from './fixture.ts';
import type { Stages } from './fixtures.ts';

const stalls = { does: 'stall' } as const;
const containing = (text: string): string => expect.stringContaining(text) as string;

type Halt = Exclude<RemediationPhase, 'Completed' | 'Failed' | 'TimedOut' | 'Skipped' | 'Cancelled'>;

/** What keeps a request in each phase. */
const HALTS: Readonly<Record<Halt, Partial<Fates>>> = {
  Pending: {},
  Processing: { processing: () => stalls },
  Analyzing: { analysis: () => stalls },
  AwaitingApproval: { analysis: () => ends('ApprovalRequired') },
  Executing: { execution: () => stalls },
  Verifying: { assessment: () => stalls },
  Blocked: {},
};

/** A request that stays in the phase until the test acts. */
async function haltIn(stage: Stage, phase: Halt, name: string): Promise<Remediation> {
  const scenario = `${name}-${phase.toLowerCase()}`;
  if (phase === 'Pending') await leaveOver(stage, `rr-${scenario}`);
  const namespace = phase === 'Blocked' ? `${stage.system}-off-limits` : stage.shop;
  await openNamespace(stage.admin, namespace);
  const rr = await stage.fire(scenario, { namespace, fates: HALTS[phase] });
  await rr.reaches(phase);
  return rr;
}

/** The first child of an earlier request of the name, which is about to go but never does. */
async function leaveOver(stage: Stage, request: string): Promise<void> {
  const { apiVersion, kind, spec } = SignalProcessing.sample;
  const owner = {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'RemediationRequest',
    name: request,
    uid: 'of-an-earlier-request',
    controller: true,
  };
  const metadata = { name: `sp-${request}`, namespace: stage.system, ownerReferences: [owner], finalizers: ['sickbay.test/stays'] };
  await stage.admin.create(SignalProcessing, { apiVersion, kind, metadata, spec });
}

/** People stop it. */
export function cancelScenarios(stages: Stages): void {
  const phases = Object.keys(HALTS) as Halt[];
  test.each(phases)('[RR-046, RR-059] it can be cancelled in %s, and says by whom', async (phase) => {
    const rr = await haltIn(stages.calm, phase, 'cancel');
    await rr.cancel('mara', 'maintenance');
    const { status, told } = await rr.ends();
    expect(rr.phases.slice(-2)).toEqual([phase, 'Cancelled']);
    expect(status).toMatchObject({
      cancellation: { by: 'mara', reason: 'maintenance' },
      message: containing('mara cancelled it: maintenance'),
    });
    expect(status.consecutiveFailureCount).toBe(0);
    expect(told.at(-1)).toMatchObject({ subject: containing('Cancelled: KubePodCrashLooping'), body: containing('mara cancelled it') });
    if (phase === 'Executing') {
      expect(status.message).toContain('Its run is stopped');
      await stages.calm.until('the run is stopped', async () => {
        const run = await stages.calm.find(WorkflowExecution, rr.children.execution);
        return run?.status?.phase === 'Failed' ? run : undefined;
      });
    }
  });

  test('no user can cancel in the name of another', async () => {
    const rr = await haltIn(stages.calm, 'Processing', 'forged-cancel');
    const annotations = { 'kubernaut.ai/cancel': 'bye', 'kubernaut.ai/cancel-by': 'boss' };
    const attempt = stages.calm.person('mallory').patch(RemediationRequest, rr.key, { type: 'merge', body: { metadata: { annotations } } });
    await expect(attempt).rejects.toMatchObject({ code: 'Forbidden', message: containing('mallory') });
    await rr.cancel('boss', 'it was me');
    expect((await rr.ends()).status.cancellation).toMatchObject({ by: 'boss' });
  });
}

/** Time stops it. */
export function timeoutScenarios(stages: Stages): void {
  test('[RR-027, RR-195] an assessment that never ends leaves it open whether the run helped', async () => {
    const rr = await stages.hasty.fire('verifying', { fates: HALTS.Verifying });
    const { status, told } = await rr.ends();
    expect(rr.phases.slice(-2)).toEqual(['Verifying', 'Completed']);
    expect(status).toMatchObject({ outcome: 'VerificationTimedOut', message: containing('the verification did not finish in time') });
    expect(status.timeoutPhase).toBeUndefined();
    expect(told).toMatchObject([{ type: 'Escalation', priority: 'High' }]);
  });

  test.each([
    ['RR-011', 'Processing'],
    ['RR-018', 'Analyzing'],
    ['RR-025', 'Executing'],
  ] as const)('[%s, RR-194, RR-224] %s that takes too long is given up, and people are told', async (_, phase) => {
    const rr = await haltIn(stages.hasty, phase, 'late');
    const { status, told } = await rr.ends();
    expect(rr.phases.slice(-2)).toEqual([phase, 'TimedOut']);
    expect(status).toMatchObject({
      timeoutPhase: phase,
      message: containing(`${phase} did not finish within 2s`),
      consecutiveFailureCount: 1,
    });
    expect(told).toMatchObject([{ name: `phase-timeout-${phase.toLowerCase()}-${rr.name}`, type: 'Escalation', priority: 'High' }]);
    if (phase === 'Executing') expect(status.requiresManualReview).toBe(true);
  });

  test.each(['Pending', 'Processing', 'Analyzing', 'AwaitingApproval', 'Executing'] as const)(
    '[RR-191, RR-192, RR-198] the limit of the whole ends it in %s',
    async (phase) => {
      const rr = await haltIn(stages.calm, phase, 'over');
      await rr.write({ timeoutConfig: { global: '1s' } });
      const { status, told } = await rr.ends();
      expect(rr.phases.slice(-2)).toEqual([phase, 'TimedOut']);
      expect(status).toMatchObject({ timeoutPhase: phase, message: containing('the remediation did not finish within 1s') });
      expect(told.at(-1)).toMatchObject({ name: `timeout-${rr.name}`, type: 'Escalation' });
    },
  );

  test('the limit of the whole does not count what is spent in Blocked', async () => {
    const rr = await haltIn(stages.calm, 'Blocked', 'patient');
    await rr.write({ timeoutConfig: { global: '1s' } });
    const { startTime } = await rr.reaches('Blocked');
    await stages.calm.until('more than that has passed', () => stages.calm.isPast(after(parseTime(startTime)!, 3 * SECOND)));
    await rr.cancel('mara', 'enough');
    await rr.ends();
    expect(rr.phases).toEqual(['Pending', 'Blocked', 'Cancelled']);
  });
}
