import { isObject, type Instant } from '../../base/index.ts';
import type { Stored } from '../object.ts';
import { badRequest } from '../status-errors.ts';
import type { Columns } from './columns.ts';

/** What rows contain besides their cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** The input of a table. */
export interface TableOptions {
  readonly columns: Columns;
  readonly includeObject: IncludeObject;
  readonly now: Instant;
  /** False for all tables of a watch but the first. */
  readonly headers: boolean;
}

/** Of a list, or of the one object. */
export interface TableMetadata {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** The table of an answer: of the objects in a list, or of the one object; other answers stay as they are. */
export function asTable(body: unknown, options: TableOptions): unknown {
  if (!isObject(body) || body['kind'] === 'Status') return body;
  const { items, metadata } = body as { readonly items?: readonly Stored[]; readonly metadata: TableMetadata };
  if (items) return tableOf(items, metadata, options);
  return tableOf([body as unknown as Stored], { resourceVersion: metadata.resourceVersion ?? '' }, options);
}

/** Objects as a metav1.Table. */
export function tableOf(
  objects: readonly Stored[],
  metadata: TableMetadata,
  { columns, includeObject, now, headers }: TableOptions,
): object {
  const { definitions, cells, conditions } = columns;
  const rows = objects.map((object) => {
    const rowConditions = conditions?.(object) ?? [];
    return {
      cells: cells(object, now),
      ...(rowConditions.length > 0 && { conditions: rowConditions }),
      object: included(object, includeObject),
    };
  });
  return Object.freeze({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata, columnDefinitions: headers ? definitions : null, rows });
}

function included(object: Stored, includeObject: IncludeObject): object | null {
  if (includeObject === 'None') return null;
  if (includeObject === 'Object') return object;
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}

const INCLUDES: readonly string[] = ['None', 'Metadata', 'Object'] satisfies IncludeObject[];

/** Reads `includeObject` of a query; throws 400 for an unknown value. */
export function includeObjectOf(text = 'Metadata'): IncludeObject {
  if (text === '') return 'Metadata';
  if (!INCLUDES.includes(text)) throw badRequest(`unrecognized includeObject value: ${JSON.stringify(text)}`);
  return text as IncludeObject;
}
