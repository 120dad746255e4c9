import { AGE, defineKind, readyReason } from '../define-kind.ts';
import { PIPELINE } from '../parts/group.ts';
import type { ObjectOf } from '../resource.ts';
import { analysisPhases } from './phases.ts';
import { aiAnalysisSample } from './sample.ts';
import { aiAnalysisSpec } from './spec.ts';
import { aiAnalysisStatus } from './status.ts';

/** The second child: why it happened and what should be done. */
export const AIAnalysis = defineKind({
  ...PIPELINE,
  kind: 'AIAnalysis',
  plural: 'aianalyses',
  shortNames: ['aia'],
  description:
    'Finds the cause of a problem, selects a workflow for it and evaluates the policy that decides whether a person must approve.',
  spec: aiAnalysisSpec,
  status: aiAnalysisStatus,
  phases: analysisPhases,
  selectableFields: ['spec.remediationRequestRef.name'],
  columns: [
    { name: 'Phase', type: 'string', path: '.status.phase' },
    { name: 'Confidence', type: 'number', path: '.status.selectedWorkflow.confidence' },
    { name: 'Approval Required', type: 'boolean', path: '.status.approvalRequired' },
    readyReason(),
    AGE,
  ],
  sample: aiAnalysisSample,
});
export type AIAnalysis = ObjectOf<typeof AIAnalysis>;
