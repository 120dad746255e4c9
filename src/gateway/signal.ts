import type { ObjectKey } from '../api/meta.ts';
import type { Resource } from '../api/resource.ts';
import type { Instant } from '../base/index.ts';

/** One alert, independent of its source. */
export interface Signal {
  readonly state: 'firing' | 'resolved';
  /** `spec.signalSource` of what it opens. */
  readonly source: string;
  readonly name: string;
  /** Tells alerts of one name apart. */
  readonly instance: string;
  /** As the source writes it. */
  readonly severity: string;
  readonly startsAt: Instant;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The cluster that it is about, where the source names one. */
  readonly clusterID: string;
  /** What it is about, as its labels name it. */
  readonly about: NamedObject;
  /** What else the source says, and the alert as it came: both as JSON text. */
  readonly providerData: string;
  readonly payload: string;
}

/** An object by kind and name; whether it exists is another question. */
export interface NamedObject {
  readonly resource: Resource;
  readonly key: ObjectKey;
}
