import { AGE, defineKind } from '../define-kind.ts';
import { PASCAL_CASE, purpose } from '../parts/catalogue.ts';
import { PIPELINE } from '../parts/group.ts';
import { dependencies, engine, parameterDeclarations } from '../parts/plan.ts';
import type { ObjectOf } from '../resource.ts';
import { anyObject, conditions, decimal, flag, list, object, optional, partial, text, textMap, texts, time } from '../schema/index.ts';
import { remediationWorkflowSample } from './sample.ts';

const EMAIL = '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$';
const SEMVER = '^v?(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?$';

export const remediationWorkflowSpec = object('What the workflow does, where it fits and how it runs.', {
  version: text('Semantic version of the content.', { max: 50, pattern: SEMVER }),
  actionType: text('What it does, as the name of an ActionType.', { max: 255, pattern: PASCAL_CASE }),
  description: purpose('What it does, for people and for the analyst.'),
  labels: object('What it applies to; "*" stands for everything.', {
    severity: texts('Severities.', { min: 1 }),
    component: texts('Kinds of resource.', { min: 1 }),
    environment: texts('Environments.', { min: 1 }),
    priority: text('Priority.', { min: 1 }),
    cluster: optional(texts('Clusters.')),
  }),
  customLabels: optional(textMap('Labels of your own that a target must have.')),
  detectedLabels: optional(anyObject('What kind of workload it fits, by the names of the detected labels.')),
  execution: object('How it runs.', {
    engine: engine({ default: 'tekton' }),
    bundle: optional(text('Image or bundle that is run.')),
    bundleDigest: optional(text('Digest that pins its content.', { max: 128 })),
    engineConfig: optional(anyObject('Settings that only the engine understands.')),
    serviceAccountName: optional(text('ServiceAccount that it runs as.', { max: 253 })),
  }),
  parameters: parameterDeclarations('Its parameters.', { min: 1 }),
  rollbackParameters: optional(parameterDeclarations('Parameters of its rollback.')),
  dependencies: optional(dependencies()),
  maintainers: optional(
    list(
      'Who maintains it.',
      object('One of them.', { name: text('Name.', { min: 1 }), email: text('Address.', { max: 254, pattern: EMAIL }) }),
    ),
  ),
  scalesToZero: optional(flag('Whether it scales the target to zero on purpose, so that zero replicas do not count as unhealthy.')),
  dryRun: optional(flag('Whether remediations that select it stop after the analysis.')),
  undo: optional(
    object(
      'When its change is rolled back, by a separate remediation that is subject to policy and approval; never where this is absent.',
      {
        onScoreBelow: decimal('A remediation that is Inconclusive and scores less than this is rolled back.', { min: 0.01, max: 1 }),
      },
    ),
  ),
});

export const remediationWorkflowStatus = partial('Its state in the catalogue.', {
  workflowId: text('Id in the catalogue.', { max: 253 }),
  catalogStatus: text('Whether it can be selected: Active, Disabled, Deprecated or Invalid.', { max: 63 }),
  registeredAt: time('When it was registered in the catalogue.'),
  registeredBy: text('The user who registered it.'),
  previouslyExisted: flag('Whether the same content had been registered before.'),
  contentHash: text('Hash of the content.', { max: 128 }),
  conditions: conditions(['Ready']),
});

/** One entry of the catalogue. */
export const RemediationWorkflow = defineKind({
  ...PIPELINE,
  kind: 'RemediationWorkflow',
  plural: 'remediationworkflows',
  shortNames: ['rw'],
  description: 'A reviewed workflow that may be selected for a problem. All of them together are the catalogue.',
  spec: remediationWorkflowSpec,
  status: remediationWorkflowStatus,
  columns: [
    { name: 'Action', type: 'string', path: '.spec.actionType' },
    { name: 'Engine', type: 'string', path: '.spec.execution.engine' },
    { name: 'Version', type: 'string', path: '.spec.version' },
    AGE,
    { name: 'UUID', type: 'string', path: '.status.workflowId', priority: 1 },
    { name: 'Status', type: 'string', path: '.status.catalogStatus', priority: 1 },
  ],
  sample: remediationWorkflowSample,
});
export type RemediationWorkflow = ObjectOf<typeof RemediationWorkflow>;
