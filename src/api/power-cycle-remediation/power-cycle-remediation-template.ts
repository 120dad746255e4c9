import { AGE, defineKind } from '../define-kind.ts';
import { REMEDIATION } from '../parts/group.ts';
import { templateOf } from '../parts/template.ts';
import type { ObjectOf } from '../resource.ts';
import { powerCycleRemediationSample } from './sample.ts';
import { powerCycleSpec } from './spec.ts';

/** What a MachineHealthCheck names to have hosts power-cycled. */
export const PowerCycleRemediationTemplate = defineKind({
  ...REMEDIATION,
  kind: 'PowerCycleRemediationTemplate',
  plural: 'powercycleremediationtemplates',
  shortNames: ['pcrt'],
  description: 'What a MachineHealthCheck copies into a PowerCycleRemediation for each unhealthy Machine.',
  spec: templateOf(powerCycleSpec('Spec of the request.')),
  columns: [{ name: 'Strategy', type: 'string', path: '.spec.template.spec.strategy' }, AGE],
  sample: {
    metadata: { name: 'workers', namespace: powerCycleRemediationSample.metadata.namespace },
    spec: { template: { metadata: { labels: { rack: '4' }, annotations: { owner: 'hardware' } }, spec: powerCycleRemediationSample.spec } },
  },
});
export type PowerCycleRemediationTemplate = ObjectOf<typeof PowerCycleRemediationTemplate>;
