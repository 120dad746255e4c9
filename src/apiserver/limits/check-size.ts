import type { Work } from '../object.ts';
import type { Server } from '../server.ts';
import { spaceExceeded, objectTooLarge } from '../status-errors.ts';
import { heapBytes } from './heap-bytes.ts';

/** Of an object as JSON: the limit of etcd for a request, which is what clusters limit objects by. */
const LARGEST_OBJECT = 1.5 * 1024 * 1024;

/** Below this, no text of the object reaches the limit, even if every character is escaped. */
const SURELY_SMALL = LARGEST_OBJECT / 6;

/** Refuses an object that is too large, and one that the server has no room for, before anything is written. What does not grow has room. */
export function checkSize({ store, user }: Pick<Server, 'store' | 'user'>, object: Work, before?: object): void {
  const bytes = heapBytes(object);
  if (bytes > SURELY_SMALL && Buffer.byteLength(JSON.stringify(object)) > LARGEST_OBJECT) throw objectTooLarge();
  if (store.bytes + bytes <= (user ? store.roomBytes : store.roomBytes * OWN_SHARE)) return;
  if (!before || bytes > heapBytes(before)) throw spaceExceeded();
}

/** What users fill must not stop the process itself. */
const OWN_SHARE = 9 / 8;
