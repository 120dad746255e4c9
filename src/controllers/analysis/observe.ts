import { diagnose, gatherEvidence, type Evidence } from '../../analyst/index.ts';
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { ObjectKey } from '../../api/meta.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { MACHINE_FAULT } from '../../api/remediation-request/signal-source.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { parseTime, type Instant } from '../../base/index.ts';
import type { Listed, Reader } from '../../runtime/reconcile/controller.ts';
import { isTooLate } from '../retry-times.ts';
import { readPast, type PastSource, type SeenPast } from './history.ts';
import { readTarget, withConfigMaps } from '../target/index.ts';
import type { TakingBack } from './propose-undo.ts';

/** All that a decision about an analysis rests on. */
export interface AnalysisSeen {
  readonly object: AIAnalysis;
  /** Undefined where it is not needed, or where it is not yet time to ask again. */
  readonly findings: Findings | undefined;
  /** The same, where a change is to be taken back and no cause is looked for. */
  readonly takingBack?: TakingBack;
}

/** What an investigation sees: the target on the server, the catalogue in the cache. */
export interface Findings {
  readonly evidence: Evidence;
  readonly catalogue: Listed<RemediationWorkflow>;
  /** What was done to the target before; undefined where nobody asked. */
  readonly past?: SeenPast | undefined;
}

export async function observe(key: ObjectKey, reader: Reader, now: Instant, source?: PastSource): Promise<AnalysisSeen | undefined> {
  const read = reader.get(AIAnalysis, key);
  if (read.kind !== 'value') return undefined;
  const object = read.value;
  if (!mayInvestigate(object, now)) return { object, findings: undefined };
  const catalogue = reader.list(RemediationWorkflow);
  if (object.spec.undoOf) return { object, findings: undefined, takingBack: await seeTakingBack(object, reader, catalogue) };
  const found = await gatherEvidence(object.spec.analysisRequest.signalContext.targetResource, reader);
  const evidence = await seenWhole(withReport(found, object), reader, now);
  const past = source && (await readPast(source, object, evidence, now));
  return { object, findings: { evidence, catalogue, ...(past && { past }) } };
}

/** From the server: it decides whether what was agreed on still holds. */
async function seeTakingBack({ spec, metadata }: AIAnalysis, reader: Reader, catalogue: Listed<RemediationWorkflow>): Promise<TakingBack> {
  const key = { namespace: metadata.namespace ?? '', name: spec.undoOf?.name ?? '' };
  const original = await reader.fetch(RemediationRequest, key);
  const target = original.kind === 'value' ? original.value.status?.remediationTarget : undefined;
  return { original, catalogue, target: target ? await readTarget(reader, target) : { kind: 'absent' } };
}

/** What a Machine's health check sees and its Node does not show reaches the rules by the signal. */
function withReport(evidence: Evidence, { spec }: AIAnalysis): Evidence {
  const reported = spec.analysisRequest.signalContext.signalAnnotations?.[MACHINE_FAULT];
  return evidence.kind === 'Node' && reported !== undefined ? { ...evidence, reported } : evidence;
}

/** A target that a plan may be made for is pinned with the ConfigMaps that its pods are given. */
async function seenWhole(evidence: Evidence, reader: Reader, now: Instant): Promise<Evidence> {
  if (evidence.kind !== 'Deployment' || diagnose(evidence, now).kind !== 'Diagnosed') return evidence;
  return { ...evidence, deployment: await withConfigMaps(reader, evidence.deployment) };
}

/** Writing down that it is to be tried again brings the object up at once: without this, that would be the next attempt. */
function mayInvestigate({ spec, status }: AIAnalysis, now: Instant): boolean {
  if (status?.phase !== 'Investigating' || isTooLate(spec.timesOutAt, now)) return false;
  const again = nextAttempt(status);
  return again === undefined || now >= again;
}

/** When to investigate again; undefined when that was never put off. */
export const nextAttempt = (status: AIAnalysis['status']): Instant | undefined => parseTime(status?.investigationSession?.backoffUntil);
