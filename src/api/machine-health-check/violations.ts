import { changedOrRemoved, type Edits, type Violation } from '../violation.ts';

/** The sample in the spelling of v1beta1, with both the template of v1beta1 and, one line further down, that of v1alpha3. */
export const V1BETA1_SPELLING: Edits = {
  '/spec/checks': undefined,
  '/spec/remediation': undefined,
  '/spec/writtenAs': 'v1beta1',
  '/spec/unhealthyConditions': [{ type: 'Ready', status: 'Unknown', timeout: '5m' }],
  '/spec/unhealthyMachineConditions': [{ type: 'NodeHealthy', status: 'False', timeout: '10m' }],
  '/spec/nodeStartupTimeout': '10m',
  '/spec/maxUnhealthy': '40%',
  '/spec/unhealthyRange': '[1-3]',
  '/spec/remediationTemplate': template(),
};

export const V1ALPHA3_SPELLING: Edits = {
  ...V1BETA1_SPELLING,
  '/spec/writtenAs': 'v1alpha3',
  '/spec/clusterName': undefined,
  '/spec/remediationTemplate': undefined,
  '/spec/externalRemediationTemplate': template(),
};

function template() {
  return {
    apiVersion: 'remediation.sickbay.dev/v1alpha1',
    kind: 'PowerCycleRemediationTemplate',
    name: 'workers',
    namespace: 'sickbay-system',
    uid: '1',
    resourceVersion: '1',
    fieldPath: 'spec',
  };
}

const writtenAs = 'writtenAs decides what maxUnhealthy means and must stay, unless remediation.triggerIf states the limit again';
const twice = (...paths: readonly string[]): string => `${paths.join(' and ')} say the same: give one of them`;
const templates = twice('externalRemediationTemplate', 'remediationTemplate', 'remediation.templateRef');
const notOurOwn = 'must not be one of Ready, Available, HealthCheckSucceeded, OwnerRemediated, ExternallyRemediated';
const values = 'In and NotIn need values, Exists and DoesNotExist take none';
const requirement = 'spec.selector.matchExpressions[0].values';
const order = 'the range must begin below its end';
const bits = 'the range must end within 32 bits';
const inRange = { field: 'spec.remediation.triggerIf.unhealthyInRange', pointer: '/spec/remediation/triggerIf/unhealthyInRange' };

export const machineHealthCheckViolations: readonly Violation[] = [
  {
    rule: writtenAs,
    field: 'spec.writtenAs',
    from: V1ALPHA3_SPELLING,
    to: { '/spec/writtenAs': 'v1beta1', '/spec/clusterName': 'prod-eu-1' },
  },
  // What a client that knows v1beta2 only makes of a check written in v1beta1: the limit is gone, the default of its version is there.
  {
    rule: writtenAs,
    field: 'spec.writtenAs',
    from: V1BETA1_SPELLING,
    to: { '/spec/writtenAs': undefined, '/spec/maxUnhealthy': undefined },
  },
  { rule: 'clusterName is required', field: 'spec.clusterName', to: { '/spec/clusterName': undefined } },
  ...changedOrRemoved('clusterName is immutable once it is set', {
    field: 'spec.clusterName',
    pointer: '/spec/clusterName',
    value: 'prod-us-1',
  }).map((violation) => ({
    ...violation,
    from: { '/spec/writtenAs': 'v1alpha3' },
  })),
  {
    rule: 'the label cluster.x-k8s.io/cluster-name must be the clusterName',
    field: 'spec.selector.matchLabels',
    to: { '/spec/selector/matchLabels/cluster.x-k8s.io~1cluster-name': 'prod-us-1' },
  },
  { rule: 'selector must not be empty', field: 'spec.selector', to: { '/spec/selector': {} } },
  { rule: 'selector must not be empty', field: 'spec.selector', to: { '/spec/selector': { matchLabels: {}, matchExpressions: [] } } },
  { rule: values, field: requirement, to: { '/spec/selector/matchExpressions/0/values': undefined } },
  { rule: values, field: requirement, to: { '/spec/selector/matchExpressions/0/operator': 'Exists' } },
  {
    rule: twice('unhealthyConditions', 'checks.unhealthyNodeConditions'),
    field: 'spec',
    to: { '/spec/unhealthyConditions': [{ type: 'Ready', status: 'Unknown', timeout: '5m' }] },
  },
  {
    rule: twice('unhealthyMachineConditions', 'checks.unhealthyMachineConditions'),
    field: 'spec',
    to: { '/spec/unhealthyMachineConditions': [{ type: 'NodeHealthy', status: 'False', timeout: '5m' }] },
  },
  { rule: twice('nodeStartupTimeout', 'checks.nodeStartupTimeoutSeconds'), field: 'spec', to: { '/spec/nodeStartupTimeout': '5m' } },
  { rule: twice('maxUnhealthy', 'remediation.triggerIf.unhealthyLessThanOrEqualTo'), field: 'spec', to: { '/spec/maxUnhealthy': 2 } },
  { rule: twice('unhealthyRange', 'remediation.triggerIf.unhealthyInRange'), field: 'spec', to: { '/spec/unhealthyRange': '[1-2]' } },
  { rule: templates, field: 'spec', to: { '/spec/remediationTemplate': template() } },
  { rule: templates, field: 'spec', to: { '/spec/externalRemediationTemplate': template() } },
  { rule: order, field: inRange.field, to: { [inRange.pointer]: '[3-1]' } },
  { rule: bits, field: inRange.field, to: { [inRange.pointer]: '[1-2147483648]' } },
  { rule: order, field: 'spec.unhealthyRange', to: { ...V1BETA1_SPELLING, '/spec/unhealthyRange': '[3-1]' } },
  { rule: bits, field: 'spec.unhealthyRange', to: { ...V1BETA1_SPELLING, '/spec/unhealthyRange': '[1-9999999999]' } },
  {
    rule: notOurOwn,
    field: 'spec.checks.unhealthyMachineConditions[0].type',
    to: { '/spec/checks/unhealthyMachineConditions/0/type': 'OwnerRemediated' },
  },
  {
    rule: notOurOwn,
    field: 'spec.unhealthyMachineConditions[0].type',
    to: { ...V1BETA1_SPELLING, '/spec/unhealthyMachineConditions/0/type': 'Ready' },
  },
  {
    rule: 'must be at least 30, or 0 to switch the check off',
    field: 'spec.checks.nodeStartupTimeoutSeconds',
    to: { '/spec/checks/nodeStartupTimeoutSeconds': 29 },
  },
  {
    rule: 'must be at least 30s, or 0 to switch the check off',
    field: 'spec.nodeStartupTimeout',
    to: { ...V1BETA1_SPELLING, '/spec/nodeStartupTimeout': '29.9s' },
  },
];
