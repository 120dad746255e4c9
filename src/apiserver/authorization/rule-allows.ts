import type { PolicyRule } from '../../kube/builtin/index.ts';
import { combined, type Attributes, type ResourceAction } from './attributes.ts';

/** Whether one rule allows an action, exactly as RBAC reads rules. */
export const ruleAllows = (rule: PolicyRule, attributes: Attributes): boolean =>
  names(rule.verbs, attributes.verb) &&
  (attributes.kind === 'path' ? coversPath(rule.nonResourceURLs, attributes.path) : coversResource(rule, attributes));

const coversResource = (rule: PolicyRule, action: ResourceAction): boolean =>
  names(rule.apiGroups, action.group) && resourceMatches(rule.resources, action) && nameMatches(rule.resourceNames, action.name);

const names = (list: readonly string[] = [], wanted: string): boolean => list.includes('*') || list.includes(wanted);

/** `pods` is not `pods/log`; a star before a slash, as in `*` + `/scale`, is the scale of everything; `*` is everything with all its subresources. */
function resourceMatches(list: readonly string[] = [], action: ResourceAction): boolean {
  const wanted = combined(action);
  return list.some(
    (resource) => resource === '*' || resource === wanted || (action.subresource !== '' && resource === `*/${action.subresource}`),
  );
}

/** A rule for certain names does not allow requests that name no object, such as a list or a create. */
const nameMatches = (list: readonly string[] = [], name: string): boolean => list.length === 0 || list.includes(name);

/** Only a star at the end is a wildcard. */
export const coversPath = (list: readonly string[] = [], path: string): boolean =>
  list.some((url) => url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''))));
