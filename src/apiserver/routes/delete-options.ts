import { isObject, type JsonObject } from '../../base/index.ts';
import { invalidValue, notSupported, type FieldError } from '../field-error.ts';
import { badRequest, invalid } from '../status-errors.ts';
import { DecodeError, decodeInto } from '../typed/decode.ts';
import { typeOfKind } from '../typed/typed-node.ts';
import { dryRunErrors, queryNumber } from './options.ts';
import type { Query } from './select.ts';

export interface ParsedDeleteOptions {
  readonly dryRun: boolean;
  readonly propagation: 'Background' | 'Foreground' | 'Orphan' | undefined;
  /** The deprecated `orphanDependents`, where it was given. */
  readonly orphanDependents?: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/** Options as they were given, with checked types. */
interface Given {
  readonly dryRun?: readonly string[];
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Reads the options of a deletion from its body, or from the query where there is no body. */
export function deleteOptions(query: Query, body: unknown): ParsedDeleteOptions {
  const given = body === undefined ? fromQuery(query) : fromBody(body);
  const errors = [...dryRunErrors(given.dryRun ?? []), ...propagationErrors(given)];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  const { uid, resourceVersion } = given.preconditions ?? {};
  return {
    dryRun: (given.dryRun ?? []).includes('All'),
    propagation: (given.propagationPolicy ?? orphanFlag(given)) as ParsedDeleteOptions['propagation'],
    ...(given.orphanDependents !== undefined && { orphanDependents: given.orphanDependents }),
    gracePeriodSeconds: given.gracePeriodSeconds,
    uid,
    resourceVersion,
  };
}

function fromQuery({ dryRun = '', propagationPolicy, orphanDependents, gracePeriodSeconds }: Query): Given {
  return {
    dryRun: dryRun === '' ? [] : [dryRun],
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(orphanDependents !== undefined && { orphanDependents: !/^(0|f|false)$/i.test(orphanDependents) }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds: queryNumber(gracePeriodSeconds) }),
  };
}

function fromBody(body: unknown): Given {
  if (body === null) return {};
  if (isObject(body)) checkKind(body);
  try {
    return decodeInto(typeOfKind({ group: '', version: 'v1', kind: 'DeleteOptions' }), body, []);
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(error.message);
    throw error;
  }
}

function checkKind({ kind = 'DeleteOptions' }: JsonObject): void {
  if (kind !== 'DeleteOptions' && kind !== '' && kind !== null)
    throw badRequest(`no kind ${JSON.stringify(kind)} is registered for version "meta.k8s.io/v1"`);
}

const POLICIES: ReadonlySet<string> = new Set(['Background', 'Foreground', 'Orphan']);

function propagationErrors({ propagationPolicy: policy, orphanDependents }: Given): readonly FieldError[] {
  if (policy === undefined) return [];
  const errors: FieldError[] = [];
  if (!POLICIES.has(policy)) errors.push(notSupported('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil']));
  if (orphanDependents !== undefined)
    errors.push(invalidValue('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'));
  return errors;
}

/** The deprecated `orphanDependents`. */
function orphanFlag({ orphanDependents }: Given): 'Orphan' | 'Background' | undefined {
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? 'Orphan' : 'Background';
}
