import type { ApiError } from '../../kube/client/errors.ts';
import type { Instant } from '../../base/index.ts';
import type { User } from '../authentication/user.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { Stored, Work } from '../object.ts';
import type { ApiTarget } from '../server.ts';
import { forbidden } from '../status-errors.ts';

/** A write that a user has the right to, as it would be validated and stored. */
export interface AdmissionRequest {
  readonly user: User;
  readonly operation: 'CREATE' | 'UPDATE';
  /** What the path points at; its name is absent where a new object is posted. */
  readonly target: ApiTarget;
  /** The stored object; undefined for a new object. */
  readonly old: Stored | undefined;
  readonly object: Work;
}

/** What a rule may consult besides the write itself. */
export interface AdmissionContext {
  readonly authorizer: Authorizer;
  readonly now: Instant;
}

export type AdmissionOutcome =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly error: ApiError }
  /** Allowed, but with another object. */
  | { readonly kind: 'mutate'; readonly object: Work };

/** Checks one write of an authorized user for what RBAC cannot express. */
export type AdmissionRule = (write: AdmissionRequest, context: AdmissionContext) => AdmissionOutcome;

export const ALLOW: AdmissionOutcome = { kind: 'allow' };

export const mutate = (object: Work): AdmissionOutcome => ({ kind: 'mutate', object });

/** Refuses a write with 403 and the reason. */
export const deny = ({ target, object }: AdmissionRequest, why: string): AdmissionOutcome => ({
  kind: 'deny',
  error: forbidden(target.kind, object.metadata.name ?? '', why),
});

/** Whether a write is to a resource, through its main path or one subresource. */
export const isWriteTo = ({ target }: AdmissionRequest, group: string, plural: string, subresource?: string): boolean =>
  target.kind.group === group && target.kind.plural === plural && target.subresource === subresource;
