import type { TSchema } from 'typebox';
import {
  CONDITION_TYPE_PATTERN,
  duration,
  enumOf,
  int32,
  intOrString,
  labelSelector,
  list,
  object,
  onceSet,
  optional,
  partial,
  text,
} from '../schema/index.ts';
import type { Rule } from '../schema/index.ts';
import { safeguardsSchema } from './safeguards.ts';

/** The versions that are served. Each has its own spelling of the spec, and its own meaning of `maxUnhealthy`. */
export const MHC_VERSIONS = ['v1beta2', 'v1beta1', 'v1alpha3'] as const;
export type MhcVersion = (typeof MHC_VERSIONS)[number];

const MAX_INT32 = 2 ** 31 - 1;
const PERCENT = '^(100|[1-9]?[0-9])%$';

const threshold = (description: string) => intOrString(description, { min: 0, max: MAX_INT32, pattern: PERCENT });

const range = (description: string) =>
  text(description, {
    min: 1,
    max: 32,
    pattern: '^\\[[0-9]{1,10}-[0-9]{1,10}\\]$',
    rules: [
      {
        rule: "int(self.substring(1, self.indexOf('-'))) <= int(self.substring(self.indexOf('-') + 1, self.size() - 1))",
        message: 'the range must begin below its end',
      },
      { rule: `int(self.substring(self.indexOf('-') + 1, self.size() - 1)) <= ${MAX_INT32}`, message: 'the range must end within 32 bits' },
    ],
  });

const startup: Rule[] = [
  {
    rule: "duration(self) == duration('0s') || duration(self) >= duration('30s')",
    message: 'must be at least 30s, or 0 to switch the check off',
  },
];
const startupSeconds: Rule[] = [{ rule: 'self == 0 || self >= 30', message: 'must be at least 30, or 0 to switch the check off' }];

/** Conditions that the check itself writes, or that follow from those: watching them would feed the check its own result. */
const notOurOwn: Rule = {
  rule: "!(self.type in ['Ready', 'Available', 'HealthCheckSucceeded', 'OwnerRemediated', 'ExternallyRemediated'])",
  message: 'must not be one of Ready, Available, HealthCheckSucceeded, OwnerRemediated, ExternallyRemediated',
  fieldPath: '.type',
};

const timeout = { timeout: duration('How long the status may last before the Machine counts as unhealthy.') };
const timeoutSeconds = {
  timeoutSeconds: int32('How long the status may last before the Machine counts as unhealthy, in seconds.', { min: 0 }),
};

const ofNode = {
  type: text('Type of the Node condition.', { min: 1, max: 316 }),
  status: text('Status that counts as unhealthy, e.g. False or Unknown.', { min: 1, max: 63 }),
};

const ofMachine = {
  type: text('Type of the Machine condition.', { min: 1, max: 316, pattern: CONDITION_TYPE_PATTERN }),
  status: enumOf('Status that counts as unhealthy.', ['True', 'False', 'Unknown']),
};

const nodeConditions = <T extends TSchema>(state: T, options: { readonly min?: number } = {}) =>
  list('Conditions of a Node that make its Machine unhealthy when they last for their timeout; one is enough.', state, {
    ...options,
    max: 100,
    atomic: true,
  });

const machineConditions = <T extends TSchema>(state: T) =>
  list('Conditions of the Machine itself that make it unhealthy when they last for their timeout; one is enough.', state, {
    min: 1,
    max: 100,
    atomic: true,
  });

