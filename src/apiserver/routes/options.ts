import { isObject } from '../../base/index.ts';
import { invalidValue, notSupported, type FieldError } from '../field-error.ts';
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

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly propagation: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly gracePeriodSeconds: number | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/** Reads the options of a deletion from its body, or from the query where there is no body. */
export function deleteOptions(query: Query, body: unknown): DeleteOptions {
  const given = deletionSource(query, body);
  const asked = dryRunsOf(given);
  const propagation = orphanFlag(given) ?? given.propagationPolicy;
  const { gracePeriodSeconds: grace } = given;
  const errors = dryRunErrors(asked);
  if (propagation !== undefined && !POLICIES.has(propagation)) {
    errors.push(notSupported('propagationPolicy', propagation, ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  if (!Number.isInteger(Number(grace ?? 0))) errors.push(invalidValue('gracePeriodSeconds', grace, 'must be an integer'));
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  return {
    dryRun: asked.includes('All'),
    propagation: propagation as DeleteOptions['propagation'],
    gracePeriodSeconds: grace === undefined ? undefined : Number(grace),
    ...preconditionsOf(given),
  };
}

const dryRunsOf = ({ dryRun = [] }: Readonly<Record<string, unknown>>): readonly unknown[] =>
  [dryRun].flat().filter((value) => value !== '');

function deletionSource(query: Query, body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined || body === null) return query;
  if (!isObject(body)) throw badRequest('the body of a deletion must be DeleteOptions');
  const given = Object.entries(body).filter(([, value]) => value !== null);
  return given.length > 0 ? Object.fromEntries(given) : query;
}

function preconditionsOf({ preconditions }: Readonly<Record<string, unknown>>): Pick<DeleteOptions, 'uid' | 'resourceVersion'> {
  const { uid, resourceVersion } = isObject(preconditions) ? preconditions : {};
  return {
    uid: typeof uid === 'string' ? uid : undefined,
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : undefined,
  };
}

const POLICIES: ReadonlySet<unknown> = new Set(['Background', 'Foreground', 'Orphan']);

/** The flag that came before propagation policies. */
function orphanFlag(given: Readonly<Record<string, unknown>>): string | undefined {
  if (given.orphanDependents === true || given.orphanDependents === 'true') return 'Orphan';
  return given.orphanDependents === false || given.orphanDependents === 'false' ? 'Background' : undefined;
}

function dryRunErrors(asked: readonly unknown[]): FieldError[] {
  return asked.every((value) => value === 'All') ? [] : [notSupported('dryRun', asked, ['All'])];
}

/** A whole number of a query; throws kube-apiserver's 400. */
export function wholeNumber(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}
