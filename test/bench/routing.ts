import { EffectivenessAssessment } from '../../src/api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject } from '../../src/api/meta.ts';
import { RemediationRequest } from '../../src/api/remediation-request/remediation-request.ts';
import { resourceName, type Resource } from '../../src/api/resource.ts';
import { WorkflowExecution } from '../../src/api/workflow-execution/workflow-execution.ts';
import { instant, silent } from '../../src/base/index.ts';
import {
  assessmentIndexes,
  executionIndexes,
  gatherEvidence,
  requestIndexes,
  firstObjection,
} from '../../src/controllers/remediation/routing/index.ts';
import { anAssessment, anExecution, aRequest, TARGET, WORKFLOW } from '../../src/controllers/remediation/routing/testing/builders.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import { ObjectStore } from '../../src/kube/cache/object-store.ts';
import type { Reader } from '../../src/runtime/reconcile/controller.ts';
import { createObservationReader } from '../../src/runtime/reconcile/observation-reader.ts';
import { fakeClient } from '../../src/testkit/fake-client.ts';
import type { BenchResult } from './result.ts';
import { inTurn, perSecond } from './sides.ts';

const FEW = 10;
const MANY = 10_000;
const TIMES = 10_000;
/** As many remediations of one target as do not yet hold it back. */
const OF_TARGET = 4;
const NOW = instant(1_794_711_600_000);

/** How often per second a new request is judged by all seven checks, reading included: with 10,000 requests in the cache against 10. */
export async function benchRouting(): Promise<BenchResult> {
  const [few, many] = [routerAmong(FEW), routerAmong(MANY)];
  const sides = await inTurn(
    () => perSecond(TIMES, many),
    () => perSecond(TIMES, few),
  );
  return { name: 'routing a new request: among 10,000 against among 10', ...sides, unit: 'gathered and routed per second', goal: '≥ 0.9' };
}

/** Finished remediations, each of its own fingerprint and, but for four, of its own target. */
function routerAmong(count: number): () => Promise<void> {
  const numbers = Array.from({ length: count }, (_, i) => i);
  const targetOf = (i: number) => ({ ...TARGET, name: i < OF_TARGET ? TARGET.name : `other-${i}` });
  const stores = new Map<string, ObjectStore<KubeObject>>();
  const fill = (resource: Resource, objects: readonly KubeObject[], indexes: object): void => {
    const store = new ObjectStore<KubeObject>({ resource }, silent);
    store.addIndexes(indexes as Record<string, (object: KubeObject) => readonly string[]>);
    store.replace(objects, '9');
    stores.set(resourceName(resource), store);
  };
  fill(
    RemediationRequest,
    numbers.map((i) => pastRequest(i, targetOf(i))),
    requestIndexes,
  );
  fill(
    WorkflowExecution,
    numbers.map((i) => anExecution(`r${i}`, { phase: 'Completed' }, { targetResource: `shop/Deployment/${targetOf(i).name}` })),
    executionIndexes,
  );
  fill(
    EffectivenessAssessment,
    numbers.map((i) => anAssessment(`r${i}`, { alertAssessed: true, alertScore: 1 })),
    assessmentIndexes,
  );
  return router(createObservationReader({ stores, client: fakeClient().client, signal: new AbortController().signal }));
}

const pastRequest = (i: number, target: typeof TARGET): RemediationRequest =>
  aRequest(
    `r${i}`,
    { overallPhase: 'Completed', outcome: 'Remediated', remediationTarget: target, workflowExecutionRef: { name: `we-r${i}` } },
    { spec: { signalFingerprint: String(i).padStart(64, '0') } },
  );

function router(reader: Reader): () => Promise<void> {
  const namespace = {
    kind: 'value',
    value: { apiVersion: 'v1', kind: 'Namespace', metadata: { labels: { 'kubernaut.ai/managed': 'true' } } },
  };
  const answering: Reader = { ...reader, fetch: () => Promise.resolve(namespace as never) };
  const request = aRequest('new');
  const plan = { workflowId: WORKFLOW, target: TARGET };
  return async () => {
    const evidence = await gatherEvidence(answering, request, { settings: DEFAULT_SETTINGS, plan });
    const routing = firstObjection('post-analysis', evidence, NOW);
    if (routing.kind !== 'pass') throw new Error(`the new request is held back: ${routing.check}`);
  };
}
