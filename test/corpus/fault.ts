import type { Target } from '../../src/analyst/index.ts';
import type { Expectation } from './corpus-case.ts';
import type { Condition } from '../../src/api/meta.ts';
import type { Seen, Snapshot } from './recording.ts';

/** An object to be created; its namespace is that of the recording. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string } & Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** One step of a fault. */
export type Step = (
  | { readonly create: Manifest }
  | { readonly patch: { readonly apiVersion: string; readonly kind: string; readonly name: string }; readonly body: object }
  | { readonly remove: { readonly apiVersion: string; readonly kind: string; readonly name: string } }
) & {
  /** Seconds after the fault; 0 when absent. */
  readonly at?: number;
};

/** A real workload and how it is broken, as data. */
export interface Fault extends Expectation {
  readonly name: string;
  /** What runs well. */
  readonly healthy: readonly Manifest[];
  /** Changes before the fault, one after the other, each of which is waited for. */
  readonly earlier?: readonly Step[];
  readonly fault: readonly Step[];
  /** Further moments of which a snapshot is taken, in seconds. */
  readonly moments?: readonly number[];
}

/** Faults are recorded in a namespace of this name, whatever it was in the cluster. */
export const NAMESPACE = 'shop';

export const deployment = (name: string): Target => ({ kind: 'Deployment', name, namespace: NAMESPACE, apiVersion: 'apps/v1' });

export const on = (kind: string, name: string, apiVersion = 'apps/v1'): Target => ({ kind, name, namespace: NAMESPACE, apiVersion });

/** The first pod of an app: preferably one that is not ready. */
export const podOf =
  (app: string) =>
  ({ objects }: Snapshot): Target => {
    const pods = objects.filter(({ kind, metadata }) => kind === 'Pod' && metadata.labels?.['app'] === app);
    const name = (pods.find((pod) => !isReady(pod)) ?? pods[0])?.metadata.name ?? `${app}-gone`;
    return { kind: 'Pod', name, namespace: NAMESPACE, apiVersion: 'v1' };
  };

const isReady = (pod: Seen): boolean =>
  ((pod['status'] as { readonly conditions?: readonly Condition[] } | undefined)?.conditions ?? []).some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  );
