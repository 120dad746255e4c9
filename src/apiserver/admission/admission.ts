import type { ApiError } from '../../kube/client/errors.ts';
import type { Instant } from '../../base/index.ts';
import type { User } from '../authentication/user.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { Stored, Work } from '../object.ts';
import type { Target } from '../server.ts';
import { forbidden } from '../status-errors.ts';

/** A write that somebody asks for, as it would be judged and kept. */
export interface AskedWrite {
  readonly user: User;
  readonly operation: 'CREATE' | 'UPDATE';
  /** What the path points at; its name is absent where a new object is posted. */
  readonly target: Target;
  /** What is there; undefined for a new object. */
  readonly old: Stored | undefined;
  readonly object: Work;
}

/** What an admission may ask besides. */
export interface AdmissionWorld {
  readonly authorizer: Authorizer;
  readonly now: Instant;
  /** Accounts that may pass on what others decided. */
  readonly delegates: readonly string[];
}

export type Outcome =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly error: ApiError }
  /** Goes on with another object. */
  | { readonly kind: 'mutate'; readonly object: Work };

/** Looks at one write of somebody who has the right to it: what their right does not tell, this does. */
export type Admission = (write: AskedWrite, world: AdmissionWorld) => Outcome;

export const ALLOW: Outcome = { kind: 'allow' };

export const mutate = (object: Work): Outcome => ({ kind: 'mutate', object });

/** Refuses a write with 403 and the reason. */
export const deny = ({ target, object }: AskedWrite, why: string): Outcome => ({
  kind: 'deny',
  error: forbidden(target.kind, object.metadata.name ?? '', why),
});

/** Whether a write is about a resource, through its main path or one subresource. */
export const isAbout = ({ target }: AskedWrite, group: string, plural: string, subresource?: string): boolean =>
  target.kind.group === group && target.kind.plural === plural && target.subresource === subresource;
