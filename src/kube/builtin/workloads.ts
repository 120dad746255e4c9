import type { KubeObject, LabelSelector } from '../meta.ts';
import type { Resource } from '../resource.ts';
import type { PodCondition, PodTemplate } from './pod.ts';

const apps = <T extends KubeObject>(kind: string, plural: string): Resource<T> => ({
  group: 'apps',
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});
const batch = <T extends KubeObject>(kind: string, plural: string): Resource<T> => ({
  group: 'batch',
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});

export interface Deployment extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly strategy?: {
      readonly type?: 'RollingUpdate' | 'Recreate';
      readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
    };
    readonly minReadySeconds?: number;
    readonly progressDeadlineSeconds?: number;
    readonly revisionHistoryLimit?: number;
  };
  readonly status?: ReplicaStatus & {
    readonly updatedReplicas?: number;
    readonly unavailableReplicas?: number;
    readonly conditions?: readonly DeploymentCondition[];
  };
}

/** Unlike a pod's condition it records when progress was last observed. */
export interface DeploymentCondition extends PodCondition {
  readonly lastUpdateTime?: string;
}
export const Deployment = apps<Deployment>('Deployment', 'deployments');

export interface ReplicaSet extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector: LabelSelector;
    readonly template?: PodTemplate;
  };
  readonly status?: ReplicaStatus & { readonly fullyLabeledReplicas?: number };
}
export const ReplicaSet = apps<ReplicaSet>('ReplicaSet', 'replicasets');

export interface StatefulSet extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly serviceName?: string;
  };
  readonly status?: ReplicaStatus & {
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly updatedReplicas?: number;
  };
}
export const StatefulSet = apps<StatefulSet>('StatefulSet', 'statefulsets');

export interface DaemonSet extends KubeObject {
  readonly spec: { readonly selector: LabelSelector; readonly template: PodTemplate };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly desiredNumberScheduled?: number;
    readonly numberReady?: number;
    readonly numberAvailable?: number;
    readonly updatedNumberScheduled?: number;
  };
}
export const DaemonSet = apps<DaemonSet>('DaemonSet', 'daemonsets');

export interface ReplicaStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
}

export interface Job extends KubeObject {
  readonly spec: JobSpec;
  readonly status?: {
    readonly active?: number;
    readonly ready?: number;
    readonly succeeded?: number;
    readonly failed?: number;
    readonly startTime?: string;
    readonly completionTime?: string;
    readonly conditions?: readonly PodCondition[];
  };
}
export const Job = batch<Job>('Job', 'jobs');

export interface JobSpec {
  readonly suspend?: boolean;
  readonly parallelism?: number;
  readonly completions?: number;
  readonly backoffLimit?: number;
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed';
  readonly podFailurePolicy?: { readonly rules: readonly Readonly<Record<string, unknown>>[] };
  readonly template: PodTemplate;
}

export interface CronJob extends KubeObject {
  readonly spec: { readonly schedule: string; readonly suspend?: boolean; readonly jobTemplate: { readonly spec: JobSpec } };
  readonly status?: { readonly lastScheduleTime?: string; readonly lastSuccessfulTime?: string };
}
export const CronJob = batch<CronJob>('CronJob', 'cronjobs');

export interface HorizontalPodAutoscaler extends KubeObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly apiVersion?: string; readonly kind: string; readonly name: string };
    readonly minReplicas?: number;
    readonly maxReplicas: number;
  };
  readonly status?: { readonly currentReplicas?: number; readonly desiredReplicas?: number; readonly conditions?: readonly PodCondition[] };
}
export const HorizontalPodAutoscaler: Resource<HorizontalPodAutoscaler> = {
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  namespaced: true,
};

export interface PodDisruptionBudget extends KubeObject {
  readonly spec: {
    readonly selector?: LabelSelector;
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow';
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    /** Pods whose eviction was granted and that still exist, and since when. */
    readonly disruptedPods?: Readonly<Record<string, string>>;
    readonly conditions?: readonly PodCondition[];
  };
}
export const PodDisruptionBudget: Resource<PodDisruptionBudget> = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  namespaced: true,
};

export interface NetworkPolicy extends KubeObject {
  readonly spec?: { readonly podSelector?: LabelSelector; readonly policyTypes?: readonly string[] };
}
export const NetworkPolicy: Resource<NetworkPolicy> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  namespaced: true,
};

export interface Ingress extends KubeObject {
  readonly spec?: { readonly ingressClassName?: string };
}
export const Ingress: Resource<Ingress> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  namespaced: true,
};

/** cert-manager's. */
export interface Certificate extends KubeObject {
  readonly spec?: { readonly secretName?: string };
  readonly status?: { readonly notAfter?: string; readonly conditions?: readonly PodCondition[] };
}
export const Certificate: Resource<Certificate> = {
  group: 'cert-manager.io',
  version: 'v1',
  kind: 'Certificate',
  plural: 'certificates',
  namespaced: true,
};
