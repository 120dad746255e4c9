import type { ClusterRole, PolicyRule } from '../../kube/builtin/index.ts';
import type { LabelSelector } from '../../kube/meta.ts';
import { sameJson } from '../../base/index.ts';
import { labelRequirements, matchesLabels, SelectorError } from '../../kube/selectors/index.ts';

/** The rules that a ClusterRole aggregates from others by their labels, each once; undefined for a role without an aggregation rule. */
export function gatheredRules(role: ClusterRole, all: readonly ClusterRole[]): readonly PolicyRule[] | undefined {
  if (!role.aggregationRule) return undefined;
  const gathered: PolicyRule[] = [];
  for (const selector of role.aggregationRule.clusterRoleSelectors ?? []) {
    const chosen = all.filter((other) => other.metadata.name !== role.metadata.name && selects(selector, other));
    for (const rule of chosen.toSorted(byName).flatMap(({ rules }) => rules ?? [])) {
      if (!gathered.some((known) => sameJson(known, rule))) gathered.push(rule);
    }
  }
  return gathered;
}

const byName = (one: ClusterRole, other: ClusterRole): number => (one.metadata.name < other.metadata.name ? -1 : 1);

/** An invalid selector selects nothing. */
function selects(selector: LabelSelector, { metadata }: ClusterRole): boolean {
  try {
    return matchesLabels(labelRequirements(selector), metadata.labels);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}
