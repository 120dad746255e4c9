import type { ConfigMap } from '../../api/builtin/index.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { Read } from '../../kube/client/read.ts';
import { configMapPart } from './config-map-hash.ts';
import { configMapRefs } from './config-map-refs.ts';
import { digest, specHash } from './spec-hash.ts';

/** A target as the server has it, with the ConfigMaps that its pods are given. */
export interface SeenTarget extends KubeObject {
  readonly spec?: unknown;
  /** By name; none where none is referenced. One that is missing here was not read, and counts as unreadable. */
  readonly configMaps?: ReadonlyMap<string, Read<ConfigMap>>;
}

/** The digest that changes when the target does. Only a complete one may be recorded or compared. */
export type Fingerprint =
  | { readonly isComplete: true; readonly specHash: string }
  | { readonly isComplete: false; readonly specHash: string; readonly reason: string };

const NOT_FETCHED = { kind: 'unreadable', reason: 'not read' } as const;

/**
 * One digest over the spec of a target and the content of every ConfigMap that its pods are given. Equal states have equal digests; without ConfigMaps it is the digest of the spec.
 */
export function fingerprint(target: SeenTarget): Fingerprint {
  const parts = configMapRefs(target).map((name) => ({ name, read: target.configMaps?.get(name) ?? NOT_FETCHED }));
  const own = specHash(target);
  const composite =
    parts.length === 0 ? own : digest([own, ...parts.map(({ name, read }) => `${name}:${configMapPart(name, read)}`)].join('\n'));
  const unknown = parts.flatMap(({ name, read }) =>
    read.kind === 'unreadable' ? [`ConfigMap ${name} cannot be read: ${read.reason}`] : [],
  );
  const [first] = unknown;
  if (first === undefined) return { isComplete: true, specHash: composite };
  return { isComplete: false, specHash: composite, reason: unknown.length === 1 ? first : `${first} (and ${unknown.length - 1} more)` };
}

/** The digest of a target whose state is known; undefined where a part of it could not be read. */
export function knownSpecHash(target: SeenTarget): string | undefined {
  const found = fingerprint(target);
  return found.isComplete ? found.specHash : undefined;
}
