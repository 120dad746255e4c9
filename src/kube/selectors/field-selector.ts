import { SelectorError } from './selector-error.ts';

/** One term of a field selector; all terms of a selector must hold. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/**
 * Reads the query form of a field selector.
 * @example parseFieldSelector('metadata.name=a,status.phase!=Running')
 */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  return splitTerms(text).flatMap((term) => (term === '' ? [] : [readTerm(term, text)]));
}

/** Whether the fields, read by `valueOf`, satisfy every requirement. An absent field counts as empty. */
export const matchesFields = (requirements: readonly FieldRequirement[], valueOf: (field: string) => string): boolean =>
  requirements.every(({ field, operator, value }) => (valueOf(field) === value) === (operator === '='));

/** The query form of requirements: the inverse of parseFieldSelector. */
export const formatFieldSelector = (requirements: readonly FieldRequirement[]): string =>
  requirements.map(({ field, operator, value }) => `${field}${operator}${value.replace(/[\\,=]/g, '\\$&')}`).join(',');

/** Splits at commas that no backslash precedes. */
function splitTerms(text: string): readonly string[] {
  const terms = [''];
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === '\\' && i + 1 < text.length) terms[terms.length - 1] += char + text[++i]!;
    else if (char === ',') terms.push('');
    else terms[terms.length - 1] += char;
  }
  return terms;
}

function readTerm(term: string, whole: string): FieldRequirement {
  const match = /^([^=!\\]*)(!=|==|=)(.*)$/s.exec(term);
  if (!match) throw new SelectorError(`invalid selector: '${whole}'; can't understand '${term}'`);
  return { field: match[1]!, operator: match[2] === '!=' ? '!=' : '=', value: unescape(match[3]!) };
}

function unescape(value: string): string {
  const plain = value.replace(/\\([\\,=])/g, '');
  const unescaped = /[\\=]/.exec(plain)?.[0];
  if (unescaped === '=') throw new SelectorError(`invalid field selector: unescaped character in value: =`);
  if (unescaped !== undefined)
    throw new SelectorError(`invalid field selector: invalid escape sequence: ${/\\./.exec(plain)?.[0] ?? '\\'}`);
  return value.replace(/\\([\\,=])/g, '$1');
}
