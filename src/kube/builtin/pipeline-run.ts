import type { KubeObject } from '../meta.ts';
import type { Resource } from '../resource.ts';
import type { ContainerState, PodCondition } from './pod.ts';

/** Tekton's run of a pipeline. */
export interface PipelineRun extends KubeObject {
  readonly spec: {
    /** `PipelineRunPending` suspends it until it is released; `Cancelled` stops it. */
    readonly status?: 'PipelineRunPending' | 'Cancelled' | 'CancelledRunFinally' | 'StoppedRunFinally' | '';
    readonly pipelineRef?: {
      readonly name?: string;
      readonly resolver?: string;
      readonly params?: readonly PipelineParam[];
    };
    readonly params?: readonly PipelineParam[];
    readonly workspaces?: readonly {
      readonly name: string;
      readonly secret?: { readonly secretName: string };
      readonly configMap?: { readonly name: string };
      readonly emptyDir?: object;
    }[];
    readonly timeouts?: { readonly pipeline?: string; readonly tasks?: string; readonly finally?: string };
    readonly taskRunTemplate?: { readonly serviceAccountName?: string; readonly podTemplate?: Readonly<Record<string, unknown>> };
  };
  readonly status?: {
    readonly startTime?: string;
    readonly completionTime?: string;
    readonly conditions?: readonly PodCondition[];
    readonly childReferences?: readonly {
      readonly apiVersion?: string;
      readonly kind?: string;
      readonly name: string;
      readonly pipelineTaskName?: string;
    }[];
    readonly results?: readonly PipelineParam[];
  };
}
export const PipelineRun: Resource<PipelineRun> = {
  group: 'tekton.dev',
  version: 'v1',
  kind: 'PipelineRun',
  plural: 'pipelineruns',
  namespaced: true,
};

export interface PipelineParam {
  readonly name: string;
  readonly value: string | readonly string[] | Readonly<Record<string, string>>;
}

/** One task of a PipelineRun. */
export interface TaskRun extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: TaskRunStatus;
}
export const TaskRun: Resource<TaskRun> = { group: 'tekton.dev', version: 'v1', kind: 'TaskRun', plural: 'taskruns', namespaced: true };

export interface TaskRunStatus {
  readonly podName?: string;
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly conditions?: readonly PodCondition[];
  readonly steps?: readonly TaskStep[];
  /** Earlier attempts, where the pipeline has the task tried again. */
  readonly retriesStatus?: readonly TaskRunStatus[];
}

/** A step, in the words of its container as far as Tekton has them. */
export interface TaskStep extends ContainerState {
  readonly name?: string;
  readonly container?: string;
  /** Known once its container was made. */
  readonly imageID?: string;
}
