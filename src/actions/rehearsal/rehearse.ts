import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { analysisPhases } from '../../api/ai-analysis/phases.ts';
import { keyOf, type Draft, type KubeObject } from '../../api/meta.ts';
import { isTerminal } from '../../api/phases.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { Resource } from '../../api/resource.ts';
import { signalProcessingPhases } from '../../api/signal-processing/phases.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import type { Diagnosis } from '../../analyst/index.ts';
import { after, toTime, type Clock } from '../../base/index.ts';
import { createAnalysisController, diagnosisOf, SETTLING_MS, type AnalysisSeen } from '../../controllers/analysis/index.ts';
import { analysisFor, signalProcessingFor } from '../../controllers/remediation/children/draft-children.ts';
import { explain, type Explanation } from '../../controllers/remediation/explain/index.ts';
import { analysisResultOf, type AnalysisResult } from '../../controllers/remediation/plan/plan-from-analysis.ts';
import type { Settings } from '../../controllers/settings.ts';
import { createSignalProcessingController } from '../../controllers/signal-processing/index.ts';
import type { Controller, Reader, Subject } from '../../runtime/reconcile/controller.ts';
import { serverReader } from '../../runtime/reconcile/observation-reader.ts';
import { lookAtRequest } from '../read-request-details.ts';
import { readSnapshot } from '../snapshot-reader.ts';
import type { Catalogue } from './catalogue.ts';
import type { RehearsalClient } from './rehearsal-client.ts';

export interface RehearsalParts {
  readonly client: RehearsalClient;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly catalogue: Catalogue;
  readonly signal: AbortSignal;
}

/** What would become of a request, as far as that can be known without doing anything. */
export interface Rehearsed extends Concluded {
  readonly request: RemediationRequest;
  readonly processing: SignalProcessing;
  /** Set where the target may settle by itself: what would become of it if nothing changes until then. */
  readonly later?: Concluded;
}

/** What an analysis comes to at one moment. */
export interface Concluded {
  readonly analysis: AIAnalysis;
  /** What the analysis acts on; undefined where it could read nothing. */
  readonly diagnosis: Diagnosis | undefined;
  readonly result: AnalysisResult;
  readonly explanation: Explanation;
}

/**
 * Takes a request as far as its plan, with the controllers that do it in a cluster: their observations read the cluster, their decisions go to memory.
 * What they would wait for is not waited for.
 */
export async function rehearse(request: RemediationRequest, parts: RehearsalParts): Promise<Rehearsed> {
  const { client, clock, settings } = parts;
  const { timeouts } = settings;
  const reader = await readerOf(parts);
  const deadline = (limitMs: number) => after(clock.now(), limitMs);
  const sp = signalProcessingFor(request, deadline(timeouts.processingMs));
  const enriching = createSignalProcessingController(() => settings);
  const hasEnded = ({ status }: SignalProcessing) => isTerminal(signalProcessingPhases, status?.phase);
  const { object: processing } = await playOut(enriching, { resource: SignalProcessing, hasEnded }, sp, { reader, parts });
  const ai = analysisFor(request, processing, { attempt: 1, timesOutAt: deadline(timeouts.analyzingMs) });
  const analyzing = client.keep(RemediationRequest, inAnalysis(request, clock));
  const now = await conclude(analyzing, ai, { reader, parts });
  if (!maySettle(now)) return { ...now, request: analyzing, processing };
  const later = await conclude(analyzing, now.analysis, { reader, parts: { ...parts, clock: ahead(clock) } });
  return { ...now, request: analyzing, processing, later };
}

interface Setting {
  readonly reader: Reader;
  readonly parts: RehearsalParts;
}

/** Lets the analysis work from where it is. */
async function conclude(request: RemediationRequest, draft: Draft<AIAnalysis>, { reader, parts }: Setting): Promise<Concluded> {
  const { settings, clock } = parts;
  const controller = createAnalysisController(() => settings);
  const hasEnded = ({ status }: AIAnalysis) => isTerminal(analysisPhases, status?.phase);
  const { object, observed } = await playOut(controller, { resource: AIAnalysis, hasEnded }, draft, { reader, parts });
  const seen = await lookAtRequest({ request, reader, settings, now: clock.now() });
  return {
    analysis: object,
    diagnosis: diagnosisIn(observed, clock),
    result: analysisResultOf(object, request, settings.routing),
    explanation: explain(seen),
  };
}

/** Without advice it is something that could not be read. */
const maySettle = ({ result, diagnosis }: Concluded): boolean =>
  result.kind === 'AtWork' && diagnosis?.kind === 'NotYet' && diagnosis.advice !== undefined;

/** The moment at which a target that does not settle is no longer waited for. */
const ahead = (clock: Clock): Clock => ({
  now: () => after(clock.now(), SETTLING_MS),
  waitUntil: (at, signal) => clock.waitUntil(at, signal),
});

const inAnalysis = (request: RemediationRequest, clock: Clock): RemediationRequest => {
  const now = toTime(clock.now());
  return { ...request, status: { ...request.status, overallPhase: 'Analyzing', startTime: now, analyzingStartTime: now } };
};

function diagnosisIn(observed: readonly AnalysisSeen[], clock: Clock): Diagnosis | undefined {
  const last = observed.findLast(({ findings }) => findings.kind === 'fault');
  return last?.findings.kind === 'fault' ? diagnosisOf(last.object, last.findings.evidence, clock.now()) : undefined;
}

/** What is read of our kinds is what was kept; everything else comes from the cluster. */
async function readerOf({ client, settings, catalogue, signal }: RehearsalParts): Promise<Reader> {
  const snapshot = await readSnapshot(client, settings.namespace);
  return {
    ...snapshot,
    ...serverReader(client, signal),
    get: (resource, key) => {
      const value = client.kept(resource, key);
      return value ? { kind: 'value', value } : snapshot.get(resource, key);
    },
    list: (resource, by) => (isWorkflow(resource) ? { kind: 'value', value: catalogue.workflows as never } : snapshot.list(resource, by)),
  };
}

const isWorkflow = (resource: Resource): boolean => resource === RemediationWorkflow;

interface Stage<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly hasEnded: (object: T) => boolean;
}

/** More than a controller needs from its first phase to its last. */
const MOST_PASSES = 10;

/** Lets a controller work on an object until its phase is final, or until it would wait. */
async function playOut<T extends KubeObject & { readonly status?: { readonly phase?: string } }, Seen extends Subject>(
  controller: Controller<Seen>,
  { resource, hasEnded }: Stage<T>,
  draft: Draft<T>,
  { reader, parts: { client, clock } }: Setting,
): Promise<{ readonly object: T; readonly observed: readonly Seen[] }> {
  const observed: Seen[] = [];
  let object = client.keep(resource, draft);
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const seen = await controller.observe(keyOf(object), reader, clock.now());
    if (seen === undefined) break;
    observed.push(seen);
    const status = controller.decide(seen, clock.now()).status as T['status'];
    const before = object.status?.phase;
    object = client.keep(resource, { ...object, status } as unknown as Draft<T>);
    if (status?.phase === before || hasEnded(object)) break;
  }
  return { object, observed };
}
