import { builtinKind } from '../kinds/builtin-kind.ts';
import type { Kind } from '../kinds/kind.ts';

const review = (group: string, kind: string, namespaced = false): Kind =>
  builtinKind({ group, version: 'v1', kind, plural: `${kind.toLowerCase()}s`, namespaced });

const AUTHENTICATION = 'authentication.k8s.io';
const AUTHORIZATION = 'authorization.k8s.io';

/** Kinds that clients create to get an answer. They are never stored. */
export const REVIEW_KINDS = {
  TokenReview: review(AUTHENTICATION, 'TokenReview'),
  SelfSubjectReview: review(AUTHENTICATION, 'SelfSubjectReview'),
  SubjectAccessReview: review(AUTHORIZATION, 'SubjectAccessReview'),
  SelfSubjectAccessReview: review(AUTHORIZATION, 'SelfSubjectAccessReview'),
  LocalSubjectAccessReview: review(AUTHORIZATION, 'LocalSubjectAccessReview', true),
  SelfSubjectRulesReview: review(AUTHORIZATION, 'SelfSubjectRulesReview'),
} as const;

/** The kind of the `token` subresource of ServiceAccounts. */
export const TOKEN_REQUEST: Kind = review(AUTHENTICATION, 'TokenRequest');

const ALL: ReadonlySet<Kind> = new Set(Object.values(REVIEW_KINDS));

/** Whether a kind can only be created, for an answer. */
export const isReview = (kind: Kind): boolean => ALL.has(kind);
