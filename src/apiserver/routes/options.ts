import { invalidValue, notSupported, type FieldError } from '../field-error.ts';
import { badRequest, invalid } from '../status-errors.ts';
import type { Query } from './select.ts';

export interface ParsedWriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
}

/** Reads the options of a write; `named` is the options kind that a refusal is about. */
export function writeOptions(query: Query, named: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'): ParsedWriteOptions {
  const { dryRun = '', fieldValidation = '' } = query;
  const errors: FieldError[] = dryRunErrors(dryRun === '' ? [] : [dryRun]);
  errors.push(...managerErrors(query.fieldManager));
  if (!VALIDATIONS.has(fieldValidation)) errors.push(notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: named }, '', errors);
  return {
    dryRun: dryRun === 'All',
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as ParsedWriteOptions['fieldValidation']),
  };
}

const VALIDATIONS: ReadonlySet<string> = new Set(['', 'Ignore', 'Strict', 'Warn']);

/** What is wrong with the `dryRun` of a request. */
export function dryRunErrors(values: readonly unknown[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupported('dryRun', values, ['All'])];
}

const LONGEST_MANAGER = 128;

/** What is wrong with a `fieldManager`, which is not used otherwise. */
function managerErrors(manager = ''): readonly FieldError[] {
  if (Buffer.byteLength(manager) > LONGEST_MANAGER)
    return [{ reason: 'FieldValueTooLong', field: 'fieldManager', message: `Too long: may not be more than ${LONGEST_MANAGER} bytes` }];
  const odd = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.exec(manager);
  return odd ? [invalidValue('fieldManager', manager, `invalid character at position ${odd.index}`)] : [];
}

/** A whole number of a query; throws kube-apiserver's 400. */
export function queryNumber(text: string): number {
  const fail = (why: string): Error => badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`);
  if (!/^[+-]?\d+$/.test(text)) throw fail('invalid syntax');
  if (BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) throw fail('value out of range');
  return Number(text);
}

const DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;

/** No request takes long enough for a timeout, but it must be valid. */
export function checkTimeout({ timeout = '' }: Query): void {
  if (timeout !== '' && !DURATION.test(timeout))
    throw badRequest(`invalid timeout specified in the request URL - time: invalid duration ${JSON.stringify(timeout)}`);
}
