import { SUBDOMAIN_FORM } from '../../kube/selectors/index.ts';

/** The forms of names. */
export type NameRule = 'subdomain' | 'label' | 'label1035' | 'path';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const LABEL_FORM =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_1035_FORM =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

const RULES = {
  subdomain: { limit: 253, pattern: SUBDOMAIN, form: SUBDOMAIN_FORM },
  label: { limit: 63, pattern: LABEL, form: LABEL_FORM },
  label1035: { limit: 63, pattern: LABEL_1035, form: LABEL_1035_FORM },
} as const;

/** What is wrong with a name, in kube-apiserver's words; empty when nothing is. */
export function nameProblems(rule: NameRule, name: string): readonly string[] {
  if (rule === 'path') return pathProblems(name);
  const { limit, pattern, form } = RULES[rule];
  const problems: string[] = [];
  if (name.length > limit) problems.push(`must be no more than ${limit} bytes`);
  if (!pattern.test(name)) problems.push(form);
  return problems;
}

/** Roles and bindings may have any name that is one path segment. */
function pathProblems(name: string): readonly string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((bad) => name.includes(bad)).map((bad) => `may not contain '${bad}'`);
}

/** A prefix is checked as if more characters followed: `web-` is the start of a valid name. */
export const prefixProblems = (rule: NameRule, prefix: string): readonly string[] =>
  nameProblems(rule, prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -1)}a` : prefix);
