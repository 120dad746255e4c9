import type { ResourceAction } from '../authorization/attributes.ts';
import { onResource } from '../authorization/attributes.ts';
import { badRequest } from '../status-errors.ts';
import { accountGroups, accountOf, ANONYMOUS, GROUPS, type User } from './user.ts';

/** Header names in lower case, each with all its values. */
export type Headers = Readonly<Record<string, readonly string[] | undefined>>;

/** The user that a request impersonates, and the rights that its sender needs for it. */
export interface Impersonation {
  readonly user: User;
  readonly needs: readonly ResourceAction[];
}

const EXTRA_PREFIX = 'impersonate-extra-';

/** Reads the Impersonate headers; undefined where there are none. */
export function impersonationIn(headers: Headers): Impersonation | undefined {
  const [username = ''] = valuesOf(headers, 'impersonate-user');
  const [uid = ''] = valuesOf(headers, 'impersonate-uid');
  const groups = valuesOf(headers, 'impersonate-group');
  const extra = extraIn(headers);
  if (username === '') {
    if ([uid, ...groups, ...Object.keys(extra)].every((part) => part === '')) return undefined;
    throw badRequest('Impersonate-Group, -Uid or -Extra without Impersonate-User: say who it is');
  }
  const user = {
    username,
    groups: groupsOf(username, groups),
    ...(uid !== '' && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
  return { user, needs: [...needsOf(username, groups), ...uidNeeds(uid), ...extraNeeds(extra)] };
}

const AUTHENTICATION = { group: 'authentication.k8s.io' } as const;

const need = (what: Partial<Omit<ResourceAction, 'kind'>>): ResourceAction => onResource({ verb: 'impersonate', ...what });

function needsOf(username: string, groups: readonly string[]): readonly ResourceAction[] {
  const account = accountOf(username);
  const who = account ? need({ resource: 'serviceaccounts', ...account }) : need({ resource: 'users', name: username });
  return [who, ...groups.map((name) => need({ resource: 'groups', name }))];
}

const uidNeeds = (uid: string): readonly ResourceAction[] => (uid === '' ? [] : [need({ ...AUTHENTICATION, resource: 'uids', name: uid })]);

const extraNeeds = (extra: Readonly<Record<string, readonly string[]>>): readonly ResourceAction[] =>
  Object.entries(extra).flatMap(([subresource, values]) =>
    values.map((name) => need({ ...AUTHENTICATION, resource: 'userextras', subresource, name })),
  );

/** A ServiceAccount gets its own groups unless the request names others; every user is in `system:authenticated` or `system:unauthenticated`. */
function groupsOf(username: string, requested: readonly string[]): readonly string[] {
  const account = accountOf(username);
  const groups = account && requested.length === 0 ? accountGroups(account.namespace) : requested;
  const isSaid = groups.includes(GROUPS.authenticated) || groups.includes(GROUPS.unauthenticated);
  if (username === ANONYMOUS.username) return groups.includes(GROUPS.unauthenticated) ? groups : [...groups, GROUPS.unauthenticated];
  return isSaid ? groups : [...groups, GROUPS.authenticated];
}

function extraIn(headers: Headers): Readonly<Record<string, readonly string[]>> {
  const found = Object.keys(headers).filter((name) => name.startsWith(EXTRA_PREFIX) && name.length > EXTRA_PREFIX.length);
  return Object.fromEntries(found.map((name) => [unescaped(name.slice(EXTRA_PREFIX.length)), valuesOf(headers, name)]));
}

/** Keys may contain characters that header names cannot, percent-encoded. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key).toLowerCase();
  } catch {
    return key;
  }
}

/** Node decodes headers as Latin-1; user names are UTF-8. */
const valuesOf = (headers: Headers, name: string): readonly string[] =>
  (headers[name] ?? []).map((value) => Buffer.from(value, 'latin1').toString()).filter((value) => value !== '');
