import type { PipelineParam, PipelineRun } from '../../../../api/builtin/index.ts';
import type { Draft } from '../../../../api/meta.ts';
import { LABELS } from '../../../../api/well-known.ts';
import type { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import { formatDuration, SECOND, type Instant } from '../../../../base/index.ts';
import { HELD_PIPELINE_RUN } from '../../../../runtime/reconcile/release-suspended-runs.ts';
import { marksOf, runName } from '../../names.ts';
import { COMMON_ACCOUNT, imageOf, namesIn, secondsLeft, userOf } from '../job/job-draft.ts';

/** What the pipeline in a bundle is called, unless the workflow says otherwise. */
const PIPELINE = 'workflow';

/**
 * The PipelineRun that runs the workflow. It is created held. Retries that the pipeline itself asks for happen inside it. Its labels come back
 * on its TaskRuns and pods.
 */
export function pipelineRunDraft(
  execution: WorkflowExecution,
  { namespace, now }: { readonly namespace: string; readonly now: Instant },
): Draft<PipelineRun> {
  const { workflowRef } = execution.spec;
  const { labels, annotations } = marksOf(execution);
  return {
    apiVersion: 'tekton.dev/v1',
    kind: 'PipelineRun',
    metadata: {
      name: runName(execution.spec),
      namespace,
      labels: { ...labels, [LABELS.executionEngine]: 'tekton' },
      annotations,
    },
    spec: {
      ...HELD_PIPELINE_RUN,
      pipelineRef: {
        resolver: 'bundles',
        params: asParams({ bundle: imageOf(workflowRef), name: pipelineOf(workflowRef), kind: 'pipeline' }),
      },
      params: asParams(variablesOf(execution)),
      workspaces: workspacesOf(workflowRef.dependencies),
      timeouts: { pipeline: formatDuration(secondsLeft(execution.spec, now) * SECOND) },
      taskRunTemplate: {
        serviceAccountName: workflowRef.serviceAccountName ?? COMMON_ACCOUNT,
        podTemplate: {
          securityContext: { runAsNonRoot: true, ...userOf(workflowRef.engineConfig), seccompProfile: { type: 'RuntimeDefault' } },
        },
      },
    },
  };
}

type WorkflowRef = WorkflowExecution['spec']['workflowRef'];

function pipelineOf({ engineConfig }: WorkflowRef): string {
  const named = engineConfig?.['pipelineName'];
  return typeof named === 'string' && named !== '' ? named : PIPELINE;
}

/** What a pipeline does not declare Tekton leaves out, so each takes what it needs. */
function variablesOf({ metadata, spec }: WorkflowExecution): Readonly<Record<string, string>> {
  const pinned = spec.targetUID === undefined ? {} : { TARGET_UID: spec.targetUID };
  return { ...spec.parameters, TARGET_RESOURCE: spec.targetResource, ...pinned, WORKFLOW_EXECUTION: metadata.name };
}

const asParams = (values: Readonly<Record<string, string>>): readonly PipelineParam[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

const workspacesOf = (dependencies: WorkflowRef['dependencies']): NonNullable<PipelineRun['spec']['workspaces']> => [
  ...namesIn(dependencies?.secrets).map((name) => ({ name: `secret-${name}`, secret: { secretName: name } })),
  ...namesIn(dependencies?.configMaps).map((name) => ({ name: `configmap-${name}`, configMap: { name } })),
];
