import type { ClusterRole } from '../../kube/builtin/index.ts';
import { sameJson } from '../../base/index.ts';
import { draftOf, type Stored } from '../object.ts';
import type { VersionedStore } from '../store/store.ts';
import { gatheredRules } from './aggregate.ts';
import { rbacTable } from './authorizer.ts';

/** Updates the rules of aggregated ClusterRoles, as a cluster's own controller does. */
export interface RoleAggregation {
  /** Updates aggregated rules that are out of date; costs nothing until a ClusterRole changes. */
  collect(): void;
}

export function createRoleAggregation(store: VersionedStore): RoleAggregation {
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
      // An aggregated role may aggregate another: repeats until nothing changes.
      for (let round = 0; isStale && round < MOST_ROUNDS && !store.isReadOnly; round++) {
        isStale = false;
        collectOnce();
      }
    },
  };
}

/** Roles that aggregate each other settle, since each rule is added once; this only bounds the work of one call. */
const MOST_ROUNDS = 16;