const templateMembers = {
  apiVersion: text('API group and version of the template.', {
    min: 1,
    max: 317,
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/[a-z]([-a-z0-9]*[a-z0-9])?$',
  }),
  kind: text('Kind of the template; the request is of the same kind without the ending Template.', {
    min: 1,
    max: 63,
    pattern: '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$',
  }),
  name: text('Name of the template.', { min: 1, max: 253, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$' }),
};

const template = (spelling: string) =>
  object(`Template of the request that an external remediator acts on (${spelling}); absent: the Machine's owner remediates.`, {
    ...templateMembers,
    namespace: optional(text('Namespace of the template; only that of the check itself is accepted.', { max: 63 })),
    uid: optional(text('Not used.', { max: 128 })),
    resourceVersion: optional(text('Not used.', { max: 128 })),
    fieldPath: optional(text('Not used.', { max: 1024 })),
  });

const v1beta1Spelling = {
  unhealthyConditions: optional(nodeConditions(object('One state.', { ...ofNode, ...timeout }))),
  unhealthyMachineConditions: optional(machineConditions(object('One state.', { ...ofMachine, ...timeout }, { rules: [notOurOwn] }))),
  nodeStartupTimeout: optional(duration('How long a Machine may go without a Node: 10m when absent, 0 for no limit.', { rules: startup })),
  maxUnhealthy: optional(
    threshold(
      'Number or share of unhealthy Machines. Written in v1alpha3: remediation stops at this many. In v1beta1: up to this many are remediated.',
    ),
  ),
  unhealthyRange: optional(
    range('Only while the number of unhealthy Machines lies in [min-max] is anything remediated; wins over maxUnhealthy.'),
  ),
  remediationTemplate: optional(template('v1beta1')),
  externalRemediationTemplate: optional(template('v1alpha3')),
};

const v1beta2Spelling = {
  checks: optional(
    partial('What makes a Machine unhealthy.', {
      nodeStartupTimeoutSeconds: int32('How long a Machine may go without a Node: 600 when absent, 0 for no limit.', {
        min: 0,
        rules: startupSeconds,
      }),
      unhealthyNodeConditions: nodeConditions(object('One state.', { ...ofNode, ...timeoutSeconds }), { min: 1 }),
      unhealthyMachineConditions: machineConditions(object('One state.', { ...ofMachine, ...timeoutSeconds }, { rules: [notOurOwn] })),
    }),
  ),
  remediation: optional(
    partial(
      'When and how remediation is requested.',
      {
        triggerIf: partial(
          'When remediation is requested.',
          {
            unhealthyLessThanOrEqualTo: threshold('Up to this number or share of unhealthy Machines are remediated.'),
            unhealthyInRange: range(
              'Only while the number of unhealthy Machines lies in [min-max] is anything remediated; wins over the other limit.',
            ),
          },
          { minProperties: 1 },
        ),
        templateRef: object('Template of the request that an external remediator acts on, in the namespace of the check.', templateMembers),
      },
      { minProperties: 1 },
    ),
  ),
};

const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';

const rules: readonly Rule[] = [
  {
    // A client that knows one version only drops the other spellings when it writes an object back. The gate would open without a word.
    rule: 'self.writtenAs == oldSelf.writtenAs || (has(self.remediation) && has(self.remediation.triggerIf))',
    message: 'writtenAs decides what maxUnhealthy means and must stay, unless remediation.triggerIf states the limit again',
    fieldPath: '.writtenAs',
  },
  {
    rule: "self.writtenAs == 'v1alpha3' || has(self.clusterName)",
    message: 'clusterName is required',
    fieldPath: '.clusterName',
    reason: 'FieldValueRequired',
  },
  onceSet('clusterName'),
  {
    rule: `!has(self.clusterName) || !has(self.selector.matchLabels) || !('${CLUSTER_LABEL}' in self.selector.matchLabels) || self.selector.matchLabels['${CLUSTER_LABEL}'] == self.clusterName`,
    message: `the label ${CLUSTER_LABEL} must be the clusterName`,
    fieldPath: '.selector.matchLabels',
  },
  spelledOnce('unhealthyConditions', 'checks.unhealthyNodeConditions'),
  spelledOnce('unhealthyMachineConditions', 'checks.unhealthyMachineConditions'),
  spelledOnce('nodeStartupTimeout', 'checks.nodeStartupTimeoutSeconds'),
  spelledOnce('maxUnhealthy', 'remediation.triggerIf.unhealthyLessThanOrEqualTo'),
  spelledOnce('unhealthyRange', 'remediation.triggerIf.unhealthyInRange'),
  spelledOnce('externalRemediationTemplate', 'remediationTemplate', 'remediation.templateRef'),
];

/** Every spelling in one schema; only the default of `writtenAs` tells the versions apart. Read it through `normalise`. */
export const machineHealthCheckSpec = (version: MhcVersion) =>
  object(
    'Which Machines are watched, what makes one unhealthy, and when remediation is requested.',
    {
      clusterName: optional(text('Cluster that the Machines belong to; may be absent in the v1alpha3 form only.', { min: 1, max: 63 })),
      selector: labelSelector('Labels of the Machines that are watched.'),
      writtenAs: optional(
        enumOf('Version that the check was written in, which decides what maxUnhealthy means; set by the server.', MHC_VERSIONS, {
          default: version,
        }),
      ),
      ...v1beta1Spelling,
      ...v1beta2Spelling,
      safeguards: optional(safeguardsSchema),
    },
    { rules },
  );

/**
 * Members that are different spellings of one thing: at most one may be there, so that no reader has to choose.
 * @example spelledOnce('maxUnhealthy', 'remediation.triggerIf.unhealthyLessThanOrEqualTo')
 */
function spelledOnce(...paths: readonly string[]): Rule {
  const pairs = paths.flatMap((one, i) => paths.slice(i + 1).map((other) => `!(${isThere(one)} && ${isThere(other)})`));
  return { rule: pairs.join(' && '), message: `${paths.join(' and ')} say the same: give one of them` };
}

function isThere(path: string): string {
  const steps = path.split('.');
  return steps.map((_, i) => `has(self.${steps.slice(0, i + 1).join('.')})`).join(' && ');
}
