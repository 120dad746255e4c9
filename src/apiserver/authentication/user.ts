/** Who asks. */
export interface User {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** What else the credential says, such as the pod that a token is bound to. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Groups that the server itself gives a meaning. */
export const GROUPS = {
  /** May do everything, whatever the rules say. */
  masters: 'system:masters',
  authenticated: 'system:authenticated',
  unauthenticated: 'system:unauthenticated',
  serviceAccounts: 'system:serviceaccounts',
} as const;

/** Who shows no credential at all. */
export const ANONYMOUS: User = { username: 'system:anonymous', groups: [GROUPS.unauthenticated] };

/** This process, which is never asked whether it may. */
export const SYSTEM: User = { username: 'system:apiserver', groups: [GROUPS.masters, GROUPS.authenticated] };

/** The administrator that a static token makes. */
export const ADMIN: User = { username: 'admin', uid: 'admin', groups: [GROUPS.masters] };

/** A user whose credential was good, in the group of all of those. */
export const authenticated = (user: User): User =>
  user.groups.includes(GROUPS.authenticated) ? user : { ...user, groups: [...user.groups, GROUPS.authenticated] };

/** A ServiceAccount, as names and paths speak of it. */
export interface AccountName {
  readonly namespace: string;
  readonly name: string;
}

/** The name under which a ServiceAccount asks. */
export const accountUsername = ({ namespace, name }: AccountName): string => `${ACCOUNT_PREFIX}${namespace}:${name}`;

/** The groups that a ServiceAccount is in by being one. */
export const accountGroups = (namespace: string): readonly string[] => [GROUPS.serviceAccounts, `${GROUPS.serviceAccounts}:${namespace}`];

const ACCOUNT_PREFIX = 'system:serviceaccount:';

/** The ServiceAccount behind a username; undefined for everybody else. */
export function accountOf(username: string): AccountName | undefined {
  if (!username.startsWith(ACCOUNT_PREFIX)) return undefined;
  const [namespace = '', name = '', ...more] = username.slice(ACCOUNT_PREFIX.length).split(':');
  return namespace === '' || name === '' || more.length > 0 ? undefined : { namespace, name };
}
