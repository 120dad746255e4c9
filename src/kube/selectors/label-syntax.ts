const NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const NAME_FORM =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const KEY_FORM =
  "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
const VALUE_FORM =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** What kube-apiserver says of a lowercase DNS name that is none. */
export const SUBDOMAIN_FORM =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** What is wrong with a DNS subdomain, in kube-apiserver's words; empty when nothing is. */
function subdomainProblems(text: string): readonly string[] {
  const problems: string[] = [];
  if (text.length > 253) problems.push('must be no more than 253 bytes');
  if (!SUBDOMAIN.test(text)) problems.push(SUBDOMAIN_FORM);
  return problems;
}

/** What is wrong with the key of a label, an annotation or a finalizer: `[prefix/]name`. */
export function labelKeyProblems(key: string): readonly string[] {
  const parts = key.split('/');
  if (parts.length > 2) return [KEY_FORM];
  const name = parts[parts.length - 1] ?? '';
  return [...(parts.length === 2 ? prefixProblems(parts[0] ?? '') : []), ...nameProblems(name)];
}

/** What is wrong with the value of a label. */
export function labelValueProblems(value: string): readonly string[] {
  const problems: string[] = [];
  if (value.length > 63) problems.push('must be no more than 63 bytes');
  if (!VALUE.test(value)) problems.push(VALUE_FORM);
  return problems;
}

const prefixProblems = (prefix: string): readonly string[] =>
  prefix === '' ? ['prefix part must be non-empty'] : subdomainProblems(prefix).map((problem) => `prefix part ${problem}`);

function nameProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (name === '') problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push('name part must be no more than 63 bytes');
  if (!NAME.test(name)) problems.push(NAME_FORM);
  return problems;
}
