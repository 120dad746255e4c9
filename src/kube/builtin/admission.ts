import type { KubeObject } from '../meta.ts';
import type { Resource } from '../resource.ts';

const admission = <T extends KubeObject>(kind: string, plural: string): Resource<T> => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind,
  plural,
  namespaced: false,
});

/** Rules that the API server itself holds writes against. */
export interface ValidatingAdmissionPolicy extends KubeObject {
  readonly spec: {
    readonly failurePolicy: 'Fail' | 'Ignore';
    readonly matchConstraints: {
      readonly matchPolicy: 'Equivalent' | 'Exact';
      readonly namespaceSelector: object;
      readonly objectSelector: object;
      readonly resourceRules: readonly {
        readonly apiGroups: readonly string[];
        readonly apiVersions: readonly string[];
        readonly operations: readonly ('CREATE' | 'UPDATE')[];
        readonly resources: readonly string[];
        readonly scope: 'Namespaced' | '*';
      }[];
    };
    readonly variables?: readonly { readonly name: string; readonly expression: string }[];
    readonly validations: readonly PolicyValidation[];
  };
}
export const ValidatingAdmissionPolicy = admission<ValidatingAdmissionPolicy>('ValidatingAdmissionPolicy', 'validatingadmissionpolicies');

/** One rule, in CEL: what must hold, and the message for the user whose request is denied. */
export interface PolicyValidation {
  readonly expression: string;
  readonly messageExpression: string;
  readonly reason: 'Forbidden';
}

/** Puts a policy into force. */
export interface ValidatingAdmissionPolicyBinding extends KubeObject {
  readonly spec: { readonly policyName: string; readonly validationActions: readonly ('Deny' | 'Warn' | 'Audit')[] };
}
export const ValidatingAdmissionPolicyBinding = admission<ValidatingAdmissionPolicyBinding>(
  'ValidatingAdmissionPolicyBinding',
  'validatingadmissionpolicybindings',
);

/** Who one is to the server. Never stored: the answer to a create. */
export interface SelfSubjectReview extends KubeObject {
  readonly status?: { readonly userInfo?: { readonly username?: string } };
}
export const SelfSubjectReview: Resource<SelfSubjectReview> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  namespaced: false,
};
