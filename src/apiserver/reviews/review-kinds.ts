import { builtinKind } from '../kinds/builtin-kind.ts';
import type { Kind } from '../kinds/kind.ts';

const review = (group: string, kind: string, namespaced = false): Kind =>
  builtinKind({ group, version: 'v1', kind, plural: `${kind.toLowerCase()}s`, namespaced });

const AUTHENTICATION = 'authentication.k8s.io';
const AUTHORIZATION = 'authorization.k8s.io';

/** Questions that are asked by creating them. They are answered and never kept. */
export const REVIEW_KINDS = {
  TokenReview: review(AUTHENTICATION, 'TokenReview'),
  SelfSubjectReview: review(AUTHENTICATION, 'SelfSubjectReview'),
  SubjectAccessReview: review(AUTHORIZATION, 'SubjectAccessReview'),
  SelfSubjectAccessReview: review(AUTHORIZATION, 'SelfSubjectAccessReview'),
  LocalSubjectAccessReview: review(AUTHORIZATION, 'LocalSubjectAccessReview', true),
  SelfSubjectRulesReview: review(AUTHORIZATION, 'SelfSubjectRulesReview'),
} as const;

/** What the `token` subresource of a ServiceAccount takes and answers with. */
export const TOKEN_REQUEST: Kind = review(AUTHENTICATION, 'TokenRequest');

const ALL: ReadonlySet<Kind> = new Set(Object.values(REVIEW_KINDS));

/** Whether a kind can only be asked, by a create. */
export const isReview = (kind: Kind): boolean => ALL.has(kind);
