import type { KubeObject } from '../meta.ts';
import type { Resource } from '../resource.ts';

const rbac = <T extends KubeObject>(kind: string, plural: string, namespaced: boolean): Resource<T> => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind,
  plural,
  namespaced,
});

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface Role extends KubeObject {
  readonly rules?: readonly PolicyRule[] | null;
}
export const Role = rbac<Role>('Role', 'roles', true);

export interface ClusterRole extends KubeObject {
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly Readonly<Record<string, unknown>>[] };
}
export const ClusterRole = rbac<ClusterRole>('ClusterRole', 'clusterroles', false);

export interface RoleBinding extends KubeObject {
  readonly roleRef: { readonly apiGroup: string; readonly kind: 'Role' | 'ClusterRole'; readonly name: string };
  readonly subjects?: readonly BindingSubject[];
}
export const RoleBinding = rbac<RoleBinding>('RoleBinding', 'rolebindings', true);

export interface ClusterRoleBinding extends KubeObject {
  readonly roleRef: { readonly apiGroup: string; readonly kind: 'ClusterRole'; readonly name: string };
  readonly subjects?: readonly BindingSubject[];
}
export const ClusterRoleBinding = rbac<ClusterRoleBinding>('ClusterRoleBinding', 'clusterrolebindings', false);

export interface BindingSubject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
  readonly namespace?: string;
  readonly apiGroup?: string;
}

/** Who a token belongs to. Never stored: the answer to a create. */
export interface TokenReview extends KubeObject {
  readonly spec: { readonly token?: string; readonly audiences?: readonly string[] };
  readonly status?: {
    readonly authenticated?: boolean;
    readonly user?: UserInfo;
    readonly audiences?: readonly string[];
    readonly error?: string;
  };
}
export const TokenReview: Resource<TokenReview> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  namespaced: false,
};

export interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Whether someone may do something. Never stored: the answer to a create. */
export interface SubjectAccessReview extends KubeObject {
  readonly spec: {
    readonly user?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
    readonly resourceAttributes?: ResourceAttributes;
    readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  };
  readonly status?: { readonly allowed: boolean; readonly denied?: boolean; readonly reason?: string; readonly evaluationError?: string };
}
export const SubjectAccessReview: Resource<SubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
};

export interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
}

/** Body of the `token` subresource of a ServiceAccount. */
export interface TokenRequest {
  readonly apiVersion: 'authentication.k8s.io/v1';
  readonly kind: 'TokenRequest';
  readonly spec: {
    readonly audiences?: readonly string[];
    readonly expirationSeconds?: number;
    readonly boundObjectRef?: { readonly apiVersion?: string; readonly kind?: string; readonly name?: string; readonly uid?: string };
  };
  readonly status?: { readonly token: string; readonly expirationTimestamp: string };
}
