import { DaemonSet, Deployment, StatefulSet, type PodTemplate } from '../src/api/builtin/index.ts';
import type { KubeObject } from '../src/api/meta.ts';
import type { Resource } from '../src/api/resource.ts';
import { PlatformError } from '../src/base/index.ts';

/** What the kinds that keep pods running have in common. */
export interface Workload extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly updateStrategy?: { readonly type?: string };
    readonly template: PodTemplate;
  };
}

const WORKLOADS: readonly Resource<KubeObject>[] = [Deployment, StatefulSet, DaemonSet];

/** The kinds whose pods follow a template. */
export const WORKLOAD_KINDS: readonly string[] = WORKLOADS.map(({ kind }) => kind);

/** How a workload of the kind is addressed. */
export function workloadOf(kind: string): Resource<Workload> {
  const resource = WORKLOADS.find((known) => known.kind === kind);
  if (!resource) throw new PlatformError('Internal', `${kind} is not a workload`, { retry: 'never' });
  return resource as Resource<Workload>;
}

/** Why a change of the template would not reach the pods; undefined when it would. */
export function rolloutObjection({ spec }: Workload): string | undefined {
  if (spec.paused === true) return 'its rollouts are paused; run "kubectl rollout resume" first';
  return spec.updateStrategy?.type === 'OnDelete'
    ? 'its update strategy is OnDelete: its pods change only when they are deleted'
    : undefined;
}
