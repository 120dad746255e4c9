import { AIAnalysis } from '../../src/api/ai-analysis/ai-analysis.ts';
import type { KubeObject } from '../../src/api/meta.ts';
import { isTerminal } from '../../src/api/phases.ts';
import { analysisPhases } from '../../src/api/ai-analysis/phases.ts';
import { RemediationWorkflow } from '../../src/api/remediation-workflow/remediation-workflow.ts';
import { apiVersionOf, type Resource } from '../../src/api/resource.ts';
import { after, instant, MINUTE, parseTime, sameJson, SECOND, toTime, type Instant } from '../../src/base/index.ts';
import { createAnalysisController, type AnalysisSeen } from '../../src/controllers/analysis/index.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import { createClient } from '../../src/kube/index.ts';
import type { Controller, Reader } from '../../src/runtime/reconcile/controller.ts';
import { serverReader } from '../../src/runtime/reconcile/observation-reader.ts';
import type { Alert, CorpusCase } from './corpus-case.ts';
import { snapshotAt, type Recording } from './recording.ts';
import { snapshotTransport } from './snapshot-api.ts';

const KEY = { namespace: DEFAULT_SETTINGS.namespace, name: 'ai-rr-1' };
const { analyzingMs } = DEFAULT_SETTINGS.timeouts;
/** Far more than an analysis makes until its deadline. */
const MOST_PASSES = 500;

/** What an analysis has come to, and how long that took. */
export interface Concluded {
  readonly status: NonNullable<AIAnalysis['status']>;
  readonly seconds: number;
}

/** Lets the analysis controller work on a recording, in virtual time, from an alert so many seconds after the fault until its phase is final. */
export async function analyse({ recording, alert }: CorpusCase, seconds: number, library: readonly KubeObject[]): Promise<Concluded> {
  const controller = createAnalysisController(() => DEFAULT_SETTINGS);
  const start = after(momentOf(recording), seconds * SECOND);
  let object = analysisOf(alert, recording, seconds);
  let now = start;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const { status, wakeAt } = await onePass(controller, readerAt(recording, now, object, library), now);
    const isSame = sameJson(status, object.status);
    object = { ...object, status: status as NonNullable<AIAnalysis['status']> };
    if (object.status && isTerminal(analysisPhases, object.status.phase)) return { status: object.status, seconds: (now - start) / SECOND };
    // What is written wakes the controller at once.
    if (isSame) now = instant(Math.max(wakeAt ?? after(now, MINUTE), after(now, SECOND)));
  }
  throw new Error(`the analysis has not ended after ${MOST_PASSES} passes: ${object.status?.message ?? 'no message'}`);
}

const momentOf = ({ brokenAt }: Recording): Instant => parseTime(brokenAt) ?? instant(0);

async function onePass(controller: Controller<AnalysisSeen>, reader: Reader, now: Instant) {
  const seen = await controller.observe(KEY, reader, now);
  if (!seen) throw new Error('the controller does not see its own object');
  return controller.decide(seen, now);
}

function readerAt(recording: Recording, now: Instant, object: AIAnalysis, library: readonly KubeObject[]): Reader {
  const client = createClient(snapshotTransport(snapshotAt(recording, (now - momentOf(recording)) / SECOND)));
  const cached = (resource: Resource): readonly KubeObject[] => (resource.kind === RemediationWorkflow.kind ? library : [object]);
  return {
    get: <T extends KubeObject>(resource: Resource<T>) => ({ kind: 'value', value: cached(resource)[0] as T }),
    list: <T extends KubeObject>(resource: Resource<T>) => ({ kind: 'value', value: cached(resource) as readonly T[] }),
    ...serverReader(client, new AbortController().signal),
  };
}

function analysisOf({ name, severity = 'critical', says = {}, target }: Alert, recording: Recording, seconds: number): AIAnalysis {
  const at = after(momentOf(recording), seconds * SECOND);
  return {
    apiVersion: apiVersionOf(AIAnalysis),
    kind: AIAnalysis.kind,
    metadata: { ...KEY, uid: 'uid-ai', resourceVersion: '7', generation: 1, creationTimestamp: toTime(at) },
    spec: {
      remediationRequestRef: { name: 'rr-1' },
      remediationId: 'rr-1',
      analysisRequest: {
        signalContext: {
          fingerprint: 'b7'.repeat(32),
          severity,
          signalName: name,
          signalAnnotations: says,
          environment: 'Staging',
          businessPriority: 'P2',
          targetResource: typeof target === 'function' ? target(snapshotAt(recording, seconds)) : target,
          enrichmentResults: {},
        },
        analysisTypes: ['Investigation', 'RootCause', 'WorkflowSelection'],
      },
      timesOutAt: toTime(after(at, analyzingMs)),
    },
  };
}
