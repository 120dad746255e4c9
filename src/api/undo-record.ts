import type { KubeObject } from './meta.ts';
import { ANNOTATIONS } from './well-known.ts';
import { isObject } from '../base/index.ts';

/**
 * What a workflow writes on the object that it changes, in the same patch as the change: what it did, and what undoes it. The workflow library
 * writes it; the workflows in undo mode, the analyst and the controllers read it.
 */
export interface UndoRecord {
  readonly workflow: string;
  /** The WorkflowExecution that made the change; absent where a person ran the workflow by hand. */
  readonly execution?: string;
  /** What was done, for people. */
  readonly did: string;
  readonly undo: WayBack;
}

/** The record of a change that a WorkflowExecution made. */
export type ExecutionUndoRecord = UndoRecord & { readonly execution: string };

/** What to run on the same object to undo the change; or why nothing can undo it. */
export type WayBack = { readonly workflow: string; readonly parameters: Readonly<Record<string, string>> } | { readonly none: string };

/** The longest record that a workflow writes: everyone who reads the object reads its annotations too. */
export const LONGEST_UNDO_RECORD = 2_048;

/** The longest text that is parsed: anyone who may edit the object may have written it. */
const LONGEST_PARSED = 2 * LONGEST_UNDO_RECORD;

/**
 * The record of the last change that a WorkflowExecution made; undefined where there is none, or none that can be parsed. Anyone who may edit
 * the object may have written it: it says what to propose, never that it is allowed.
 */
export function undoRecordOn(object: KubeObject): ExecutionUndoRecord | undefined {
  const record = lastUndoRecord(object);
  return record?.execution === undefined ? undefined : { ...record, execution: record.execution };
}

/** The record of the last change by a workflow, whether a WorkflowExecution or a person ran it. */
export function lastUndoRecord({ metadata }: KubeObject): UndoRecord | undefined {
  const text = metadata.annotations?.[ANNOTATIONS.undo];
  if (text === undefined || text.length > LONGEST_PARSED) return undefined;
  const record = parse(text);
  if (!isObject(record)) return undefined;
  const { workflow, execution, did, undo } = record;
  const way = wayBackIn(undo);
  if (!way || !isText(workflow) || !isText(did)) return undefined;
  if (execution === undefined) return { workflow, did, undo: way };
  return isText(execution) ? { workflow, execution, did, undo: way } : undefined;
}

function wayBackIn(undo: unknown): WayBack | undefined {
  if (!isObject(undo)) return undefined;
  const { none, workflow, parameters } = undo;
  if (isText(none)) return { none };
  if (!isText(workflow) || !isObject(parameters)) return undefined;
  const values = Object.entries(parameters).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return values.length === Object.keys(parameters).length ? { workflow, parameters: Object.fromEntries(values) } : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
