import { PipelineRun, TaskRun } from '../../../../api/builtin/index.ts';
import { isPipelineRunHeld, releasePipelineRun } from '../../../../runtime/reconcile/release-suspended-runs.ts';
import type { Engine } from '../engine.ts';
import { pipelineRunDraft } from './pipeline-run-draft.ts';
import { pipelineRunFailure, pipelineRunStory } from './pipeline-run-failure.ts';
import { pipelineRunEnd, pipelineRunProgress, stopPipelineRun, wasNeverLetGo } from './pipeline-run.ts';
import { podsOfTasks } from './task-pods.ts';

/** Runs a workflow as a Tekton PipelineRun, whose pipeline comes from a bundle. */
export const tektonEngine: Engine<PipelineRun> = {
  name: 'tekton',
  resource: PipelineRun,
  definition: 'pipelineruns.tekton.dev',
  draft: pipelineRunDraft,
  isHeld: isPipelineRunHeld,
  isFresh: wasNeverLetGo,
  release: (run) => releasePipelineRun(PipelineRun, run),
  stop: stopPipelineRun,
  endOf: pipelineRunEnd,
  progressOf: pipelineRunProgress,
  // Which of its steps has begun only the tasks can tell.
  needsPods: () => true,
  podsOf: (name) => `tekton.dev/pipelineRun=${name}`,
  parts: { resource: TaskRun, asPods: (parts, pods) => podsOfTasks(parts as readonly TaskRun[], pods) },
  storyOf: pipelineRunStory,
  failureOf: pipelineRunFailure,
};
