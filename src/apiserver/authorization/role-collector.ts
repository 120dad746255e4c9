import type { ClusterRole } from '../../kube/builtin/index.ts';
import { sameJson } from '../../base/index.ts';
import { draftOf, type Stored } from '../object.ts';
import type { Store } from '../store/store.ts';
import { gatheredRules } from './aggregate.ts';
import { rbacTable } from './authorizer.ts';

/** Keeps the rules of ClusterRoles that gather others', as a cluster's own controller does. */
export interface RoleCollector {
  /** Writes the rules that are no longer what their role gathers; costs nothing while no ClusterRole has changed. */
  collect(): void;
}

export function createRoleCollector(store: Store): RoleCollector {
  const table = store.table(rbacTable('clusterroles'));
  let isStale = true;
  store.onChange((changed) => {
    if (changed === table) isStale = true;
  });
  const collectOnce = (): void => {
    const newest = store.latestKeys(table).flatMap((key) => store.latest(table, key) ?? []) as (Stored & ClusterRole)[];
    for (const role of newest) {
      const rules = gatheredRules(role, newest);
      if (!rules || sameJson(rules, role.rules ?? [])) continue;
      store.commit({ table, key: role.metadata.name, object: { ...draftOf(role), rules } });
    }
  };
  return {
    collect() {
      // A role may gather one that itself gathers: what was written is looked at again, until nothing is.
      for (let round = 0; isStale && round < MOST_ROUNDS && !store.isReadOnly; round++) {
        isStale = false;
        collectOnce();
      }
    },
  };
}

/** Roles that gather each other settle, since rules are gathered once; this only bounds the work of one call. */
const MOST_ROUNDS = 16;
