import { gatherEvidence, type Evidence } from '../../analyst/index.ts';
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { ObjectKey } from '../../api/meta.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { MACHINE_FAULT, MACHINE_FAULT_LASTED } from '../../api/remediation-request/signal-source.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { parseTime, type Instant } from '../../base/index.ts';
import { NOT_READ, type NotRead } from '../../kube/client/read.ts';
import type { Listed, Reader } from '../../runtime/reconcile/controller.ts';
import { isPastDeadline } from '../retry-times.ts';
import { readTarget, withConfigMaps } from '../target/index.ts';
import { readHistory, type HistoryRead, type HistorySource } from './history.ts';
import type { UndoFindings } from './propose-undo.ts';

/** Everything that a decision about an analysis rests on. */
export interface AnalysisSeen {
  readonly object: AIAnalysis;
  /** `not-read` outside of the phase Investigating, and before the next attempt is due. */
  readonly findings: FaultFindings | UndoFindings | NotRead;
}

/** What was read of a fault: its target from the API server, the catalogue from the cache, earlier remediations from the store. */
export interface FaultFindings {
  readonly kind: 'fault';
  readonly evidence: Evidence;
  readonly catalogue: Listed<RemediationWorkflow>;
  /** `not-read` where no store is configured. */
  readonly history: HistoryRead | NotRead;
}

export async function observe(key: ObjectKey, reader: Reader, now: Instant, source?: HistorySource): Promise<AnalysisSeen | undefined> {
  const read = reader.get(AIAnalysis, key);
  if (read.kind !== 'value') return undefined;
  const object = read.value;
  if (!isAttemptDue(object, now) && !hasJoined(object, reader, now)) return { object, findings: NOT_READ };
  const catalogue = reader.list(RemediationWorkflow);
  if (object.spec.undoOf) return { object, findings: await readUndo(object, reader, catalogue) };
  const found = await gatherEvidence(object.spec.analysisRequest.signalContext.targetResource, reader);
  const evidence = await withPodConfigMaps(withReport(found, object), reader);
  const history = source ? await readHistory(source, object, evidence, now) : NOT_READ;
  return { object, findings: { kind: 'fault', evidence, catalogue, history } };
}

/** From the API server, not a cache: the target decides whether the recorded undo still applies. */
async function readUndo({ spec, metadata }: AIAnalysis, reader: Reader, catalogue: Listed<RemediationWorkflow>): Promise<UndoFindings> {
  const key = { namespace: metadata.namespace ?? '', name: spec.undoOf?.name ?? '' };
  const original = await reader.fetch(RemediationRequest, key);
  const target = original.kind === 'value' ? original.value.status?.remediationTarget : undefined;
  return { kind: 'undo', original, catalogue, target: target ? await readTarget(reader, target) : NOT_READ };
}

/** What the health check of a Machine knows and its Node does not show reaches the rules through the signal. */
function withReport(evidence: Evidence, { spec }: AIAnalysis): Evidence {
  if (evidence.kind !== 'Node') return evidence;
  const { [MACHINE_FAULT]: reported, [MACHINE_FAULT_LASTED]: lasted } = spec.analysisRequest.signalContext.signalAnnotations ?? {};
  return { ...evidence, ...(reported !== undefined && { reported }), ...(lasted === 'true' && { hasLasted: true }) };
}

/** A plan pins its target together with the ConfigMaps that the pods use. */
async function withPodConfigMaps(evidence: Evidence, reader: Reader): Promise<Evidence> {
  return evidence.kind === 'Deployment' ? { ...evidence, deployment: await withConfigMaps(reader, evidence.deployment) } : evidence;
}

/** The status write that puts an attempt off wakes the controller at once: without this check, that pass would be the next attempt. */
function isAttemptDue(object: AIAnalysis, now: Instant): boolean {
  const next = nextAttempt(object.status);
  return isInvestigating(object, now) && (next === undefined || now >= next);
}

/** Whether a signal joined the request since the last attempt, which is then not put off any longer. */
function hasJoined(object: AIAnalysis, reader: Reader, now: Instant): boolean {
  const last = isInvestigating(object, now) ? parseTime(object.status?.investigationSession?.lastPolled) : undefined;
  const joined = last === undefined ? undefined : lastSignal(object, reader);
  return last !== undefined && joined !== undefined && joined > last && joined <= now;
}

function lastSignal({ metadata, spec }: AIAnalysis, reader: Reader): Instant | undefined {
  const key = { namespace: metadata.namespace ?? '', name: spec.remediationRequestRef.name ?? '' };
  const request = reader.get(RemediationRequest, key);
  return request.kind === 'value' ? parseTime(request.value.status?.deduplication?.lastSeenAt) : undefined;
}

const isInvestigating = ({ spec, status }: AIAnalysis, now: Instant): boolean =>
  status?.phase === 'Investigating' && !isPastDeadline(spec.timesOutAt, now);

/** When to investigate again; undefined while no attempt was put off. */
export const nextAttempt = (status: AIAnalysis['status']): Instant | undefined => parseTime(status?.investigationSession?.backoffUntil);
