import type { User } from '../authentication/user.ts';
import type { VersionedStore } from '../store/store.ts';
import type { RuleLookup } from './authorize.ts';
import { rulesFor, type RoleBook } from './rules-for.ts';

/** For how many namespaces the rules of one user are kept. */
const KEPT = 256;

const GROUP = 'rbac.authorization.k8s.io/';

/** `rulesFor`, computed once per user and namespace until any role or binding changes. */
export function cachedRules(store: VersionedStore, book: RoleBook): (user: User, namespace: string) => readonly RuleLookup[] {
  let known = new WeakMap<User, Map<string, readonly RuleLookup[]>>();
  store.onChange(({ id }) => {
    if (id.startsWith(GROUP)) known = new WeakMap();
  });
  return (user, namespace) => {
    const places = known.get(user) ?? new Map<string, readonly RuleLookup[]>();
    const found = places.get(namespace) ?? [...rulesFor(book, user, namespace)];
    if (places.size >= KEPT) places.clear();
    known.set(user, places.set(namespace, found));
    return found;
  };
}
