import type { KubeObject, ObjectKey } from '../api/meta.ts';
import type { Resource } from '../api/resource.ts';
import type { LogOptions } from '../kube/client/client.ts';
import type { Listed, Read } from '../kube/client/read.ts';

/** Reads from the API server, not a cache. */
export interface EvidenceReader {
  fetch<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Promise<Read<T>>;
  fetchList<T extends KubeObject>(
    resource: Resource<T>,
    options: { readonly namespace?: string; readonly labelSelector?: string; readonly fieldSelector?: string },
  ): Promise<Listed<T>>;
  /** Absent where logs cannot be read. */
  fetchLog?(pod: ObjectKey, options: Omit<LogOptions, 'signal'>): Promise<Read<string>>;
}
