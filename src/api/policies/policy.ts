import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '../builtin/index.ts';
import type { Draft } from '../meta.ts';
import type { Resource } from '../resource.ts';
import { DRIVING } from '../rights/drive-right.ts';
import { OVERRIDING } from '../rights/override-right.ts';

/** A policy and what puts it into force; both have its name. */
export interface Policy {
  readonly name: string;
  readonly policy: Draft<ValidatingAdmissionPolicy>;
  readonly binding: Draft<ValidatingAdmissionPolicyBinding>;
}

export interface PolicyInput {
  readonly name: string;
  /** All of one group. */
  readonly kinds: readonly [Resource, ...Resource[]];
  readonly subresource?: 'status';
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
  /** Which objects of the kind; all of them when absent. */
  readonly objectSelector?: { readonly matchExpressions?: readonly { readonly key: string; readonly operator: 'Exists' }[] };
  /** CEL by name; each may use those before it. */
  readonly variables: Readonly<Record<string, string>>;
  /** What must hold, and a CEL text with the message for the user whose request is denied. */
  readonly rules: readonly { readonly holds: string; readonly otherwise: string }[];
}

const API_VERSION = 'admissionregistration.k8s.io/v1';

/** All members are named, also those that the server would fill in: what it then has equals what was written. */
export function policy({ name, kinds, subresource, operations, objectSelector = {}, variables, rules }: PolicyInput): Policy {
  const resources = kinds.map(({ plural }) => (subresource ? `${plural}/${subresource}` : plural));
  return {
    name,
    policy: {
      apiVersion: API_VERSION,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          matchPolicy: 'Equivalent',
          namespaceSelector: {},
          objectSelector,
          resourceRules: [{ apiGroups: [kinds[0].group], apiVersions: ['*'], operations, resources, scope: 'Namespaced' }],
        },
        variables: Object.entries(variables).map(([variable, expression]) => ({ name: variable, expression })),
        validations: rules.map(({ holds, otherwise }) => ({ expression: holds, messageExpression: otherwise, reason: 'Forbidden' })),
      },
    },
    binding: {
      apiVersion: API_VERSION,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  };
}

/** A text as CEL writes it. */
export const celText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Who asks. */
export const WHO = 'request.userInfo.username';

/** Whether who asks may drive remediations where the object is, which is Sickbay's own part. */
export const DRIVES = mayDo(DRIVING);

/** Whether who asks may have remediations run in spite of change freezes there. */
export const OVERRIDES = mayDo(OVERRIDING);

function mayDo({ group, resource, verb }: typeof DRIVING | typeof OVERRIDING): string {
  return `authorizer.group('${group}').resource('${resource}').namespace(object.metadata.namespace).check('${verb}').allowed()`;
}
