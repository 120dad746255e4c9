import type { Clock, Random } from '../base/index.ts';
import type { Settle } from './accounts/pod-account.ts';
import type { AdmissionRule } from './admission/admission.ts';
import type { Authenticator } from './authentication/authenticator.ts';
import type { User } from './authentication/user.ts';
import type { Authorizer } from './authorization/authorizer.ts';
import type { Documents } from './discovery/index.ts';
import type { Registry } from './kinds/registry.ts';
import type { Kind } from './kinds/kind.ts';
import type { LogsOf } from './routes/log.ts';
import type { VersionedStore } from './store/store.ts';

/** What every route works with. */
export interface Server {
  readonly store: VersionedStore;
  readonly registry: Registry;
  /** Discovery, OpenAPI, version and health. */
  readonly documents: Documents;
  /** Finds the logs of containers. */
  readonly logsOf: LogsOf | undefined;
  /** What to warn those of who create an object of a kind. */
  readonly warningOf: WarningOf | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** How often watches that asked for bookmarks get one. */
  readonly bookmarkEveryMs: number;
  /** How many changes a watcher may be behind before its watch is ended. */
  readonly watchBacklog: number;
  /** About how much memory these changes may take. */
  readonly watchBacklogBytes: number;
  readonly authority: Authority;
  /** Fills in the ServiceAccount of pods, where the server manages accounts. */
  readonly settlePod: Settle | undefined;
  /** Rules for the writes of users, checked after the server's own. */
  readonly admissionRules: readonly AdmissionRule[];
  /** On whose behalf this is done; undefined for this process itself, which may do everything. */
  readonly user?: User;
}

/** A warning about all objects of a kind. */
export type WarningOf = (kind: Pick<Kind, 'group' | 'kind'>) => string | undefined;

/** Who a user is, and what the user may do. */
export interface Authority {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
}

/** What a path points at. */
export interface ApiTarget {
  readonly kind: Kind;
  /** Undefined for cluster-scoped kinds and for lists across namespaces. */
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** A target that is one object. */
export interface ObjectTarget extends ApiTarget {
  readonly name: string;
}

/** An answer; it is sent once `durable`, if any, resolves. */
export interface ApiAnswer {
  readonly code: number;
  readonly body: unknown;
  readonly mediaType?: string;
  readonly warnings?: readonly string[];
  readonly durable?: Promise<void> | undefined;
}

/** The key of an object in its table. */
export const keyIn = (namespace: string | undefined, name: string): string => (namespace === undefined ? name : `${namespace}/${name}`);
