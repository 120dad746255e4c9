import type { PolicyRule } from '../../kube/builtin/index.ts';
import { GROUPS, type User } from '../authentication/user.ts';
import type { Attributes } from './attributes.ts';
import { ruleAllows } from './rule-allows.ts';

/** A rule that applies to a user, or why a binding's role could not be found. */
export type RuleLookup = GrantedRule | { readonly problem: string };

export interface GrantedRule {
  readonly rule: PolicyRule;
  /** The binding that grants it, for messages. */
  readonly by: string;
}

export interface AuthorizationVerdict {
  readonly allowed: boolean;
  /** The binding that allows it; or what is wrong with the bindings, where none does. */
  readonly reason: string;
}

/** Whether the rules that apply to a user allow an action. What no rule allows is denied. */
export function authorize(user: User, attributes: Attributes, found: Iterable<RuleLookup>): AuthorizationVerdict {
  if (user.groups.includes(GROUPS.masters)) return { allowed: true, reason: '' };
  const problems = new Set<string>();
  for (const finding of found) {
    if ('problem' in finding) problems.add(finding.problem);
    else if (ruleAllows(finding.rule, attributes)) return { allowed: true, reason: `RBAC: allowed by ${finding.by}` };
  }
  return { allowed: false, reason: problems.size === 0 ? '' : `RBAC: ${aggregate([...problems])}` };
}

const aggregate = (problems: readonly string[]): string => (problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`);
