import type { ClusterRole, PolicyRule, RoleBinding } from '../../kube/builtin/index.ts';
import { sameJson } from '../../base/index.ts';
import { GROUPS, type User } from '../authentication/user.ts';
import { onResource } from '../authorization/attributes.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import { notCovered, quotedList, shownRules } from '../authorization/covers.ts';
import type { Stored, Work } from '../object.ts';
import { notFound, unclassified } from '../status-errors.ts';
import { ALLOW, deny, type AdmissionOutcome, type AdmissionRequest, type AdmissionRule } from './admission.ts';

const RBAC = 'rbac.authorization.k8s.io';
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** A user cannot grant rights that the user does not hold, by a role or a binding, without the verb `escalate` or `bind`. */
export const escalations: AdmissionRule = (write, { authorizer }) => {
  const { kind } = write.target;
  if (kind.group !== RBAC || write.user.groups.includes(GROUPS.masters)) return ALLOW;
  if (write.old && onlyReleasesOwnership(write.object, write.old)) return ALLOW;
  switch (kind.plural) {
    case 'roles':
    case 'clusterroles':
      return mayEscalate(write, authorizer) ? ALLOW : checkRole(write, authorizer);
    case 'rolebindings':
    case 'clusterrolebindings':
      return checkBinding(write, authorizer);
    default:
      return ALLOW;
  }
};

/** Garbage collection removes owner references and finalizers, whatever rights the role grants. */
function onlyReleasesOwnership(object: Work, old: Stored): boolean {
  const { ownerReferences: _owners, finalizers: _holders, ...metadata } = object.metadata;
  const { ownerReferences: _oldOwners, finalizers: _oldHolders, ...oldMetadata } = old.metadata;
  return sameJson({ ...object, metadata }, { ...old, metadata: oldMetadata });
}

function mayEscalate({ user, target }: AdmissionRequest, authorizer: Authorizer): boolean {
  const { kind, namespace = '', name = '' } = target;
  return authorizer.authorize(user, onResource({ verb: 'escalate', group: RBAC, resource: kind.plural, namespace, name })).allowed;
}

function checkRole(write: AdmissionRequest, authorizer: Authorizer): AdmissionOutcome {
  const { rules, aggregationRule } = write.object as unknown as ClusterRole;
  const missing = notHeld(write, authorizer, rules ?? []);
  if (missing.length > 0) return deny(write, escalation(write.user, missing));
  // The roles that it aggregates may grant anything, now or later.
  const gathers = aggregationRule !== undefined || (write.old as unknown as ClusterRole | undefined)?.aggregationRule !== undefined;
  const lacksAnything = gathers && notHeld(write, authorizer, EVERYTHING).length > 0;
  return lacksAnything ? deny(write, 'must have cluster-admin privileges to use the aggregationRule') : ALLOW;
}

function checkBinding(write: AdmissionRequest, authorizer: Authorizer): AdmissionOutcome {
  const { namespace = '' } = write.target;
  const { roleRef } = write.object as unknown as RoleBinding;
  if (roleRef.kind !== 'Role' && roleRef.kind !== 'ClusterRole') {
    return {
      kind: 'deny',
      error: unclassified(`unsupported role reference kind: ${JSON.stringify((roleRef as RoleBinding['roleRef']).kind)}`),
    };
  }
  const resource = roleRef.kind === 'Role' ? 'roles' : 'clusterroles';
  const bind = onResource({ verb: 'bind', group: RBAC, resource, namespace, name: roleRef.name });
  if (authorizer.authorize(write.user, bind).allowed) return ALLOW;
  const rules = authorizer.rulesOfRole(roleRef, namespace);
  // As in kube-apiserver, the error names the binding's resource although the role is what is missing.
  if (!rules) return { kind: 'deny', error: notFound(write.target.kind, roleRef.name) };
  const missing = notHeld(write, authorizer, rules);
  return missing.length > 0 ? deny(write, escalation(write.user, missing)) : ALLOW;
}

const notHeld = ({ user, target }: AdmissionRequest, authorizer: Authorizer, wanted: readonly PolicyRule[]): readonly PolicyRule[] =>
  notCovered(authorizer.rules(user, target.namespace ?? '').rules, wanted);

const escalation = ({ username, groups }: User, missing: readonly PolicyRule[]): string =>
  `user ${JSON.stringify(username)} (groups=${quotedList(groups)}) is attempting to grant RBAC permissions not currently held:\n${shownRules(missing).join('\n')}`;
