import { describe, expect, test } from 'vitest';
import { after, HOUR, MINUTE, SECOND, toTime } from '../../../../base/index.ts';
import { anExecution, NOW, TARGET } from '../../testing/builders.ts';
import { runName } from '../../names.ts';
import { pipelineRunDraft } from './pipeline-run-draft.ts';

type Spec = Parameters<typeof anExecution>[0] & object;

const at = { namespace: 'kubernaut-workflows', now: NOW };
const workflowRef = {
  workflowId: 'restart',
  version: '1.0.0',
  executionBundle: 'registry.example.com/workflows/restart',
  executionBundleDigest: `sha256:${'a'.repeat(64)}`,
  executionEngine: 'tekton',
} as const;
const draft = (spec: NonNullable<Spec['spec']> = {}) => pipelineRunDraft(anExecution({ spec: { workflowRef, ...spec } }), at);

describe('the PipelineRun of an execution', () => {
  test('is held, named after its target, and marked as ours', () => {
    const { metadata, spec } = draft();
    expect(spec.status).toBe('PipelineRunPending');
    expect(metadata).toMatchObject({
      name: runName({ targetResource: TARGET }),
      labels: {
        'kubernaut.ai/workflow-execution': 'we-rr-1',
        'kubernaut.ai/source-namespace': 'sickbay-system',
        'kubernaut.ai/target-resource': 'shop__Deployment__checkout',
        'kubernaut.ai/execution-engine': 'tekton',
      },
      annotations: { 'kubernaut.ai/target-resource': TARGET },
    });
  });

  test('[WE-175] runs in the execution namespace, whatever the namespace of the execution and the target', () => {
    expect(draft().metadata.namespace).toBe('kubernaut-workflows');
  });

  test('takes the pipeline from the bundle, by digest', () => {
    expect(draft().spec.pipelineRef).toEqual({
      resolver: 'bundles',
      params: [
        { name: 'bundle', value: `registry.example.com/workflows/restart@sha256:${'a'.repeat(64)}` },
        { name: 'name', value: 'workflow' },
        { name: 'kind', value: 'pipeline' },
      ],
    });
  });

  test.each([
    { engineConfig: { pipelineName: 'restart' }, name: 'restart' },
    { engineConfig: { pipelineName: '' }, name: 'workflow' },
    { engineConfig: { pipelineName: 7 }, name: 'workflow' },
    { engineConfig: {}, name: 'workflow' },
  ])('$engineConfig names pipeline $name', ({ engineConfig, name }) => {
    const { params } = draft({ workflowRef: { ...workflowRef, engineConfig } }).spec.pipelineRef ?? {};
    expect(params).toContainEqual({ name: 'name', value: name });
  });

  test('[WE-189] every parameter is a param, and so is what the system says of the target', () => {
    expect(draft({ parameters: { GRACE: '30', MODE: 'rolling' }, targetUID: 'uid-of-checkout' }).spec.params).toEqual([
      { name: 'GRACE', value: '30' },
      { name: 'MODE', value: 'rolling' },
      { name: 'TARGET_RESOURCE', value: TARGET },
      { name: 'TARGET_UID', value: 'uid-of-checkout' },
      { name: 'WORKFLOW_EXECUTION', value: 'we-rr-1' },
    ]);
  });

  test('what the workflow depends on comes as workspaces, each once', () => {
    const dependencies = { secrets: [{ name: 'db' }, { name: 'db' }], configMaps: [{ name: 'rules' }] };
    expect(draft({ workflowRef: { ...workflowRef, dependencies } }).spec.workspaces).toEqual([
      { name: 'secret-db', secret: { secretName: 'db' } },
      { name: 'configmap-rules', configMap: { name: 'rules' } },
    ]);
  });

  test.each([
    { engineConfig: {}, user: {} },
    { engineConfig: { runAsUser: 1000 }, user: { runAsUser: 1000 } },
    { engineConfig: { runAsUser: 0 }, user: {} },
  ])('$engineConfig: its pods are not root, under the default seccomp profile', ({ engineConfig, user }) => {
    expect(draft({ workflowRef: { ...workflowRef, engineConfig } }).spec.taskRunTemplate?.podTemplate).toEqual({
      securityContext: { runAsNonRoot: true, ...user, seccompProfile: { type: 'RuntimeDefault' } },
    });
  });

  test.each([
    { serviceAccountName: 'workflow-restart', account: 'workflow-restart' },
    { serviceAccountName: undefined, account: 'kubernaut-workflow-runner' },
  ])('account $serviceAccountName: runs as $account', ({ serviceAccountName, account }) => {
    const ref = { ...workflowRef, ...(serviceAccountName ? { serviceAccountName } : {}) };
    expect(draft({ workflowRef: ref }).spec.taskRunTemplate?.serviceAccountName).toBe(account);
  });

  // In the form that Go gives them: Tekton would rewrite any other.
  test.each([
    { left: 90 * SECOND, pipeline: '1m30s' },
    { left: 2 * HOUR, pipeline: '2h0m0s' },
    { left: MINUTE, pipeline: '1m0s' },
    { left: 10, pipeline: '1s' },
  ])('with $left ms left it may take $pipeline', ({ left, pipeline }) => {
    expect(draft({ timesOutAt: toTime(after(NOW, Math.max(0, left))) }).spec.timeouts).toEqual({ pipeline });
  });
});
