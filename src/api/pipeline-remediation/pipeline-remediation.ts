import { AGE, defineKind } from '../define-kind.ts';
import { REMEDIATION } from '../parts/group.ts';
import { phaseNames } from '../phases.ts';
import { OUTCOMES } from '../remediation-request/status.ts';
import type { ObjectOf } from '../resource.ts';
import { conditions, enumOf, int32, int64, objectReference, partial, text, time } from '../schema/index.ts';
import { pipelineRemediationPhases } from './phases.ts';
import { pipelineRemediationSample } from './sample.ts';
import { pipelineRemediationSpec } from './spec.ts';

export const pipelineRemediationRequestSpec = pipelineRemediationSpec('What the RemediationRequest contains.');

export const pipelineRemediationStatus = partial('Progress of the request.', {
  phase: enumOf('Where it stands.', phaseNames(pipelineRemediationPhases)),
  nodeName: text('The Node that it is about.', { max: 253 }),
  retryCount: int32('RemediationRequests after the first one, created for it or found active.', { min: 0 }),
  remediationRequestRef: objectReference('The active RemediationRequest, or the last one; without a UID it may not exist yet.'),
  cordonedBy: text('The RemediationRequest whose workflow cordoned the Node, as long as it is cordoned.', { max: 253 }),
  reopeningRef: objectReference('The RemediationRequest that uncordons the Node.'),
  outcome: enumOf('Outcome of the last RemediationRequest.', OUTCOMES),
  nextAttemptTime: time('When the next RemediationRequest is created.'),
  message: text('The state in one sentence, for people.'),
  observedGeneration: int64('Generation of the spec that was last observed.', { min: 0 }),
  conditions: conditions(['Ready']),
});

/** An external machine remediation that hands the Machine's Node to the pipeline. */
export const PipelineRemediation = defineKind({
  ...REMEDIATION,
  kind: 'PipelineRemediation',
  plural: 'pipelineremediations',
  shortNames: ['plr'],
  description:
    'Creates a RemediationRequest for the Node of the Machine of the same name, so that the Node goes through analysis, policy and approval like any other problem.',
  spec: pipelineRemediationRequestSpec,
  status: pipelineRemediationStatus,
  phases: pipelineRemediationPhases,
  columns: [
    { name: 'Phase', type: 'string', path: '.status.phase' },
    { name: 'Node', type: 'string', path: '.status.nodeName' },
    { name: 'Request', type: 'string', path: '.status.remediationRequestRef.name' },
    { name: 'Outcome', type: 'string', path: '.status.outcome' },
    { name: 'Retries', type: 'integer', path: '.status.retryCount' },
    AGE,
  ],
  sample: pipelineRemediationSample,
});
export type PipelineRemediation = ObjectOf<typeof PipelineRemediation>;
