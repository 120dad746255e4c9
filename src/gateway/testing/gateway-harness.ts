import { Deployment, Namespace, Node, Pod, ReplicaSet } from '../../api/builtin/index.ts';
import { crdOf } from '../../api/crd-of.ts';
import { CustomResourceDefinition } from '../../kube/builtin/custom-resource-definition.ts';
import type { KubeObject } from '../../api/meta.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { apiVersionOf, type Resource } from '../../api/resource.ts';
import { createMemoryApi, SchemaLibrary, type MemoryApi } from '../../apiserver/index.ts';
import { deepFreeze, seededRandom, silent, type Logger } from '../../base/index.ts';
import { createClient, ownerReference, type KubeClient, type Transport } from '../../kube/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import type { Cached } from '../active-requests.ts';
import { createGateway, type Gateway, type GatewayMetrics } from '../index.ts';

export const NAMESPACE = 'sickbay-system';
export const EXECUTION = 'kubernaut-workflows';
export const MANAGED = { 'kubernaut.ai/managed': 'true' };

/** A gateway on an API in memory. */
export interface Rig {
  readonly api: MemoryApi;
  readonly clock: ManualClock;
  /** Sees everything as it is, whatever the gateway is made to see. */
  readonly client: KubeClient;
  readonly gateway: Gateway;
  requests(): Promise<readonly RemediationRequest[]>;
  /** Sets the status of a request, as the orchestrator would. */
  setStatus(name: string, status: RemediationRequest['status']): Promise<RemediationRequest>;
  /** Another gateway on the same API, behind another transport. */
  behind(
    transport: Transport,
    more?: {
      readonly log?: Logger;
      readonly maxOpen?: number;
      readonly maxAlerts?: number;
      readonly share?: number;
      readonly clusterID?: string;
      readonly cached?: Cached;
      readonly metrics?: GatewayMetrics;
    },
  ): Gateway;
}

const schemas = new SchemaLibrary();
const crd = deepFreeze(crdOf(RemediationRequest));

/** Namespace shop is managed; there Deployment checkout has ReplicaSet checkout-1 with the pods checkout-1-a and checkout-1-b. */
export async function aRig(
  options: { readonly maxOpen?: number; readonly share?: number; readonly clusterID?: string } = {},
): Promise<Rig> {
  const clock = new ManualClock();
  const api = createMemoryApi({ clock, random: seededRandom(1), schemas });
  const client = createClient(api);
  await client.create(CustomResourceDefinition, crd);
  await addNamespace(client, NAMESPACE);
  await addNamespace(client, EXECUTION, MANAGED);
  await addNamespace(client, 'shop', MANAGED);
  await addNamespace(client, 'wild');
  await addShop(client, 'shop');
  const behind: Rig['behind'] = (transport, { maxOpen, maxAlerts, share, ...more } = {}) =>
    createGateway({
      client: createClient(transport),
      clock,
      log: silent,
      namespace: NAMESPACE,
      executionNamespace: EXECUTION,
      ...(maxOpen !== undefined && { maxOpen: () => maxOpen }),
      ...(maxAlerts !== undefined && { maxAlerts: () => maxAlerts }),
      ...(share !== undefined && { maxOpenPerNamespace: () => share }),
      ...more,
    });
  return {
    api,
    clock,
    client,
    gateway: behind(api, options),
    behind,
    requests: async () => (await client.list(RemediationRequest, { namespace: NAMESPACE })).items,
    setStatus: (name, status) =>
      client.patchStatus(RemediationRequest, { namespace: NAMESPACE, name }, { type: 'merge', body: { status } }),
  };
}

export async function addNamespace(client: KubeClient, name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
}

const POD = { containers: [{ name: 'main', image: 'shop:1' }] };
const TEMPLATE = { selector: { matchLabels: { app: 'shop' } }, template: { metadata: { labels: { app: 'shop' } }, spec: POD } };

async function addShop(client: KubeClient, namespace: string): Promise<void> {
  const deployment = await add(client, Deployment, { namespace, name: 'checkout', spec: TEMPLATE });
  const replicaSet = await add(client, ReplicaSet, { namespace, name: 'checkout-1', spec: TEMPLATE, owner: deployment });
  for (const name of ['checkout-1-a', 'checkout-1-b']) await add(client, Pod, { namespace, name, spec: POD, owner: replicaSet });
}

interface Addition {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly owner?: KubeObject;
}

/** Creates an object of any kind. */
export function add(client: KubeClient, resource: Resource, { name, namespace, labels, spec = POD, owner }: Addition): Promise<KubeObject> {
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels ? { labels } : {}),
    ...(owner ? { ownerReferences: [ownerReference(owner, { controller: true, blockOwnerDeletion: false })] } : {}),
  };
  return client.create(resource, { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata, spec } as never);
}

/** A Node, which needs no spec. */
export const addNode = (client: KubeClient, name: string, labels: Readonly<Record<string, string>>): Promise<KubeObject> =>
  add(client, Node, { name, labels, spec: {} });

/** The only request that there is. */
export async function theRequest({ requests }: Rig): Promise<RemediationRequest> {
  const [request, ...others] = await requests();
  if (!request || others.length > 0) throw new Error(`there are ${others.length + Number(request !== undefined)} requests, not one`);
  return request;
}
