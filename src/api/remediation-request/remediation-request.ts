import { AGE, defineKind } from '../define-kind.ts';
import { PIPELINE } from '../parts/group.ts';
import type { ObjectOf } from '../resource.ts';
import { remediationPhases } from './phases.ts';
import { remediationRequestSample } from './sample.ts';
import { remediationRequestSpec } from './spec.ts';
import { remediationRequestStatus } from './status.ts';

/** The parent of the pipeline's objects. */
export const RemediationRequest = defineKind({
  ...PIPELINE,
  kind: 'RemediationRequest',
  plural: 'remediationrequests',
  shortNames: ['rr'],
  description:
    'One problem on its way from a signal to a verified fix. The gateway creates it; the orchestrator drives it and creates the children that do the work.',
  spec: remediationRequestSpec,
  status: remediationRequestStatus,
  phases: remediationPhases,
  selectableFields: ['spec.signalFingerprint', 'spec.signalType', 'spec.severity', 'spec.clusterID'],
  columns: [
    { name: 'Phase', type: 'string', path: '.status.overallPhase' },
    { name: 'Outcome', type: 'string', path: '.status.outcome' },
    { name: 'Alert', type: 'string', path: '.spec.signalName' },
    { name: 'RCA Target', type: 'string', path: '.status.targetDisplay' },
    { name: 'Workflow', type: 'string', path: '.status.workflowDisplayName' },
    { name: 'Confidence', type: 'string', path: '.status.confidence' },
    AGE,
    { name: 'Cluster', type: 'string', path: '.spec.clusterID', priority: 1 },
    { name: 'Source', type: 'string', path: '.spec.signalSource', priority: 1 },
    { name: 'Signal NS', type: 'string', path: '.spec.targetResource.namespace', priority: 1 },
    { name: 'Signal Target', type: 'string', path: '.status.signalTargetDisplay', priority: 1 },
    { name: 'RCA NS', type: 'string', path: '.status.remediationTarget.namespace', priority: 1 },
  ],
  sample: remediationRequestSample,
});
export type RemediationRequest = ObjectOf<typeof RemediationRequest>;
