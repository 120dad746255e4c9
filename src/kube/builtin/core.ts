import type { Condition, KubeObject, ObjectReference } from '../meta.ts';
import type { Resource } from '../resource.ts';

const core = <T extends KubeObject>(kind: string, plural: string, namespaced = true): Resource<T> => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
});

export interface Namespace extends KubeObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: 'Active' | 'Terminating' };
}
export const Namespace = core<Namespace>('Namespace', 'namespaces', false);

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}
export const ConfigMap = core<ConfigMap>('ConfigMap', 'configmaps');

export interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}
export const Secret = core<Secret>('Secret', 'secrets');

export interface ServiceAccount extends KubeObject {
  readonly automountServiceAccountToken?: boolean;
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
}
export const ServiceAccount = core<ServiceAccount>('ServiceAccount', 'serviceaccounts');

export interface Service extends KubeObject {
  readonly spec?: { readonly selector?: Readonly<Record<string, string>>; readonly clusterIP?: string; readonly type?: string };
}
export const Service = core<Service>('Service', 'services');

export interface PersistentVolumeClaim extends KubeObject {
  readonly spec?: { readonly volumeName?: string; readonly storageClassName?: string };
  readonly status?: { readonly phase?: string; readonly capacity?: Readonly<Record<string, string>> };
}
export const PersistentVolumeClaim = core<PersistentVolumeClaim>('PersistentVolumeClaim', 'persistentvolumeclaims');

export interface ResourceQuota extends KubeObject {
  readonly spec?: { readonly hard?: Readonly<Record<string, string>> };
  readonly status?: { readonly hard?: Readonly<Record<string, string>>; readonly used?: Readonly<Record<string, string>> };
}
export const ResourceQuota = core<ResourceQuota>('ResourceQuota', 'resourcequotas');

/** core/v1 Event: what `kubectl describe` shows. */
export interface Event extends KubeObject {
  readonly involvedObject: ObjectReference;
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly count?: number;
  readonly action?: string;
  readonly related?: ObjectReference;
}
export const Event = core<Event>('Event', 'events');

export interface Node extends KubeObject {
  readonly spec?: {
    readonly providerID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string; readonly timeAdded?: string }[];
  };
  readonly status?: {
    readonly conditions?: readonly NodeCondition[];
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly capacity?: Readonly<Record<string, string>>;
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  };
}
export const Node = core<Node>('Node', 'nodes', false);

/** Unlike metav1.Condition it has a heartbeat, and reason and message may be absent. */
export interface NodeCondition {
  readonly type: string;
  readonly status: Condition['status'];
  readonly reason?: string;
  readonly message?: string;
  readonly lastHeartbeatTime?: string;
  readonly lastTransitionTime?: string;
}
