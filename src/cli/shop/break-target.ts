import { ConfigMap, Deployment, Node, Pod, type Container, type PodTemplate } from '../../api/builtin/index.ts';
import type { KubeObject } from '../../api/meta.ts';
import { hasCode, PlatformError, sameJson } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { formatLabelSelector, labelRequirements } from '../../kube/selectors/index.ts';
import { isLocalNode, KUBELET_ANNOTATION, NODE_NAME } from '../../local-cluster/index.ts';
import type { Fault, NodeFault, ReleaseFault, SettingsFault } from './fault.ts';
import { beforeFault, faultOn, marks } from './mark.ts';

/** What was done, and what to watch. */
export interface Broken {
  readonly did: string;
  readonly watch: string;
}

const RELEASE = 'shop.example.com/release';
const REVISION = 'deployment.kubernetes.io/revision';

/** Breaks the target of the fault, which stays marked until it is healed. */
export function breakTarget(client: KubeClient, fault: Fault): Promise<Broken> {
  switch (fault.kind) {
    case 'release':
      return rollOutBad(client, fault);
    case 'settings':
      return changeSettings(client, fault);
    default:
      return stopKubelet(client, fault);
  }
}

async function rollOutBad(client: KubeClient, fault: ReleaseFault): Promise<Broken> {
  const { namespace, name } = fault.target;
  const deployment = await found(`Deployment ${namespace}/${name}`, client.get(Deployment, fault.target));
  const before = beforeFault(deployment)?.template;
  const isHealed = before !== undefined && sameJson(before, deployment.spec.template);
  if (!isHealed) refuseBroken(deployment, `Deployment ${namespace}/${name}`);
  const release = `${Number(deployment.metadata.annotations?.[REVISION] ?? 1) + 1}.0.0`;
  const template = badTemplate(deployment.spec.template, fault.change, release);
  const body = { metadata: marks(fault.name, { template: deployment.spec.template }), spec: { template } };
  await client.patch(Deployment, fault.target, { type: 'merge', body });
  return {
    did: `Deployment ${namespace}/${name} gets release ${release}`,
    watch: `kubectl get pods -n ${namespace} -w`,
  };
}

function badTemplate(template: PodTemplate, { container = {}, pods = {} }: ReleaseFault['change'], release: string): PodTemplate {
  const [first, ...others] = template.spec.containers;
  const changed = { ...first, ...container } as Container;
  return {
    ...template,
    metadata: { ...template.metadata, annotations: { ...template.metadata?.annotations, [RELEASE]: release } },
    spec: { ...template.spec, ...pods, containers: [changed, ...others] },
  };
}

async function changeSettings(client: KubeClient, { name: fault, target, settings }: SettingsFault): Promise<Broken> {
  const { namespace, name } = target;
  const deployment = await found(`Deployment ${namespace}/${name}`, client.get(Deployment, target));
  if (!reads(deployment, settings))
    throw new PlatformError(
      'Invalid',
      `Deployment ${namespace}/${name} does not read key ${settings.key} of ConfigMap ${settings.name}: ${fault} breaks those that do, such as shop/worker`,
    );
  const key = { namespace, name: settings.name };
  const config = await found(`ConfigMap ${namespace}/${settings.name}`, client.get(ConfigMap, key));
  refuseBroken(config, `ConfigMap ${namespace}/${settings.name}`);
  selectorOf(deployment);
  const before = { value: config.data?.[settings.key] ?? '', key: settings.key, deployment: name, template: deployment.spec.template };
  const body = { metadata: marks(fault, before), data: { [settings.key]: settings.value } };
  await client.patch(ConfigMap, key, { type: 'merge', body });
  await restartPods(client, deployment);
  return {
    did: `ConfigMap ${namespace}/${settings.name} gets another value, and the pods of Deployment ${namespace}/${name} are restarted`,
    watch: `kubectl get pods -n ${namespace} -w`,
  };
}

const reads = ({ spec }: Deployment, { name, key }: SettingsFault['settings']): boolean =>
  spec.template.spec.containers.some(({ env = [] }) =>
    env.some(({ valueFrom }) => valueFrom?.configMapKeyRef?.name === name && valueFrom.configMapKeyRef.key === key),
  );

/** Deletes its pods, so that new ones read what they read at their start; the Deployment itself stays as it is. */
export async function restartPods(client: KubeClient, deployment: Deployment): Promise<void> {
  const { namespace = '' } = deployment.metadata;
  const labelSelector = selectorOf(deployment);
  for (const pod of (await client.list(Pod, { namespace, labelSelector })).items)
    await client.delete(Pod, { namespace, name: pod.metadata.name }).catch(unlessGone);
}

/** An empty selector would mean every pod of the namespace. */
function selectorOf({ metadata, spec }: Deployment): string {
  const text = formatLabelSelector(labelRequirements(spec.selector));
  if (text !== '') return text;
  throw new PlatformError(
    'Invalid',
    `Deployment ${metadata.namespace ?? ''}/${metadata.name} has an empty selector: its pods are not known`,
  );
}

function unlessGone(error: unknown): void {
  if (!hasCode(error, 'NotFound')) throw error;
}

async function stopKubelet(client: KubeClient, { name: fault, target: { name } }: NodeFault): Promise<Broken> {
  const key = { namespace: '', name };
  const node = await found(`Node ${name}`, client.get(Node, key));
  if (name === NODE_NAME) throw new PlatformError('Invalid', `Node ${name} is this process, in which Sickbay runs: choose another node`);
  if (!isLocalNode(node))
    throw new PlatformError('Invalid', `Node ${name} is not run by the local cluster: its kubelet cannot be stopped here`);
  refuseBroken(node, `Node ${name}`);
  const { labels, annotations } = marks(fault, {});
  const body = { metadata: { labels, annotations: { ...annotations, [KUBELET_ANNOTATION]: 'stopped' } } };
  await client.patch(Node, key, { type: 'merge', body });
  return { did: `the kubelet of Node ${name} has stopped: the node does not report any more`, watch: 'kubectl get nodes,pods -A -w' };
}

async function found<T>(what: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!hasCode(error, 'NotFound')) throw error;
    throw new PlatformError('NotFound', `there is no ${what} to break: name another target, or create it`, { cause: error });
  }
}

function refuseBroken(object: KubeObject, text: string): void {
  const fault = faultOn(object);
  if (fault !== undefined) throw new PlatformError('Conflict', `${text} is broken by ${fault} already: sickbay heal ${fault} undoes that`);
}
