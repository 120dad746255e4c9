import type { SubjectAccessReview } from '../../kube/builtin/index.ts';
import type { User } from '../authentication/user.ts';
import { onResource, type Attributes } from '../authorization/attributes.ts';
import { invalidValue, type FieldError } from '../field-error.ts';
import type { Work } from '../object.ts';
import type { Server } from '../server.ts';
import { invalid } from '../status-errors.ts';
import type { ReviewHandler } from './answer-review.ts';

type Spec = SubjectAccessReview['spec'];

/** SubjectAccessReview and its local form: may a user do this? */
export const subjectAccessReview: ReviewHandler = (server, { object }) => {
  const spec = specOf(object);
  check([...attributeErrors(spec), ...subjectErrors(spec), ...metadataErrors(object)]);
  return reviewed(server, object, subjectOf(spec));
};

/** LocalSubjectAccessReview: may a user do this in the namespace? */
export const localAccessReview: ReviewHandler = (server, { object, namespace = '' }) => {
  const spec = specOf(object);
  const { namespace: _own, ...metadata } = object.metadata;
  check([...attributeErrors(spec), ...subjectErrors(spec), ...metadataErrors({ ...object, metadata }), ...placeErrors(spec, namespace)]);
  return reviewed(server, object, subjectOf(spec));
};

/** SelfSubjectAccessReview: may the sender do this? */
export const selfAccessReview: ReviewHandler = (server, { object, user }) => {
  check([...attributeErrors(specOf(object)), ...metadataErrors(object)]);
  return reviewed(server, object, user);
};

const specOf = (object: Work): Spec => (object.spec ?? {}) as Spec;

function reviewed({ authority }: Server, object: Work, user: User): object {
  const { allowed, reason } = authority.authorizer.authorize(user, attributesOf(specOf(object)));
  return { ...object, status: { allowed, ...(reason !== '' && { reason }) } };
}

const subjectOf = ({ user = '', uid, groups = [], extra }: Spec): User => ({
  username: user,
  groups,
  ...(uid !== undefined && { uid }),
  ...(extra && { extra }),
});

function attributesOf({ resourceAttributes: on, nonResourceAttributes: at }: Spec): Attributes {
  if (!on) return { kind: 'path', verb: at?.verb ?? '', path: at?.path ?? '' };
  const { version: _version, ...known } = on;
  return onResource(known);
}

function attributeErrors({ resourceAttributes, nonResourceAttributes: at }: Spec): readonly FieldError[] {
  if (resourceAttributes && at)
    return [invalidValue('spec.nonResourceAttributes', shownPath(at), 'cannot be specified in combination with resourceAttributes')];
  if (resourceAttributes || at) return [];
  return [invalidValue('spec.resourceAttributes', null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified')];
}

const subjectErrors = ({ user = '', groups = [] }: Spec): readonly FieldError[] =>
  user === '' && groups.length === 0 ? [invalidValue('spec.user', '', 'at least one of user or group must be specified')] : [];

const metadataErrors = ({ metadata }: Pick<Work, 'metadata'>): readonly FieldError[] =>
  Object.keys(metadata).length > 0 ? [invalidValue('metadata', metadata, 'must be empty')] : [];

function placeErrors({ resourceAttributes, nonResourceAttributes: at }: Spec, namespace: string): readonly FieldError[] {
  if (at) return [invalidValue('spec.nonResourceAttributes', shownPath(at), 'disallowed on this kind of request')];
  const said = resourceAttributes?.namespace ?? '';
  return !resourceAttributes || said === namespace
    ? []
    : [invalidValue('spec.resourceAttributes.namespace', said, 'must match metadata.namespace')];
}

/** As Go prints kube-apiserver's own type. */
const shownPath = ({ path = '', verb = '' }: NonNullable<Spec['nonResourceAttributes']>): object => ({ Path: path, Verb: verb });

function check(errors: readonly FieldError[]): void {
  // kube-apiserver names no kind here.
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
}
