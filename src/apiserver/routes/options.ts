import { notSupported, type FieldError } from '../field-error.ts';
import { badRequest, invalid } from '../status-errors.ts';
import type { Query } from './select.ts';

export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
}

/** Reads the options of a write; `named` is the options kind that a refusal is about. */
export function writeOptions(query: Query, named: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'): WriteOptions {
  const { dryRun = '', fieldValidation = '' } = query;
  const errors: FieldError[] = dryRunErrors(dryRun === '' ? [] : [dryRun]);
  if (!VALIDATIONS.has(fieldValidation)) errors.push(notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: named }, '', errors);
  return {
    dryRun: dryRun === 'All',
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as WriteOptions['fieldValidation']),
  };
}

const VALIDATIONS: ReadonlySet<string> = new Set(['', 'Ignore', 'Strict', 'Warn']);

/** What is wrong with a dry run that is asked for. */
export function dryRunErrors(asked: readonly unknown[]): FieldError[] {
  return asked.every((value) => value === 'All') ? [] : [notSupported('dryRun', asked, ['All'])];
}

/** A whole number of a query; throws kube-apiserver's 400. */
export function wholeNumber(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}
