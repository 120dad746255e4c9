import type { KubeObject } from './meta.ts';
import { ANNOTATIONS } from './well-known.ts';
import { isObject } from '../base/index.ts';

/** What a workflow left on the object that it changed: what it did, and what takes that back. */
export interface UndoRecord {
  readonly workflow: string;
  /** The WorkflowExecution that did it. */
  readonly execution: string;
  /** In words. */
  readonly did: string;
  readonly undo: WayBack;
}

/** What to run on the same object; or why nothing can take it back. */
export type WayBack = { readonly workflow: string; readonly parameters: Readonly<Record<string, string>> } | { readonly none: string };

/** Workflows write no more than 2,048 characters. */
const LONGEST = 4_096;

/**
 * The record of the last change by a workflow; undefined where there is none that can be made sense of. Whoever may edit the object may have
 * written it: it says what to propose, never that it may be done.
 */
export function undoRecordOn({ metadata }: KubeObject): UndoRecord | undefined {
  const text = metadata.annotations?.[ANNOTATIONS.undo];
  if (text === undefined || text.length > LONGEST) return undefined;
  const record = parse(text);
  if (!isObject(record)) return undefined;
  const { workflow, execution, did, undo } = record;
  const way = wayBackIn(undo);
  return way && isText(workflow) && isText(execution) && isText(did) ? { workflow, execution, did, undo: way } : undefined;
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
