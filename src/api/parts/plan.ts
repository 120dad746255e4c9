import {
  any,
  anyObject,
  decimal,
  digest,
  enumOf,
  flag,
  intOrString,
  list,
  map,
  object,
  optional,
  partial,
  text,
  textMap,
  texts,
} from '../schema/index.ts';

const QUANTITY = '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

/** The systems that can run a workflow. */
export const ENGINES = ['tekton', 'job', 'ansible'] as const;
export type Engine = (typeof ENGINES)[number];

export const engine = (options: { readonly default?: Engine } = {}) => enumOf('System that runs the workflow.', ENGINES, options);

/** What identifies a workflow and the exact content that would run. */
export const workflowIdentity = {
  workflowId: text('Id of the workflow in the catalogue.'),
  version: text('Version of the workflow.'),
  executionBundle: text('Image or bundle that is run.'),
};

/** Copied from the catalogue when the workflow was selected, so that a later edit there changes nothing here. */
export const workflowSnapshot = {
  executionBundleDigest: optional(text('Digest that pins the content of the bundle.', { max: 128 })),
  workflowName: optional(text('Name of the RemediationWorkflow.', { max: 253 })),
  actionType: optional(text('What the workflow does, as the name of an ActionType.', { max: 255 })),
  executionEngine: optional(engine()),
  engineConfig: optional(anyObject('Settings that only the engine understands.')),
  serviceAccountName: optional(text('ServiceAccount that the workflow runs as.', { max: 253 })),
  dependencies: optional(dependencies()),
  resources: optional(resources()),
  declaredParameterNames: optional(map('Parameters that the workflow declares; others are refused.', flag('Always true.'))),
};

export const parameters = () => textMap('Values for the parameters of the workflow, by name.');

/** Digest over workflow, version, bundle, parameters and target: an approval counts for exactly this plan. */
export const planDigest = () =>
  digest('Digest of workflow, version, bundle, parameters and target; approval and execution must agree on it.');

export function dependencies() {
  const named = (what: string) => object(`One ${what}.`, { name: text(`Name of the ${what}.`, { min: 1, max: 253 }) });
  return partial('What must exist in the execution namespace before the workflow can run.', {
    secrets: list('Secrets that the workflow reads.', named('Secret')),
    configMaps: list('ConfigMaps that the workflow reads.', named('ConfigMap')),
  });
}

/** corev1.ResourceRequirements without claims. */
function resources() {
  const quantities = (description: string) => map(description, intOrString('An amount such as 100m or 128Mi.', { pattern: QUANTITY }));
  return partial('Compute resources of the run.', {
    limits: quantities('The most that the run may use.'),
    requests: quantities('The least that the run needs.'),
  });
}

/** How a policy judged a plan. */
export const policyEvaluation = () =>
  object('Result of the approval policy for the plan.', {
    policyName: text('Policy that was evaluated.'),
    matchedRules: optional(texts('Rules that matched.')),
    decision: enumOf('What it said.', ['Approved', 'ManualReviewRequired', 'Denied', 'DegradedMode']),
    policyHash: optional(text('Hash of the policy text, to identify the version that was evaluated.', { max: 128 })),
  });

export const confidenceLevel = () => enumOf('The confidence in words.', ['low', 'medium', 'high']);

/** Another way that was looked at and not taken. */
export const alternativesConsidered = () =>
  list(
    'Alternatives that were considered.',
    object('One of them.', { approach: text('What would have been done.'), prosCons: text('Its advantages and disadvantages.') }),
  );

/** One parameter of a workflow. */
export const parameterDeclarations = (description: string, options: { readonly min?: number } = {}) =>
  list(
    description,
    object('One parameter.', {
      name: text('Name of the parameter, in UPPER_SNAKE_CASE by custom.', { min: 1, max: 253 }),
      type: enumOf('Type of its value.', ['string', 'integer', 'boolean', 'array', 'float']),
      required: flag('Whether a value must be given.'),
      description: text('What the value means.'),
      enum: optional(texts('The only values that are accepted.')),
      pattern: optional(text('Pattern that the value must match.')),
      minimum: optional(decimal('Smallest value that is accepted.')),
      maximum: optional(decimal('Largest value that is accepted.')),
      default: optional(any('Value that is used when none is given.')),
      dependsOn: optional(texts('Parameters that must be given together with this one.')),
    }),
    { ...options, keys: ['name'] },
  );
