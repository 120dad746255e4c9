import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  CustomResourceDefinition,
  kinds,
  MachineHealthCheck,
  MachineSet,
  Machine,
  Namespace,
  Node,
  PART_OF,
  resourceName,
} from '../../api/index.ts';
import { LABELS } from '../../api/well-known.ts';
import { ACCOUNT, machineOwnerRights, OWNER_ACCOUNT, ownRights } from '../../api/rights/index.ts';
import { ourRights } from '../../admission/index.ts';
import { createMemoryApi, newSigningKey, type MemoryApi } from '../../apiserver/index.ts';
import { installKind } from '../../testkit/try-bad-value.ts';
import { hasCode, MINUTE, seededRandom, silent, toTime, turn } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import { createClient, type KubeClient, type Transport } from '../../kube/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { asAccount } from './account-transport.ts';
import { grant } from './install.ts';
import { ownerOf } from './machine-owner.ts';
import { createProcess } from './process.ts';

const { namespace } = DEFAULT_SETTINGS;
const WHERE = { namespace: 'shop', name: 'workers' };
const labels = { role: 'worker', [LABELS.machinePool]: 'workers' };

let clock: ManualClock;
let api: MemoryApi;
let admin: KubeClient;
const stop = new AbortController();

beforeEach(async () => {
  clock = new ManualClock();
  api = createMemoryApi({ clock, random: seededRandom(1), rights: { signingKey: newSigningKey(), ...ourRights() } });
  admin = createClient(api);
  for (const kind of kinds) await installKind(api, kind);
  for (const name of [namespace, DEFAULT_SETTINGS.executionNamespace, WHERE.namespace])
    await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await grant(admin, [...ownRights(DEFAULT_SETTINGS), ...machineOwnerRights(DEFAULT_SETTINGS)]);
});
afterEach(() => api.close());

const settle = async (): Promise<void> => {
  for (let i = 0; i < 60; i++) await turn();
};
const pass = async (seconds: number): Promise<void> => {
  for (let i = 0; i < seconds; i++) {
    await clock.advance(1_000);
    await settle();
  }
};

/** The API as an account, which notes what it wrote and what it was not allowed to do. */
function noting(name: string, notes: string[]): Transport {
  const transport = asAccount(api.gate, { namespace, name });
  const note = <T extends { readonly code: number }>(what: string, answer: T): T => {
    if (answer.code === 403 || !what.startsWith('GET')) notes.push(answer.code === 403 ? `${what} is forbidden` : what);
    return answer;
  };
  return {
    request: async (request, signal) => note(`${request.method} ${request.path}`, await transport.request(request, signal)),
    watch: async (request, signal) => note(`GET ${request.path}`, await transport.watch(request, signal)),
  };
}

async function turnReady(name: string, status: 'True' | 'Unknown'): Promise<void> {
  const ready = { type: 'Ready', status, lastTransitionTime: toTime(clock.now()) };
  await admin.patchStatus(Node, { namespace: '', name }, { type: 'merge', body: { status: { conditions: [ready] } } });
}

async function group(): Promise<void> {
  for (const name of ['node-1', 'node-2']) {
    await admin.create(Node, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { ...labels, [LABELS.machinePoolNamespace]: WHERE.namespace } },
    });
    await turnReady(name, 'True');
  }
  const spec = { clusterName: 'local', selector: { matchLabels: labels } };
  const apiVersion = 'cluster.x-k8s.io/v1beta2';
  await admin.create(MachineSet, {
    apiVersion,
    kind: MachineSet.kind,
    metadata: WHERE,
    spec: { ...spec, replicas: 1, template: { metadata: { labels }, spec: {} } },
  });
  const unhealthyNodeConditions = [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 60 }];
  await admin.create(MachineHealthCheck, {
    apiVersion,
    kind: MachineHealthCheck.kind,
    metadata: WHERE,
    spec: { ...spec, checks: { unhealthyNodeConditions } },
  });
}

describe('a process that keeps MachineSets', () => {
  test('[MH-144] [MH-152] deletes a Machine in the name of its owner: the account of the check is not allowed to', async () => {
    const [checks, owns]: [string[], string[]] = [[], []];
    const process = createProcess({
      transport: noting(ACCOUNT, checks),
      machineOwner: noting(OWNER_ACCOUNT, owns),
      settings: () => DEFAULT_SETTINGS,
      clock,
      steady: clock,
      random: seededRandom(2),
      log: silent,
      identity: 'one',
      identityIsChecked: () => true,
      checksMachines: 'sickbay',
    });
    const ended = process.run(stop.signal);
    await group();
    await pass(5);
    const [machine] = (await admin.list(Machine, { namespace: WHERE.namespace })).items;
    await turnReady(machine?.status?.nodeRef?.name ?? '', 'Unknown');
    await clock.advance(MINUTE);
    await pass(20);
    const deletion = `DELETE /apis/cluster.x-k8s.io/v1beta2/namespaces/shop/machines/${machine?.metadata.name ?? ''}`;
    expect(owns).toContain(deletion);
    expect(checks.filter((write) => write.startsWith('DELETE'))).toEqual([]);
    expect([...checks, ...owns].filter((write) => write.endsWith('is forbidden') && !write.includes('validatingadmission'))).toEqual([]);
    expect((await admin.list(Machine, { namespace: WHERE.namespace })).items.map(({ metadata }) => metadata.name)).toEqual(['workers-2']);
    stop.abort();
    await settle();
    await ended;
  });

  test.each([
    ['Machines', Machine, { ...WHERE, name: 'any' }],
    ['Nodes', Node, { namespace: '', name: 'any' }],
  ])('the account of the check may delete no %s', async (_, resource, key) => {
    const asCheck = createClient(asAccount(api.gate, { namespace, name: ACCOUNT }));
    await expect(asCheck.delete(resource, key)).rejects.toSatisfy((error) => hasCode(error, 'Forbidden'));
    const asOwner = createClient(asAccount(api.gate, { namespace, name: OWNER_ACCOUNT }));
    await expect(asOwner.delete(resource, key)).rejects.toSatisfy((error) => hasCode(error, 'NotFound'));
  });
});

describe('MachineSets are kept', () => {
  const definition = { namespace: '', name: resourceName(MachineSet) };
  const transport = (): Transport => asAccount(api.gate, { namespace, name: OWNER_ACCOUNT });

  test('where their definition is ours', async () =>
    expect(await ownerOf(transport(), 'sickbay', { clock, log: silent })).toHaveProperty('machineOwner'));

  test('not where it is not enabled, or Cluster API is installed', async () => {
    expect(await ownerOf(undefined, 'sickbay', { clock, log: silent })).toEqual({});
    expect(await ownerOf(transport(), 'cluster-api', { clock, log: silent })).toEqual({});
    expect(await ownerOf(transport(), undefined, { clock, log: silent })).toEqual({});
  });

  test('not where only their own definition is Cluster API’s, nor where that cannot be read', async () => {
    const body = { metadata: { labels: { [PART_OF.label]: null } } };
    await admin.patch(CustomResourceDefinition, definition, { type: 'merge', body });
    expect(await ownerOf(transport(), 'sickbay', { clock, log: silent })).toEqual({});
    await admin.delete(CustomResourceDefinition, definition);
    expect(await ownerOf(transport(), 'sickbay', { clock, log: silent })).toEqual({});
  });
});
