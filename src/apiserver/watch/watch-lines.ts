import type { WatchLine } from '../../kube/client/transport.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Stored } from '../object.ts';
import type { Present } from '../routes/present.ts';
import type { Selects } from '../routes/select.ts';
import type { StoredChange } from '../store/table.ts';

/** What one watcher wants to see. */
export interface Interest {
  readonly kind: Kind;
  readonly namespace: string | undefined;
  readonly selects: Selects;
  readonly present: Present;
}

/** The line that one watcher gets for a change; undefined for none. */
export function lineFor(interest: Interest, change: StoredChange): WatchLine | undefined {
  if (interest.namespace !== undefined && !change.key.startsWith(`${interest.namespace}/`)) return undefined;
  const { kind, selects, present } = interest;
  const before = change.before && kind.read(change.before);
  const now = change.after && kind.read(change.after);
  const was = before !== undefined && selects(before);
  const is = now !== undefined && selects(now);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', object: present(now) };
  // An object that left the selection, or was deleted, is sent in its last state, at the version of the change.
  return was ? { type: 'DELETED', object: present(atRevision(before, change.revision)) } : undefined;
}

const atRevision = (object: Stored, revision: number): Stored =>
  Object.freeze({ ...object, metadata: Object.freeze({ ...object.metadata, resourceVersion: String(revision) }) });

/** A bookmark: a line with only the current resource version. */
export function bookmark(kind: Kind, revision: number, endsInitialEvents: boolean): WatchLine {
  const annotations = endsInitialEvents ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  const metadata = { resourceVersion: String(revision), ...annotations };
  return { type: 'BOOKMARK', object: Object.freeze({ kind: kind.kind, apiVersion: kind.apiVersion, metadata }) as unknown as Stored };
}
