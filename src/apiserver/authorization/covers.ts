import type { PolicyRule } from '../../kube/builtin/index.ts';
import { coversPath } from './rule-allows.ts';

/**
 * The parts of some rules that a user's own rules do not cover, in the smallest pieces. Empty when all is covered.
 * A piece counts as covered only if one rule covers all of it.
 */
export const notCovered = (held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] =>
  wanted.flatMap(pieces).filter((piece) => !held.some((rule) => covers(rule, piece)));

/** One verb on one resource of one group, of one name where names are given; or one verb on one path. */
function pieces(rule: PolicyRule): readonly PolicyRule[] {
  const names = rule.resourceNames?.length ? rule.resourceNames.map((name) => ({ resourceNames: [name] })) : [{}];
  const onResources = product(rule.apiGroups ?? [], rule.resources ?? []).flatMap(([group, resource]) =>
    rule.verbs.flatMap((verb) => names.map((name) => ({ verbs: [verb], apiGroups: [group], resources: [resource], ...name }))),
  );
  const onPaths = product(rule.nonResourceURLs ?? [], rule.verbs).map(([url, verb]) => ({ verbs: [verb], nonResourceURLs: [url] }));
  return [...onResources, ...onPaths];
}

const product = <A, B>(first: readonly A[], second: readonly B[]): readonly (readonly [A, B])[] =>
  first.flatMap((one) => second.map((other) => [one, other] as const));

function covers(rule: PolicyRule, piece: PolicyRule): boolean {
  return (
    hasAll(rule.verbs, piece.verbs) &&
    hasAll(rule.apiGroups, piece.apiGroups) &&
    (piece.resources ?? []).every((resource) => coversResource(rule.resources ?? [], resource)) &&
    (piece.nonResourceURLs ?? []).every((url) => coversPath(rule.nonResourceURLs, url)) &&
    coversNames(rule.resourceNames ?? [], piece.resourceNames ?? [])
  );
}

const hasAll = (held: readonly string[] = [], wanted: readonly string[] = []): boolean =>
  held.includes('*') || wanted.every((one) => held.includes(one));

function coversResource(held: readonly string[], resource: string): boolean {
  if (held.includes('*') || held.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && held.includes(`*${resource.slice(slash)}`);
}

/** A right to certain objects does not cover the right to all. */
const coversNames = (held: readonly string[], wanted: readonly string[]): boolean =>
  held.length === 0 || (wanted.length > 0 && wanted.every((name) => held.includes(name)));

/** Pieces as kube-apiserver prints them: those that differ only in their verb become one. */
export function shownRules(rules: readonly PolicyRule[]): readonly string[] {
  const together = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, ...rest } = rule;
    const key = JSON.stringify(rule.nonResourceURLs ? rule : rest);
    const known = together.get(key);
    together.set(key, known ? { ...known, verbs: [...known.verbs, ...verbs] } : rule);
  }
  return [...new Set([...together.values()].map(shown))].toSorted();
}

const FIELDS = [
  ['APIGroups', 'apiGroups'],
  ['Resources', 'resources'],
  ['NonResourceURLs', 'nonResourceURLs'],
  ['ResourceNames', 'resourceNames'],
  ['Verbs', 'verbs'],
] as const;

function shown(rule: PolicyRule): string {
  const parts = FIELDS.flatMap(([label, field]) => (rule[field]?.length ? [`${label}:${quotedList(rule[field])}`] : []));
  return `{${parts.join(', ')}}`;
}

/** A list as Go prints it with %q. */
export const quotedList = (items: readonly string[]): string => `[${items.map((item) => JSON.stringify(item)).join(' ')}]`;
