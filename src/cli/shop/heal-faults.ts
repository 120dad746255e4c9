import { ConfigMap, Deployment, Node, type PodTemplate } from '../../api/builtin/index.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import { sameJson } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { ask } from '../../kube/client/read-live.ts';
import { KUBELET_ANNOTATION } from '../../local-cluster/index.ts';
import { restartPods } from './break-target.ts';
import { beforeFault, FAULT_LABEL, faultOn, noMarks } from './mark.ts';

/** Undoes what `breakTarget` did: all of it, or one fault. Returns a line for each object. */
export async function healFaults(client: KubeClient, fault: string | undefined): Promise<readonly string[]> {
  const labelSelector = fault === undefined ? FAULT_LABEL : `${FAULT_LABEL}=${fault}`;
  const [deployments, configs, nodes] = await Promise.all([
    client.list(Deployment, { labelSelector }),
    client.list(ConfigMap, { labelSelector }),
    client.list(Node, { labelSelector }),
  ]);
  const lines: string[] = [];
  for (const one of deployments.items) lines.push(await healDeployment(client, one));
  for (const one of configs.items) lines.push(await healSettings(client, one));
  for (const one of nodes.items) lines.push(await healNode(client, one));
  return lines;
}

const keyOf = ({ metadata: { namespace = '', name } }: KubeObject) => ({ namespace, name });
const textOf = ({ metadata: { namespace, name } }: KubeObject): string => `${namespace ?? ''}/${name}`;

async function healDeployment(client: KubeClient, deployment: Deployment): Promise<string> {
  const template = beforeFault(deployment)?.template;
  const what = `${faultOn(deployment) ?? ''}: Deployment ${textOf(deployment)}`;
  const isHealed = template === undefined || sameJson(template, deployment.spec.template);
  const body = { metadata: noMarks, ...(!isHealed && { spec: { template: restored(deployment, template) } }) };
  await client.patch(Deployment, keyOf(deployment), { type: 'merge', body });
  return isHealed ? `${what} was healed already` : `${what} has its release from before again`;
}

/** Arrays are replaced by a merge patch; what was added elsewhere in the pods is taken away by hand. */
const restored = ({ spec: { template: now } }: Deployment, before: PodTemplate) => ({
  ...before,
  spec: { ...added(now.spec, before.spec), ...before.spec },
});

/** What is in one and not in the other, as null. */
const added = (now: object, before: object = {}): Readonly<Record<string, null>> =>
  Object.fromEntries(Object.keys(now).flatMap((name) => (Object.hasOwn(before, name) ? [] : [[name, null]])));

async function healSettings(client: KubeClient, config: ConfigMap): Promise<string> {
  const { key = '', value = '', deployment: name = '', template } = beforeFault(config) ?? {};
  const what = `${faultOn(config) ?? ''}: ConfigMap ${textOf(config)}`;
  await client.patch(ConfigMap, keyOf(config), {
    type: 'merge',
    body: { metadata: noMarks, ...(key !== '' && { data: { [key]: value } }) },
  });
  const { namespace = '' } = config.metadata;
  return `${what} has its value from before again${await startReaders(client, { namespace, name }, template)}`;
}

/** The pods of the Deployment read the value when they start. What a remediation raised is undone: it would make the same fault harmless. */
async function startReaders(client: KubeClient, key: ObjectKey, template: PodTemplate | undefined): Promise<string> {
  const deployment = await ask(() => client.get(Deployment, key));
  if (deployment.kind !== 'value') return '';
  if (template === undefined || sameJson(template, deployment.value.spec.template)) {
    await restartPods(client, deployment.value);
    return `, and the pods of Deployment ${key.namespace}/${key.name} are restarted`;
  }
  await client.patch(Deployment, key, { type: 'merge', body: { spec: { template: restored(deployment.value, template) } } });
  return `, and Deployment ${key.namespace}/${key.name} its pod template`;
}

async function healNode(client: KubeClient, node: Node): Promise<string> {
  const annotations = { ...noMarks.annotations, [KUBELET_ANNOTATION]: 'running' };
  await client.patch(Node, keyOf(node), { type: 'merge', body: { metadata: { ...noMarks, annotations } } });
  return `${faultOn(node) ?? ''}: the kubelet of Node ${node.metadata.name} runs again`;
}
