import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, SECOND, toTime } from '../../../../base/index.ts';
import { runName } from '../../names.ts';
import { anExecution, NOW, TARGET } from '../../testing/builders.ts';
import { COMMON_ACCOUNT, jobDraft } from './job-draft.ts';

type Spec = WorkflowExecution['spec'];
const draft = (spec: Partial<Spec> = {}) => jobDraft(anExecution({ spec }), 'kubernaut-workflows', NOW);
const workflow = (change: Partial<Spec['workflowRef']>): Partial<Spec> => ({
  workflowRef: { ...anExecution().spec.workflowRef, ...change },
});
const container = (spec: Partial<Spec> = {}) => draft(spec).spec.template.spec.containers[0];
const variables = (spec: Partial<Spec> = {}) => Object.fromEntries((container(spec)?.env ?? []).map(({ name, value }) => [name, value]));

describe('the Job of an execution', () => {
  test('[WE-107] [WE-174] is made in the execution namespace, under the name of the target', () =>
    expect(draft().metadata).toMatchObject({ name: runName({ targetResource: TARGET }), namespace: 'kubernaut-workflows' }));

  test('is created held, and acts at most once', () => {
    const { spec } = draft();
    expect(spec).toMatchObject({ suspend: true, backoffLimit: 0, podReplacementPolicy: 'Failed' });
    expect(spec.template.spec.restartPolicy).toBe('Never');
    expect(spec.podFailurePolicy).toBeUndefined();
    expect(spec.ttlSecondsAfterFinished).toBeUndefined();
  });

  test('carries its marks, and so do its pods', () => {
    const { metadata, spec } = draft();
    expect(metadata.labels).toMatchObject({ 'kubernaut.ai/workflow-execution-uid': 'wfe-1', 'kubernaut.ai/execution-engine': 'job' });
    expect(metadata.annotations).toEqual({ 'kubernaut.ai/target-resource': TARGET });
    expect(spec.template.metadata?.labels).toEqual(metadata.labels);
  });

  test('runs the bundle as the engine settings say', () => {
    expect(container()).toMatchObject({ name: 'workflow', image: 'sickbay/workflows:0.1.0', args: ['rollback-deployment'] });
    expect(container()).not.toHaveProperty('command');
    expect(container(workflow({ engineConfig: { command: ['sh', '-c', 'true'] } }))).toMatchObject({ command: ['sh', '-c', 'true'] });
  });

  test('runs the content that the catalogue pins, not what the tag leads to now', () => {
    const executionBundleDigest = `sha256:${'1'.repeat(64)}`;
    expect(container(workflow({ executionBundleDigest }))?.image).toBe(`sickbay/workflows:0.1.0@${executionBundleDigest}`);
    const executionBundle = `sickbay/workflows@${executionBundleDigest}`;
    expect(container(workflow({ executionBundle, executionBundleDigest }))?.image).toBe(executionBundle);
  });

  test('mounts what has a name that no volume may have, and each thing once', () => {
    const names = ['tls.crt', 'a'.repeat(253), 'tls.crt'];
    const { volumes = [], containers } = draft(workflow({ dependencies: { secrets: names.map((name) => ({ name })) } })).spec.template.spec;
    expect(volumes.map(({ secret }) => secret?.secretName)).toEqual([undefined, 'tls.crt', 'a'.repeat(253)]);
    for (const { name } of volumes) expect(name).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
    expect(new Set(volumes.map(({ name }) => name)).size).toBe(3);
    expect(containers[0]?.volumeMounts?.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
  });

  test('[WE-172] needs no engine settings', () => {
    const { engineConfig: _, ...workflowRef } = anExecution().spec.workflowRef;
    expect(container({ workflowRef })).not.toHaveProperty('args');
  });

  test.each([
    { config: { args: 'not a list' }, want: undefined },
    { config: { args: [] }, want: undefined },
    { config: { args: ['a', 1] }, want: ['a', '1'] },
  ])('takes only lists of strings from engine settings: $config.args', ({ config, want }) =>
    expect(container(workflow({ engineConfig: config }))?.args).toEqual(want),
  );

  test('[WE-182] [WE-186] [WE-188] gives the workflow its target and its parameters', () =>
    expect(variables({ parameters: { REVISION: '1', WHY: 'because' } })).toEqual({
      REVISION: '1',
      WHY: 'because',
      TARGET_RESOURCE: TARGET,
      WORKFLOW_EXECUTION: 'we-rr-1',
      HOME: '/tmp',
      TMPDIR: '/tmp',
    }));

  test('pins the target when its UID is known', () => expect(variables({ targetUID: 'u' })).toMatchObject({ TARGET_UID: 'u' }));

  test('lets no parameter stand in for a system variable', () =>
    expect(variables({ parameters: { HOME: '/root', TARGET_RESOURCE: 'x' } })).toMatchObject({ HOME: '/tmp', TARGET_RESOURCE: TARGET }));

  test('has no privileges', () => {
    expect(draft().spec.template.spec.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(container()?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test.each([
    { runAsUser: 65_532, want: 65_532 },
    { runAsUser: 0, want: undefined },
    { runAsUser: 'root', want: undefined },
    { runAsUser: -1, want: undefined },
  ])('runs as the user that the workflow names, but never as root: $runAsUser', ({ runAsUser, want }) =>
    expect(draft(workflow({ engineConfig: { runAsUser } })).spec.template.spec.securityContext?.['runAsUser']).toBe(want),
  );

  test('runs as the workflow’s own account, or as one that may do nothing', () => {
    const { serviceAccountName: _, ...workflowRef } = anExecution().spec.workflowRef;
    expect(draft().spec.template.spec.serviceAccountName).toBe('workflow-rollback-deployment');
    expect(draft({ workflowRef }).spec.template.spec.serviceAccountName).toBe(COMMON_ACCOUNT);
  });

  test('keeps its last output in the termination message', () =>
    expect(container()?.terminationMessagePolicy).toBe('FallbackToLogsOnError'));

  test('can write to /tmp and read what the workflow depends on', () => {
    const spec = workflow({ dependencies: { secrets: [{ name: 'pull' }], configMaps: [{ name: 'policy' }] } });
    expect(draft(spec).spec.template.spec.volumes).toEqual([
      { name: 'tmp', emptyDir: {} },
      { name: 'secret-pull', secret: { secretName: 'pull' } },
      { name: 'configmap-policy', configMap: { name: 'policy' } },
    ]);
    expect(container(spec)?.volumeMounts).toEqual([
      { name: 'tmp', mountPath: '/tmp' },
      { name: 'secret-pull', mountPath: '/run/kubernaut/secrets/pull', readOnly: true },
      { name: 'configmap-policy', mountPath: '/run/kubernaut/configmaps/policy', readOnly: true },
    ]);
  });

  test('gets the resources that the workflow asks for', () => {
    const resources = { limits: { memory: '128Mi' } };
    expect(container(workflow({ resources }))?.resources).toEqual(resources);
    expect(container()).not.toHaveProperty('resources');
  });

  const { timesOutAt: _, ...open } = anExecution().spec;
  test.each([
    { reason: 'until its time is over', spec: { ...open, timesOutAt: toTime(after(NOW, 90 * SECOND)) }, want: 90 },
    { reason: 'a second at least', spec: { ...open, timesOutAt: toTime(after(NOW, -MINUTE)) }, want: 1 },
    { reason: 'as long as its limit', spec: { ...open, executionConfig: { timeout: '5m' } }, want: 300 },
    { reason: 'half an hour when no limit is given', spec: open, want: 1_800 },
  ])('runs $reason', ({ spec, want }) =>
    expect(jobDraft({ ...anExecution(), spec }, 'kubernaut-workflows', NOW).spec.activeDeadlineSeconds).toBe(want),
  );
});
