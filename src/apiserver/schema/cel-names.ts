/** Reserved words of CEL; a field of that name is written between underscores. */
const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

const ESCAPES: Readonly<Record<string, string>> = { __: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' };

/**
 * A field's name inside a rule; undefined when a rule cannot name it.
 * @example celName('b-c') === 'b__dash__c'
 */
export function celName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  const escaped = name.replace(/__|[./-]/g, (part) => ESCAPES[part]!);
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(escaped) ? escaped : undefined;
}
