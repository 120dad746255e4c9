import type { KubeObject } from '../../api/meta.ts';
import { compareVersions, isNewer } from '../client/resource-version.ts';

/**
 * What we have written to the objects of one store and the store has not shown yet.
 *
 *   begin ──▶ in flight ──answer──▶ version to be passed, or UID to go ──stream──▶ forgotten
 *                       └─no answer─▶ lost ──read made after the loss──▶ version to be passed, or nothing
 *
 * A key is behind while a write is in flight; while a version it must reach is newer than what the stream has passed
 * (versions are one sequence and the stream is in order, so this holds for objects outside the selector and for objects
 * deleted since, too); while an object whose deletion was accepted is shown without a deletion time; and while it is not
 * known whether a write happened. The last ends with a read of the object made after the loss (`LostWrites`), or with a
 * list begun after it. A write that reaches the server later than that read is the one case left: its precondition on
 * UID or version is what guards it.
 */
export class OwnWrites {
  readonly #pending = new Map<string, Pending>();
  #sequence = 0;

  /** A write leaves; `draft` is the object as it is to be, where the write says that. */
  begin(key: string, draft?: unknown): void {
    const entry = this.#entry(key);
    entry.inFlight++;
    entry.written ??= draft;
  }

  /** The server refused, so nothing was written. */
  refused(key: string): void {
    const entry = this.#entry(key);
    land(entry);
    if (entry.inFlight === 0 && entry.at === 0) this.#pending.delete(key);
  }

  /** The server made this version of our write; undefined when it answered with something that is no version of the object. */
  wrote(key: string, object: KubeObject | undefined): void {
    const entry = this.#settle(key);
    if (!object) return;
    entry.written = object;
    if (isNewer(object.metadata.resourceVersion, entry.version)) entry.version = object.metadata.resourceVersion;
  }

  /** The server accepted the deletion of the object with this UID. */
  deleted(key: string, uid: string): void {
    this.#settle(key).goingUid = uid;
  }

  /** No answer came: the write may have happened. */
  lost(key: string): void {
    this.#settle(key).lost = true;
  }

  /** A read begun after the last loss found the object at this version, or (undefined) found none where `shown` is shown. */
  found(key: string, version: string | undefined, shown: KubeObject | undefined): void {
    const entry = this.#pending.get(key);
    if (!entry?.lost) return;
    entry.lost = false;
    if (version !== undefined && isNewer(version, entry.version)) entry.version = version;
    if (version === undefined && shown) entry.goingUid = shown.metadata.uid;
  }

  /** The UID of the object that we wrote last under this key and that has not been shown yet. */
  uidOf(key: string): string | undefined {
    return (this.#pending.get(key)?.written as Partial<KubeObject> | undefined)?.metadata?.uid;
  }

  /** A mark to hand to `listed` or `sweep`: what is settled later than this is younger than the mark. */
  mark(): number {
    return this.#sequence;
  }

  /** A list begun at the mark is in the store: it shows how everything ended that was under no way any more by then. */
  listed(mark: number): void {
    for (const entry of this.#pending.values()) {
      if (entry.at > mark) continue;
      entry.lost = false;
      entry.goingUid = undefined;
    }
  }

  /** The server, asked at the mark, does not serve the kind: of what was written before nothing is left to be shown. */
  unserved(mark: number): void {
    for (const [key, { at, inFlight }] of this.#pending) if (at <= mark && inFlight === 0) this.#pending.delete(key);
  }

  /** Versions can no longer be compared: the server has gone back in time for good. */
  forgetVersions(): void {
    for (const entry of this.#pending.values()) entry.version = undefined;
  }

  isBehind(key: string, view: View): boolean {
    const entry = this.#pending.get(key);
    if (!entry) return false;
    if (isBehind(entry, view, view.shown(key))) return true;
    this.#pending.delete(key);
    return false;
  }

  /** Whether a list is behind: `shows` tells whether an object, as shown or as written, belongs into it. */
  isListBehind(view: View, shows: (object: unknown) => boolean): boolean {
    for (const [key, { written }] of this.#pending) {
      if (!this.isBehind(key, view)) continue;
      const shown = view.shown(key);
      if ((shown && shows(shown)) || (written !== undefined && shows(written))) return true;
    }
    return false;
  }

  /** Forgets what the stream has shown since; tells whether anything is left that was settled before the mark. */
  sweep(view: View, mark: number): boolean {
    let left = false;
    for (const [key, entry] of this.#pending) if (this.isBehind(key, view) && entry.at <= mark) left = true;
    return left;
  }

  #entry(key: string): Pending {
    let entry = this.#pending.get(key);
    if (!entry)
      this.#pending.set(key, (entry = { inFlight: 0, at: 0, lost: false, version: undefined, goingUid: undefined, written: undefined }));
    return entry;
  }

  #settle(key: string): Pending {
    const entry = this.#entry(key);
    land(entry);
    entry.at = ++this.#sequence;
    return entry;
  }
}

/** What a store shows: how far its stream is, and the object under a key. */
export interface View {
  readonly progress: string | undefined;
  shown(key: string): KubeObject | undefined;
}

interface Pending {
  inFlight: number;
  /** When a write to it was last answered or lost; 0 when none was. */
  at: number;
  lost: boolean;
  version: string | undefined;
  goingUid: string | undefined;
  /** The object as our last write made it, or is to make it. */
  written: unknown;
}

/** A write that left before the store was opened was never counted. */
function land(entry: Pending): void {
  entry.inFlight = Math.max(0, entry.inFlight - 1);
}

function isBehind(entry: Pending, view: View, shown: KubeObject | undefined): boolean {
  if (entry.inFlight > 0 || entry.lost) return true;
  if (entry.version !== undefined && (view.progress === undefined || compareVersions(entry.version, view.progress) > 0)) return true;
  return entry.goingUid !== undefined && shown?.metadata.uid === entry.goingUid && shown.metadata.deletionTimestamp === undefined;
}
