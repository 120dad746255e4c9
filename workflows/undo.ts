import type { KubeObject } from '../src/api/meta.ts';
import { ANNOTATIONS } from '../src/api/well-known.ts';
import { isObject } from '../src/base/index.ts';
import type { JsonPatchOperation } from '../src/kube/client/client.ts';
import { pointer } from './pointer.ts';
import { notMet } from './refusal.ts';

/** Where the last change by a workflow, and the way back from it, stand on the object that was changed. */
export const UNDO = ANNOTATIONS.undo;

/** An annotation is read by everyone who reads the object; this is more than any way back needs. */
const MOST_CHARACTERS = 2_048;

/** What to run on the same target to take a change back; or why nothing can. */
export type WayBack = { readonly workflow: string; readonly parameters: Readonly<Record<string, string>> } | { readonly none: string };

/** A change by a workflow, written in the same patch as the change itself: there is never one without the other. */
export interface UndoRecord {
  readonly workflow: string;
  /** The WorkflowExecution that did it. */
  readonly execution?: string;
  /** What was done, in words. */
  readonly did: string;
  readonly undo: WayBack;
}

/** The patch operations that put the record on an object. */
export function recordOf({ metadata }: KubeObject, record: UndoRecord): readonly JsonPatchOperation[] {
  const value = JSON.stringify(record);
  if (value.length > MOST_CHARACTERS) throw notMet(`the way back takes ${value.length} characters, more than ${MOST_CHARACTERS}`);
  return [
    ...(metadata.annotations ? [] : [{ op: 'add', path: '/metadata/annotations', value: {} } as const]),
    { op: 'add', path: pointer('metadata', 'annotations', UNDO), value },
  ];
}

/** The last change by a workflow, when there is one that can be read. */
export function lastChange({ metadata }: KubeObject): UndoRecord | undefined {
  try {
    const record: unknown = JSON.parse(metadata.annotations?.[UNDO] ?? '');
    return isObject(record) && typeof record['workflow'] === 'string' ? (record as unknown as UndoRecord) : undefined;
  } catch {
    return undefined;
  }
}
