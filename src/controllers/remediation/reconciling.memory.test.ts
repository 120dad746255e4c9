import { afterEach, describe, expect, test } from 'vitest';
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Resource } from '../../api/resource.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { MINUTE, turn } from '../../base/index.ts';
import type { Controller } from '../../runtime/index.ts';
import { aRequest } from './testing/builders.ts';
import { CHILDREN, orchestrator, SYSTEM, OrchestratorFixture } from './testing/orchestrator-fixture.ts';

let ward: OrchestratorFixture | undefined;
afterEach(() => ward?.stage.end());
const opened = async (controller: Controller = orchestrator()): Promise<OrchestratorFixture> =>
  (ward = await OrchestratorFixture.open([controller]));

/** The orchestrator, slow to look, with a count of how many looks at one request and at all go on at once. */
function watched() {
  const real = orchestrator();
  const going = new Map<string, number>();
  const most = { ofOne: 0, ofAll: 0, passes: 0 };
  const controller: Controller = {
    ...real,
    observe: async (key, reader, now) => {
      going.set(key.name, (going.get(key.name) ?? 0) + 1);
      most.passes++;
      most.ofOne = Math.max(most.ofOne, ...going.values());
      most.ofAll = Math.max(
        most.ofAll,
        [...going.values()].reduce((sum, count) => sum + count, 0),
      );
      for (let i = 0; i < 5; i++) await turn();
      const seen = await real.observe(key, reader, now);
      going.set(key.name, (going.get(key.name) ?? 0) - 1);
      return seen;
    },
  };
  return { controller, most };
}

/** Touches an object, so that the watch shows it again. */
const touch = ({ stage }: OrchestratorFixture, resource: Resource, name: string, value: string): Promise<KubeObject> =>
  stage.admin.patch(resource, { namespace: SYSTEM, name }, { type: 'merge', body: { metadata: { annotations: { touched: value } } } });

describe('one reconciler for all seven kinds', () => {
  test('[RR-219] watches them all, and each child wakes the request that controls it', () => {
    const { watches, primary } = orchestrator();
    expect(primary).toBe(RemediationRequest);
    for (const resource of CHILDREN as readonly Resource[]) {
      const found = watches.filter((watch) => watch.resource === resource);
      expect([resource.kind, found.length]).toEqual([resource.kind, 1]);
      const { apiVersion, kind, metadata } = aRequest();
      const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true };
      const child = { apiVersion, kind: resource.kind, metadata: { ...metadata, name: 'child', ownerReferences: [owner] }, spec: {} };
      expect(
        found[0]?.keys(
          child,
          () => [],
          () => [],
        ),
      ).toContainEqual({ namespace: SYSTEM, name: 'rr' });
      expect(
        found[0]?.keys(
          { ...child, metadata: { ...metadata, name: 'child', ownerReferences: [] } },
          () => [],
          () => [],
        ),
      ).toEqual([]);
    }
    expect(watches.filter((watch) => watch.resource === RemediationRequest)).toHaveLength(1);
  });

  test('[RR-219] never looks at one request twice at the same time, whatever changes meanwhile', async () => {
    const { controller, most } = watched();
    const here = await opened(controller);
    await here.signal();
    await here.stage.settle();
    await here.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    await here.report(AIAnalysis, 'ai-rr', await here.plan());
    await here.stage.settle();
    expect(await here.status()).toMatchObject({ overallPhase: 'Executing' });
    const before = most.passes;
    for (const round of ['1', '2', '3', '4', '5']) {
      await touch(here, SignalProcessing, 'sp-rr', round);
      await touch(here, AIAnalysis, 'ai-rr', round);
      await touch(here, WorkflowExecution, 'we-rr', round);
      await touch(here, RemediationRequest, 'rr', round);
    }
    await here.stage.settle();
    expect(most.passes).toBeGreaterThan(before + 1);
    expect(most.ofOne).toBe(1);
  });

  test('[RR-219] while others are looked at', async () => {
    const { controller, most } = watched();
    const here = await opened(controller);
    await Promise.all(['a', 'b', 'c'].map((name) => here.signal(name)));
    await here.stage.settle();
    expect([most.ofOne, most.ofAll > 1]).toEqual([1, true]);
  });
});

