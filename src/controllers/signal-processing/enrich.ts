import type { Namespace } from '../../api/builtin/index.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { LABELS } from '../../api/well-known.ts';
import { namespaceOf, type TargetContext } from './read-target-context.ts';

type Signal = SignalProcessing['spec']['signal'];
type Context = NonNullable<NonNullable<SignalProcessing['status']>['kubernetesContext']>;
type TextMap = Readonly<Record<string, string>>;

/** Labels of a namespace that become labels of the target until a policy derives them. */
const CUSTOM_LABELS = { team: LABELS.team, tier: LABELS.tier, 'cost-center': LABELS.costCenter, region: LABELS.region } as const;

/** A copy of the whole object, written by kubectl: large, and of no use here. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Describes the target by what was read; a target that does not exist is described by its signal. */
export function enrich(signal: Signal, around: Extract<TargetContext, { kind: 'read' }>): Context {
  const { target, owners, namespace } = around;
  const workload = owners.at(-1) ?? target;
  const namespaceName = namespaceOf(signal);
  return {
    ...(namespaceName !== '' && { namespace: { name: namespaceName, ...(namespace && markings(namespace.metadata)) } }),
    workload: workload
      ? { kind: workload.kind, name: workload.metadata.name, ...markings(workload.metadata) }
      : { kind: signal.targetResource.kind, name: signal.targetResource.name, ...markings(signal) },
    ownerChain: owners.map(ownerEntry),
    ...(around.podNamespaces && { podNamespaces: around.podNamespaces.map(podNamespace) }),
    customLabels: customLabels(namespace?.metadata.labels ?? {}),
    degradedMode: target === undefined,
    ...(signal.clusterID !== undefined && { clusterID: signal.clusterID }),
  };
}

const ownerEntry = ({ apiVersion, kind, metadata: { name, namespace } }: KubeObject) => ({
  kind,
  name,
  ...(namespace !== undefined && { namespace }),
  api_version: apiVersion,
});

function podNamespace({ metadata: { name, labels } }: Namespace) {
  const environment = labels?.[LABELS.environment];
  return { name, ...(environment !== undefined && { environment }) };
}

function markings({ labels, annotations }: { readonly labels?: TextMap; readonly annotations?: TextMap }) {
  const { [LAST_APPLIED]: _, ...kept } = annotations ?? {};
  return { ...(labels && { labels }), ...(Object.keys(kept).length > 0 && { annotations: kept }) };
}

const customLabels = (labels: TextMap): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(CUSTOM_LABELS).flatMap(([name, label]) => (labels[label] === undefined ? [] : [[name, [labels[label]]]])),
  );
