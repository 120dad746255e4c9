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
    { name: 'Signal NS', type: 'string', path: '.spec.targetResource.namespace' },
    { name: 'Signal Target', type: 'string', path: '.status.signalTargetDisplay' },
    { name: 'Workflow', type: 'string', path: '.status.workflowDisplayName' },
    AGE,
    { name: 'RCA Target', type: 'string', path: '.status.targetDisplay', priority: 1 },
    { name: 'RCA NS', type: 'string', path: '.status.remediationTarget.namespace', priority: 1 },
    { name: 'Confidence', type: 'string', path: '.status.confidence', priority: 1 },
    { name: 'Cluster', type: 'string', path: '.spec.clusterID', priority: 1 },
    { name: 'Source', type: 'string', path: '.spec.signalSource', priority: 1 },
  ],
  sample: remediationRequestSample,
});
export type RemediationRequest = ObjectOf<typeof RemediationRequest>;
