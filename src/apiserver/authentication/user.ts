/** The sender of a request. */
export interface User {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** Further facts from the credential, such as the pod that a token is bound to. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Groups with a meaning to the server itself. */
export const GROUPS = {
  /** May do everything, whatever the rules say. */
  masters: 'system:masters',
  authenticated: 'system:authenticated',
  unauthenticated: 'system:unauthenticated',
  serviceAccounts: 'system:serviceaccounts',
} as const;

/** The user of requests without a credential. */
export const ANONYMOUS: User = { username: 'system:anonymous', groups: [GROUPS.unauthenticated] };

/** This process itself, which is not subject to authorization. */
export const SYSTEM: User = { username: 'system:apiserver', groups: [GROUPS.masters, GROUPS.authenticated] };

/** The administrator, for a static token. */
export const ADMIN: User = { username: 'admin', uid: 'admin', groups: [GROUPS.masters] };

/** A user with a valid credential, in the group of all authenticated users. */
export const authenticated = (user: User): User =>
  user.groups.includes(GROUPS.authenticated) ? user : { ...user, groups: [...user.groups, GROUPS.authenticated] };

/** A ServiceAccount by namespace and name. */
export interface AccountName {
  readonly namespace: string;
  readonly name: string;
}

/** The username of a ServiceAccount. */
export const accountUsername = ({ namespace, name }: AccountName): string => `${ACCOUNT_PREFIX}${namespace}:${name}`;

/** The groups that every ServiceAccount of a namespace is in. */
export const accountGroups = (namespace: string): readonly string[] => [GROUPS.serviceAccounts, `${GROUPS.serviceAccounts}:${namespace}`];

const ACCOUNT_PREFIX = 'system:serviceaccount:';

/** The ServiceAccount behind a username; undefined for other users. */
export function accountOf(username: string): AccountName | undefined {
  if (!username.startsWith(ACCOUNT_PREFIX)) return undefined;
  const [namespace = '', name = '', ...more] = username.slice(ACCOUNT_PREFIX.length).split(':');
  return namespace === '' || name === '' || more.length > 0 ? undefined : { namespace, name };
}
