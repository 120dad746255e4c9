/**
 * The second stage: why something is ill, what would help, and whether a person has to be asked first.
 *
 *   Pending → Investigating → Analyzing → Completed
 *
 * - `observe.ts` gathers the evidence from the server, while Investigating and at no other time, and takes the catalogue from the cache.
 * - `decide.ts` is the life of the object; the thinking is in the room `analyst`, `conclude.ts` writes its answer down.
 * - `take-back.ts` is for a request that takes an earlier change back: it proposes the way back that is on record, and looks for no cause.
 * - `past.ts` asks what was done to the target before: a choice takes it into account, and people are told.
 * - `approval-gate.ts` is the policy, built in until there is a room for policies.
 * - What cannot be read, or is still under way, is looked at again later; what nobody understands goes to a person, with advice.
 * Start with decide.ts.
 */
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { keyOf } from '../../api/meta.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import type { SettingsSource } from '../settings.ts';
import { decide } from './decide.ts';
import { observe, type AnalysisSeen } from './observe.ts';
import type { PastSource } from './past.ts';

export type { AnalysisSeen, PastSource };

/** Finds causes and selects workflows. Without `past` nobody asks what was done before. */
export function createAnalysisController(settings: SettingsSource, past?: PastSource): Controller<AnalysisSeen> {
  const { namespace } = settings();
  return {
    name: 'analysis',
    primary: AIAnalysis,
    watches: [
      { resource: AIAnalysis, namespace, keys: (object) => [keyOf(object)] },
      // Only kept: an analysis that waits for the catalogue looks again by itself.
      { resource: RemediationWorkflow, namespace, keys: () => [] },
    ],
    observe: (key, reader, now) => observe(key, reader, now, past),
    decide,
  };
}
