import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { anExecution } from '../testing/builders.ts';
import { firstFault } from './validate-plan.ts';

type Spec = WorkflowExecution['spec'];
const fault = (change: Partial<Spec>): string | undefined => firstFault(anExecution({ spec: change }).spec);
const workflow = (change: Partial<Spec['workflowRef']>): Partial<Spec> => ({
  workflowRef: { ...anExecution().spec.workflowRef, ...change },
});

describe('a spec', () => {
  test.each<[string, Partial<Spec>]>([
    ['as the orchestrator writes it', {}],
    ['[WE-039] with a target namespace/Kind/name', { targetResource: 'shop/Deployment/checkout' }],
    ['[WE-040] with a target Kind/name', { targetResource: 'Node/worker-1' }],
    ['without parameters', { parameters: {} }],
    ['with a digest', workflow({ executionBundleDigest: `sha256:${'1'.repeat(64)}` })],
    ['with engine settings', workflow({ engineConfig: { command: ['sh'], args: ['-c', 1, true], runAsUser: 65532, more: {} } })],
    ['with a declared parameter', { parameters: { REVISION: '1' }, ...workflow({ declaredParameterNames: { REVISION: true } }) }],
    ['whose workflow declares nothing', { parameters: { ANYTHING: 'goes' } }],
    [
      'with parameters that name the target',
      { parameters: { TARGET_RESOURCE_KIND: 'Deployment', TARGET_RESOURCE_NAME: 'checkout', TARGET_RESOURCE_NAMESPACE: 'shop' } },
    ],
    [
      'with a cluster-scoped target',
      { targetResource: 'Node/a', parameters: { TARGET_RESOURCE_KIND: 'Node', TARGET_RESOURCE_NAMESPACE: '' } },
    ],
  ])('%s can be run', (_, change) => expect(fault(change)).toBeUndefined());

  test.each<[string, Partial<Spec>, RegExp]>([
    ['[WE-038] without a bundle', workflow({ executionBundle: '' }), /executionBundle/],
    ['[WE-038] with a blank bundle', workflow({ executionBundle: ' ' }), /executionBundle/],
    ['with a digest that is none', workflow({ executionBundleDigest: 'latest' }), /not a sha256 digest/],
    [
      'with two digests',
      workflow({ executionBundle: `image@sha256:${'1'.repeat(64)}`, executionBundleDigest: `sha256:${'2'.repeat(64)}` }),
      /another digest/,
    ],
    ['with a command that is no list', workflow({ engineConfig: { command: 'sh -c true' } }), /engineConfig.command/],
    ['with arguments that are no words', workflow({ engineConfig: { args: ['a', { b: 'c' }] } }), /engineConfig.args/],
    ['with arguments that are nothing', workflow({ engineConfig: { args: null } }), /engineConfig.args/],
    ['as root', workflow({ engineConfig: { runAsUser: 0 } }), /runAsUser/],
    ['as a user of the wrong type', workflow({ engineConfig: { runAsUser: '65532' } }), /runAsUser/],
    ['as an account that cannot be', workflow({ serviceAccountName: 'My_Account' }), /"My_Account"/],
    ['[WE-041] with a target of one part', { targetResource: 'checkout' }, /targetResource/],
    ['[WE-041] with a target of four parts', { targetResource: 'a/b/c/d' }, /targetResource/],
    ...['', '/', 'shop//checkout', '/Deployment/checkout', 'shop/Deployment/', '/worker-1', 'Node/', '//', 'a/b/c/d/e'].map(
      (targetResource): [string, Partial<Spec>, RegExp] => [
        `[WE-041] with a target "${targetResource}", which has an empty part or too many`,
        { targetResource },
        /targetResource .* is neither namespace\/Kind\/name nor Kind\/name/,
      ],
    ),
    ['[WE-173] with a playbook that has no template', workflow({ executionEngine: 'ansible', engineConfig: {} }), /jobTemplateName/],
    [
      '[WE-173] with a playbook whose template has no name',
      workflow({ executionEngine: 'ansible', engineConfig: { jobTemplateName: ' ' } }),
      /jobTemplateName/,
    ],
    ['[WE-047] with an engine that is not there', workflow({ executionEngine: 'other' as 'job' }), /engine other/],
    ['with a pipeline that has no name', workflow({ executionEngine: 'tekton', engineConfig: { pipelineName: ' ' } }), /pipelineName/],
    ['with a pipeline whose name is no text', workflow({ executionEngine: 'tekton', engineConfig: { pipelineName: 7 } }), /pipelineName/],
    [
      'with a value that Tekton would replace',
      { parameters: { REVISION: '$(params.OTHER)' }, ...workflow({ executionEngine: 'tekton' }) },
      /REVISION/,
    ],
    ['with an undeclared parameter', { parameters: { B: '2', A: '1' }, ...workflow({ declaredParameterNames: { C: true } }) }, /A, B/],
    [
      'with a parameter that every object inherits',
      { parameters: { constructor: '' }, ...workflow({ declaredParameterNames: {} }) },
      /constructor/,
    ],
    ['[WE-181] with a parameter that stands in for a system variable', { parameters: { TARGET_RESOURCE: 'x' } }, /TARGET_RESOURCE/],
    [
      'with a parameter that would send the token elsewhere',
      { parameters: { KUBERNETES_SERVICE_HOST: 'evil' } },
      /KUBERNETES_SERVICE_HOST/,
    ],
    ['with a parameter that is no variable', { parameters: { 'a=b': '' } }, /"a=b"/],
    ['[WE-187] with a parameter in lower case', { parameters: { revision: '1' } }, /"revision".*UPPER_SNAKE_CASE/],
    ['[WE-187] with a parameter in mixed case', { parameters: { drainTimeout: '1' } }, /UPPER_SNAKE_CASE/],
    ...[
      'WFE_NAME',
      'RR_NAMESPACE',
      'K8S_AUTH_HOST',
      'NODE_OPTIONS',
      'LD_PRELOAD',
      'PATH',
      'HTTPS_PROXY',
      'KUBERNAUT_SECRET_TOKEN_KEY',
      'KUBERNAUT_CONFIGMAP_HOSTS_A',
    ].map((name): [string, Partial<Spec>, RegExp] => [
      `[WE-181] with a parameter ${name}`,
      { parameters: { [name]: 'x' } },
      /the system sets/,
    ]),
    ['[WE-184] with another kind than the target', { parameters: { TARGET_RESOURCE_KIND: 'StatefulSet' } }, /TARGET_RESOURCE_KIND/],
    ['[WE-183] with another name than the target', { parameters: { TARGET_RESOURCE_NAME: 'cart' } }, /TARGET_RESOURCE_NAME/],
    ['[WE-185] with another namespace than the target', { parameters: { TARGET_RESOURCE_NAMESPACE: 'prod' } }, /TARGET_RESOURCE_NAMESPACE/],
  ])('%s cannot', (_, change, says) => expect(fault(change)).toMatch(says));

  test('without an engine cannot either', () => {
    const { executionEngine: _, ...workflowRef } = anExecution().spec.workflowRef;
    expect(fault({ workflowRef })).toMatch(/engine/);
  });

  test('says one thing at a time, the first thing first', () =>
    expect(fault({ targetResource: '', ...workflow({ executionBundle: '' }) })).toMatch(/executionBundle/));
});
