import { PipelineRun, TaskRun } from '../../../../api/builtin/index.ts';
import { isPipelineRunHeld, releasePipelineRun } from '../../../../runtime/reconcile/release-suspended-runs.ts';
import type { RunEngine } from '../engine.ts';
import { pipelineRunDraft } from './pipeline-run-draft.ts';
import { pipelineRunFailure, pipelineRunEvidence } from './pipeline-run-failure.ts';
import { pipelineRunEnd, pipelineRunProgress, stopPipelineRun, wasNeverReleased } from './pipeline-run.ts';
import { podsOfTasks } from './task-pods.ts';

/** Runs a workflow as a Tekton PipelineRun, whose pipeline comes from a bundle. */
export const tektonEngine: RunEngine<PipelineRun> = {
  name: 'tekton',
  resource: PipelineRun,
  definition: 'pipelineruns.tekton.dev',
  draft: pipelineRunDraft,
  isSuspended: isPipelineRunHeld,
  isUntouched: wasNeverReleased,
  release: (run) => releasePipelineRun(PipelineRun, run),
  stop: stopPipelineRun,
  endOf: pipelineRunEnd,
  progressOf: pipelineRunProgress,
  // Which of its steps has begun only the tasks can tell.
  needsPods: () => true,
  podsOf: (name) => `tekton.dev/pipelineRun=${name}`,
  parts: { resource: TaskRun, asPods: (parts, pods) => podsOfTasks(parts as readonly TaskRun[], pods) },
  evidenceOf: pipelineRunEvidence,
  failureOf: pipelineRunFailure,
};
