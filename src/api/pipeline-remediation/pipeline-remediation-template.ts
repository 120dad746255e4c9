import { AGE, defineKind } from '../define-kind.ts';
import { REMEDIATION } from '../parts/group.ts';
import { templateOf } from '../parts/template.ts';
import type { ObjectOf } from '../resource.ts';
import { pipelineRemediationSample } from './sample.ts';
import { pipelineRemediationSpec } from './spec.ts';

/** What a MachineHealthCheck names to have its Machines handed to the pipeline. */
export const PipelineRemediationTemplate = defineKind({
  ...REMEDIATION,
  kind: 'PipelineRemediationTemplate',
  plural: 'pipelineremediationtemplates',
  shortNames: ['plrt'],
  description: 'What a MachineHealthCheck copies into a PipelineRemediation for each unhealthy Machine.',
  spec: templateOf(pipelineRemediationSpec('Spec of the request.')),
  columns: [AGE],
  sample: {
    metadata: { name: 'workers', namespace: pipelineRemediationSample.metadata.namespace },
    spec: { template: { metadata: { labels: { rack: '4' }, annotations: { owner: 'hardware' } }, spec: pipelineRemediationSample.spec } },
  },
});
export type PipelineRemediationTemplate = ObjectOf<typeof PipelineRemediationTemplate>;
