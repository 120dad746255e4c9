import type { Condition, KubeObject } from '../meta.ts';
import type { Resource } from '../resource.ts';

export interface Pod extends KubeObject {
  readonly spec: PodSpec;
  readonly status?: {
    readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
    readonly reason?: string;
    readonly message?: string;
    readonly startTime?: string;
    readonly conditions?: readonly PodCondition[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}
export const Pod: Resource<Pod> = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

export interface PodSpec {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly nodeName?: string;
  /** While any is left the pod waits for the controller that added it. */
  readonly schedulingGates?: readonly { readonly name: string }[];
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  readonly activeDeadlineSeconds?: number;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly tolerations?: readonly {
    readonly key?: string;
    readonly operator?: string;
    readonly value?: string;
    readonly effect?: string;
  }[];
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly { readonly prefix?: string; readonly configMapRef?: NamedSource; readonly secretRef?: NamedSource }[];
  readonly resources?: {
    readonly limits?: Readonly<Record<string, string | number>>;
    readonly requests?: Readonly<Record<string, string | number>>;
  };
  readonly volumeMounts?: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly readOnly?: boolean;
    readonly subPath?: string;
  }[];
  readonly readinessProbe?: {
    readonly exec?: { readonly command?: readonly string[] };
    readonly initialDelaySeconds?: number;
    readonly periodSeconds?: number;
    readonly failureThreshold?: number;
  };
  readonly terminationMessagePolicy?: 'File' | 'FallbackToLogsOnError';
  readonly securityContext?: Readonly<Record<string, unknown>>;
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly configMapKeyRef?: NamedSource & { readonly key: string };
    readonly secretKeyRef?: NamedSource & { readonly key: string };
    readonly fieldRef?: { readonly fieldPath: string };
  };
}

export interface NamedSource {
  readonly name?: string;
  readonly optional?: boolean;
}

export interface Volume {
  readonly name: string;
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: string };
  readonly configMap?: NamedSource & { readonly defaultMode?: number };
  readonly secret?: { readonly secretName?: string; readonly optional?: boolean; readonly defaultMode?: number };
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly projected?: { readonly sources?: readonly { readonly configMap?: NamedSource; readonly secret?: NamedSource }[] };
}

export interface PodCondition {
  readonly type: string;
  readonly status: Condition['status'];
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly started?: boolean;
  readonly image?: string;
  readonly containerID?: string;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: {
    readonly exitCode: number;
    readonly signal?: number;
    readonly reason?: string;
    readonly message?: string;
    readonly startedAt?: string;
    readonly finishedAt?: string;
  };
}

/** What workloads make their pods from. */
export interface PodTemplate {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>>; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: PodSpec;
}