const versionOf = async (here: OrchestratorFixture): Promise<string> => (await here.get(RemediationRequest, 'rr')).metadata.resourceVersion;

describe('what was handled already', () => {
  test('[RR-220] the observed generation is recorded from the first write on', async () => {
    const here = await opened();
    await here.signal();
    const { metadata, status } = await here.get(RemediationRequest, 'rr');
    expect(status?.observedGeneration).toBe(metadata.generation);
    await here.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    expect((await here.status()).observedGeneration).toBe(metadata.generation);
  });

  test('[RR-220] looking again repeats no transition, and yet misses no child that has gone on', async () => {
    const here = await opened();
    await here.signal();
    await here.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    await here.report(AIAnalysis, 'ai-rr', await here.plan());
    const [executing, generation] = [await here.status(), (await here.get(RemediationRequest, 'rr')).metadata.generation];
    for (const round of ['1', '2', '3']) {
      await touch(here, RemediationRequest, 'rr', round);
      await here.stage.advance(MINUTE);
      expect(await here.status()).toEqual(executing);
      for (const kind of [SignalProcessing, AIAnalysis, WorkflowExecution]) expect(await here.names(kind)).toHaveLength(1);
    }
    await here.report(WorkflowExecution, 'we-rr', { phase: 'Completed' });
    expect((await here.status()).overallPhase).toBe('Verifying');
    expect((await here.get(RemediationRequest, 'rr')).metadata.generation).toBe(generation);
  });

  test('[RR-221] an event for a phase that was left changes nothing', async () => {
    const here = await opened();
    await here.signal();
    await here.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    const plan = await here.plan();
    await here.report(AIAnalysis, 'ai-rr', plan);
    expect((await here.status()).overallPhase).toBe('Executing');
    const version = await versionOf(here);
    await here.report(SignalProcessing, 'sp-rr', { phase: 'Failed', error: 'much too late' });
    await here.report(AIAnalysis, 'ai-rr', { ...plan, phase: 'Failed', needsHumanReview: true, message: 'much too late' });
    await here.stage.advance(MINUTE);
    expect(await versionOf(here)).toBe(version);
    expect(await here.names(NotificationRequest)).toEqual([]);
  });

  test('[RR-221] an end stays the end, whatever its children come to afterwards', async () => {
    const here = await opened();
    await here.signal();
    await here.report(SignalProcessing, 'sp-rr', { phase: 'Failed', error: 'the Deployment cannot be read' });
    await here.report(NotificationRequest, 'nr-escalation-rr', { phase: 'Sent' });
    const version = await versionOf(here);
    await here.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    await here.stage.advance(MINUTE);
    expect(await versionOf(here)).toBe(version);
    for (const kind of [AIAnalysis, WorkflowExecution, EffectivenessAssessment]) expect(await here.names(kind)).toEqual([]);
  });
});

describe('duplicates', () => {
  test('[RR-228] each that comes raises the count on the original, in the order of their coming', async () => {
    const here = await opened();
    await here.signal('rr');
    for (const [i, name] of ['rr-b', 'rr-c', 'rr-d'].entries()) {
      await here.stage.advance(1_000);
      await here.signal(name);
      expect(await here.status(name)).toMatchObject({ overallPhase: 'Blocked', blockReason: 'DuplicateInProgress', duplicateOf: 'rr' });
      expect(await here.status()).toMatchObject({ overallPhase: 'Processing', duplicateCount: i + 1 });
    }
    expect((await here.status()).duplicateRefs).toEqual(['rr-b', 'rr-c', 'rr-d']);
  });
});
