import { diagnose, type Diagnosis, type Evidence } from '../../analyst/index.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { Instant } from '../../base/index.ts';

/** The diagnosis that an analysis acts on: of its evidence, for the signal that it is about. */
export const diagnosisOf = ({ spec }: AIAnalysis, evidence: Evidence, now: Instant): Diagnosis =>
  diagnose(evidence, now, spec.analysisRequest.signalContext.signalName);
