import type { BindingSubject, ClusterRole, PolicyRule, RoleBinding } from '../../kube/builtin/index.ts';
import { isObject, sameJson } from '../../base/index.ts';
import { invalidValue, notSupported, requiredField, type FieldError } from '../field-error.ts';
import type { ValidationContext } from '../kinds/kind.ts';
import type { BuiltinBehaviour } from '../kinds/builtin-kind.ts';
import { nameProblems } from '../metadata/names.ts';
import type { Work } from '../object.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** What roles and bindings do beyond other built-in kinds: they grant rights, so their content is validated. */
export const RBAC_BEHAVIOUR: Readonly<Record<string, BuiltinBehaviour>> = {
  Role: { validate: (object, { metadata }) => [...metadata, ...rulesErrors(object, true)] },
  ClusterRole: {
    validate: (object, { metadata }) => [...metadata, ...rulesErrors(object, false), ...aggregationErrors(object)],
  },
  RoleBinding: bindingBehaviour(true),
  ClusterRoleBinding: bindingBehaviour(false),
};

/** Objects come as they were sent: their members have the right types, but any may be absent. */
type Sent<T> = Partial<T> | null;

function rulesErrors(object: Work, namespaced: boolean): readonly FieldError[] {
  const rules = (object.rules ?? []) as readonly Sent<PolicyRule>[];
  return rules.flatMap((rule, i) => ruleErrors(rule ?? {}, namespaced, `rules[${i}]`));
}

function ruleErrors(rule: Partial<PolicyRule>, namespaced: boolean, field: string): readonly FieldError[] {
  const silent = (rule.verbs ?? []).length === 0 ? [requiredField(`${field}.verbs`, 'verbs must contain at least one value')] : [];
  return [...silent, ...(rule.nonResourceURLs?.length ? pathRuleErrors(rule, namespaced, field) : resourceRuleErrors(rule, field))];
}

function pathRuleErrors(rule: Partial<PolicyRule>, namespaced: boolean, field: string): readonly FieldError[] {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs } = rule;
  const refuse = (why: string): FieldError => invalidValue(`${field}.nonResourceURLs`, nonResourceURLs, why);
  const isBoth = apiGroups.length + resources.length + resourceNames.length > 0;
  return [
    ...(namespaced ? [refuse('namespaced rules cannot apply to non-resource URLs')] : []),
    ...(isBoth ? [refuse('rules cannot apply to both regular resources and non-resource URLs')] : []),
  ];
}

const resourceRuleErrors = ({ apiGroups = [], resources = [] }: Partial<PolicyRule>, field: string): readonly FieldError[] => [
  ...(apiGroups.length === 0 ? [requiredField(`${field}.apiGroups`, 'resource rules must supply at least one api group')] : []),
  ...(resources.length === 0 ? [requiredField(`${field}.resources`, 'resource rules must supply at least one resource')] : []),
];

function aggregationErrors(object: Work): readonly FieldError[] {
  const { aggregationRule } = object as unknown as ClusterRole;
  if (!aggregationRule || (aggregationRule.clusterRoleSelectors ?? []).length > 0) return [];
  const why = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
  return [requiredField('aggregationRule.clusterRoleSelectors', why)];
}

function bindingBehaviour(namespaced: boolean): BuiltinBehaviour {
  return {
    prepareCreate: fillBinding,
    prepareUpdate: fillBinding,
    validate: (object, { old, metadata }) => [
      ...metadata,
      ...roleRefErrors(object, namespaced),
      ...subjectsErrors(object, namespaced),
      ...changeErrors(object, old),
    ],
  };
}

/** The API group may be left out where only one is possible. */
function fillBinding(object: Work): void {
  const { roleRef, subjects } = object;
  object.roleRef = {
    kind: '',
    name: '',
    ...(isObject(roleRef) ? roleRef : {}),
    apiGroup: filled(isObject(roleRef) ? roleRef.apiGroup : ''),
  };
  if (!Array.isArray(subjects)) return;
  object.subjects = (subjects as Sent<BindingSubject>[]).map((subject) =>
    subject?.kind === 'User' || subject?.kind === 'Group' ? { ...subject, apiGroup: filled(subject.apiGroup) } : (subject ?? {}),
  );
}

const filled = (group: unknown): unknown => (group === undefined || group === '' ? RBAC : group);

function roleRefErrors(object: Work, namespaced: boolean): readonly FieldError[] {
  const { apiGroup, kind, name } = (object as unknown as RoleBinding).roleRef;
  const known: readonly string[] = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  return [
    ...(apiGroup === RBAC ? [] : [notSupported('roleRef.apiGroup', apiGroup, [RBAC])]),
    ...(known.includes(kind) ? [] : [notSupported('roleRef.kind', kind, known)]),
    ...(name === '' ? [requiredField('roleRef.name')] : nameProblems('path', name).map((why) => invalidValue('roleRef.name', name, why))),
  ];
}

function subjectsErrors(object: Work, namespaced: boolean): readonly FieldError[] {
  const subjects = (object.subjects ?? []) as readonly Partial<BindingSubject>[];
  return subjects.flatMap((subject, i) => subjectErrors(subject, namespaced, `subjects[${i}]`));
}

function subjectErrors(subject: Partial<BindingSubject>, namespaced: boolean, field: string): readonly FieldError[] {
  const { kind, name = '', apiGroup = '' } = subject;
  const nameless = name === '' ? [requiredField(`${field}.name`)] : [];
  switch (kind) {
    case 'ServiceAccount':
      return [...nameless, ...accountErrors(subject, namespaced, field)];
    case 'User':
    case 'Group':
      return apiGroup === RBAC ? nameless : [...nameless, notSupported(`${field}.apiGroup`, apiGroup, [RBAC])];
    default:
      return [...nameless, notSupported(`${field}.kind`, kind ?? '', ['ServiceAccount', 'User', 'Group'])];
  }
}

function accountErrors(
  { name, namespace = '', apiGroup = '' }: Partial<BindingSubject>,
  namespaced: boolean,
  field: string,
): readonly FieldError[] {
  const bad = name ? nameProblems('subdomain', name).map((why) => invalidValue(`${field}.name`, name, why)) : [];
  const grouped = apiGroup === '' ? [] : [notSupported(`${field}.apiGroup`, apiGroup, [''])];
  return [...bad, ...grouped, ...(!namespaced && namespace === '' ? [requiredField(`${field}.namespace`)] : [])];
}

/** The role of a binding is immutable; its subjects may change. */
function changeErrors(object: Work, old: ValidationContext['old']): readonly FieldError[] {
  if (!old || sameJson(object.roleRef, old.roleRef)) return [];
  const { apiGroup, kind, name } = (object as unknown as RoleBinding).roleRef;
  return [invalidValue('roleRef', { APIGroup: apiGroup, Kind: kind, Name: name }, 'cannot change roleRef')];
}
