import type { PolicyRule } from '../../kube/builtin/index.ts';
import { GROUPS, type User } from '../authentication/user.ts';
import type { Attributes } from './attributes.ts';
import { ruleAllows } from './rule-allows.ts';

/** A rule that applies to a user, or why one could not be found. */
export type Found = Grant | { readonly problem: string };

export interface Grant {
  readonly rule: PolicyRule;
  /** Through which binding, for people. */
  readonly by: string;
}

export interface Verdict {
  readonly allowed: boolean;
  /** Which binding allows it; or what was wrong with the bindings, where nothing does. */
  readonly reason: string;
}

/** Whether a user may do something under the rules that apply to them. What no rule allows is not allowed. */
export function authorize(user: User, attributes: Attributes, found: Iterable<Found>): Verdict {
  if (user.groups.includes(GROUPS.masters)) return { allowed: true, reason: '' };
  const problems = new Set<string>();
  for (const finding of found) {
    if ('problem' in finding) problems.add(finding.problem);
    else if (ruleAllows(finding.rule, attributes)) return { allowed: true, reason: `RBAC: allowed by ${finding.by}` };
  }
  return { allowed: false, reason: problems.size === 0 ? '' : `RBAC: ${aggregate([...problems])}` };
}

const aggregate = (problems: readonly string[]): string => (problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`);
