import { isObject, type JsonObject } from '../../../src/base/index.ts';
import type { PodLog, Recording, Seen, Snapshot } from '../recording.ts';

/** How a recording is changed: snapshot by snapshot. */
export type Change = (snapshot: Snapshot) => Snapshot;

/** A recording of which every snapshot was changed. */
export const changed = (recording: Recording, ...changes: readonly Change[]): Recording => ({
  ...recording,
  snapshots: recording.snapshots.map((snapshot) => changes.reduce((now, change) => change(now), snapshot)),
});

/** The recording until a moment: what is seen then is all that is ever seen. */
export const until = (recording: Recording, seconds: number): Recording => ({
  ...recording,
  snapshots: recording.snapshots.filter(({ at }) => at <= seconds),
});

export const each =
  (kind: string, change: (object: Seen) => Seen): Change =>
  (snapshot) => ({ ...snapshot, objects: snapshot.objects.map((object) => (object.kind === kind ? change(object) : object)) });

export const without =
  (isLeftOut: (object: Seen) => boolean): Change =>
  (snapshot) => ({ ...snapshot, objects: snapshot.objects.filter((object) => !isLeftOut(object)) });

export const adding =
  (...objects: readonly Seen[]): Change =>
  (snapshot) => ({ ...snapshot, objects: [...snapshot.objects, ...objects] });

export const refusing =
  (...refused: readonly string[]): Change =>
  (snapshot) => ({ ...snapshot, refused });

export const logging =
  (change: (log: PodLog) => PodLog): Change =>
  (snapshot) => ({ ...snapshot, logs: snapshot.logs.map(change) });

/** Members of the metadata, and labels and annotations beside those that are there. */
export const marked =
  ({ labels = {}, annotations = {}, ...more }: { readonly labels?: JsonObject; readonly annotations?: JsonObject } & JsonObject) =>
  (object: Seen): Seen => {
    const { metadata } = object;
    const all = {
      ...metadata,
      labels: { ...metadata.labels, ...labels },
      annotations: { ...metadata.annotations, ...annotations },
      ...more,
    };
    return { ...object, metadata: all as Seen['metadata'] };
  };

export const withSpec =
  (more: JsonObject) =>
  (object: Seen): Seen => ({ ...object, spec: { ...(isObject(object['spec']) ? object['spec'] : {}), ...more } });
