import { describe, expect, test } from 'vitest';
import { Deployment, Node, Pod } from '../../api/builtin/index.ts';
import { isTerminal, NotificationRequest, remediationPhases, RemediationRequest } from '../../api/index.ts';
import { MINUTE, SECOND, silent } from '../../base/index.ts';
import { createAlertEngine } from '../../local-cluster/index.ts';
import { noFaults, Simulation } from '../../simulation/index.ts';
import { playApprover } from '../../testkit/loop/approve-undo.ts';
import { bootSickbay, type Gateways } from '../../testkit/loop/boot.ts';
import { Ledger } from '../../testkit/loop/ledger.ts';
import { playWorkflows } from '../../testkit/loop/workflows.ts';
import { LOOP_SETTINGS, playCluster, prepareCluster } from '../../testkit/loop/world.ts';
import { breakTarget } from './break-target.ts';
import { FAULTS, findFault, onTarget } from './faults.ts';
import type { Fault } from './fault.ts';
import { healFaults } from './heal-faults.ts';
import { openShop } from './shop.ts';

/** The shop runs by then. */
const OPEN_MS = 20 * SECOND;
const SETTINGS = { ...LOOP_SETTINGS, stabilizationMs: 10 * SECOND };

interface Told {
  readonly simulation: Simulation;
  readonly ends: readonly string[];
  readonly text: string;
}

/** Breaks the shop in virtual time, with the real alerts, analysis and workflows; runs until every remediation has ended. */
async function play(fault: Fault): Promise<Told> {
  const gateways: Gateways = new Map();
  const simulation = new Simulation({ seed: 1, faults: noFaults, raced: [RemediationRequest.plural] });
  await prepareCluster(simulation);
  await simulation.follow(Node);
  const cache = await playCluster(simulation, playWorkflows(simulation, new Ledger(simulation), 'library'));
  const { clock } = simulation;
  const engine = createAlertEngine({ cache, clock, log: silent });
  const post = async (webhook: object): Promise<void> => {
    for (const gateway of gateways.values()) await gateway.receive(webhook);
  };
  simulation.alongside('alerts', (signal) => engine.run(post, signal));
  await openShop(simulation.admin, SETTINGS.namespace);
  simulation.later(OPEN_MS, 'a user', async () => {
    await breakTarget(simulation.admin, fault);
  });
  playApprover(simulation);
  simulation.addReplica('r1', bootSickbay(SETTINGS, gateways));
  const requests = () => simulation.mirror.all(RemediationRequest);
  const isOver = (): boolean =>
    requests().length > 0 && requests().every(({ status }) => isTerminal(remediationPhases, status?.overallPhase));
  const end = await simulation.run({ settled: isOver, faultsForMs: 0, deadlineMs: 20 * MINUTE });
  const notes = simulation.mirror.all(NotificationRequest).map(({ spec }) => `${spec.subject}\n${spec.body}`);
  const states = requests().map(
    ({ metadata, spec, status }) => `${metadata.name} ${spec.signalName} ${status?.overallPhase}: ${status?.message}`,
  );
  expect(simulation.violations).toEqual([]);
  expect({ settled: end.settled, states }).toEqual({ settled: true, states });
  return {
    simulation,
    ends: requests().map(({ status }) => [status?.overallPhase, status?.outcome].filter(Boolean).join(' ')),
    text: [...states, ...notes].join('\n'),
  };
}

const EXPECTED: Readonly<Record<string, { readonly end: RegExp; readonly says: RegExp }>> = {
  'crash-loop': { end: /^Completed Remediated$/, says: /rolled back from revision 2/ },
  'bad-image': { end: /^Completed Remediated$/, says: /cannot pull its image registry\.invalid\/shop\/web:2\.0\.0/ },
  'missing-secret': { end: /^Completed Remediated$/, says: /needs Secret payments-token, which does not exist/ },
  'stuck-rollout': { end: /^Completed Remediated$/, says: /never became ready within its progress deadline/ },
  'no-node-fits': { end: /^Completed Remediated$/, says: /another node selector or affinity, which fits no node/ },
  'out-of-memory': { end: /^Completed Remediated$/, says: /limit of 64Mi is too low/ },
  'bad-config': { end: /^Completed ManualReviewRequired$/, says: /exit code 78/ },
  'node-silent': { end: /^Completed Inconclusive$/, says: /worker-1 .*drained/ },
};

describe('every fault by name', { timeout: 120_000 }, () => {
  test('is expected here', () => expect(Object.keys(EXPECTED)).toEqual(FAULTS.map(({ name }) => name)));

  test.each(FAULTS)('$name ends as it says', async (fault) => {
    const { simulation, ends, text } = await play(fault);
    const { end, says } = EXPECTED[fault.name]!;
    try {
      expect({ ends: [...new Set(ends)], text }).toEqual({ ends: [expect.stringMatching(end)], text });
      expect(text).toMatch(says);
      const down = simulation.mirror.all(Deployment).filter(({ spec, status }) => status?.availableReplicas !== spec.replicas);
      const names = down.map(({ metadata }) => metadata.name);
      expect(names).toEqual(ends[0]?.endsWith('ManualReviewRequired') ? [fault.target.name] : []);
      const lines = await healFaults(simulation.admin, undefined);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(new RegExp(`^${fault.name}: `));
      expect(await healFaults(simulation.admin, undefined)).toEqual([]);
      expect(simulation.mirror.all(Pod).length).toBeGreaterThan(0);
    } finally {
      simulation.close();
    }
  });

  test('a node that is healed is uncordoned again, and takes pods', async () => {
    const { simulation } = await play(findFault('node-silent'));
    const worker = (): Node | undefined => simulation.mirror.all(Node).find(({ metadata }) => metadata.name === 'worker-1');
    try {
      expect(worker()?.spec?.unschedulable).toBe(true);
      expect(await healFaults(simulation.admin, 'node-silent')).toEqual(['node-silent: the kubelet of Node worker-1 runs again']);
      const isOpen = (): boolean => worker()?.spec?.unschedulable !== true && isReady(worker());
      expect(await simulation.run({ settled: isOpen, faultsForMs: 0, deadlineMs: 20 * MINUTE })).toMatchObject({ settled: true });
    } finally {
      simulation.close();
    }
  });

  test('in production a release is rolled back only once it is approved', async () => {
    const { simulation, ends, text } = await play(onTarget(findFault('crash-loop'), 'payments/payments'));
    simulation.close();
    expect(ends).toEqual(['Completed Remediated']);
    expect(text).toMatch(/Approval needed: KubePodCrashLooping on Deployment payments\/payments/);
  });
});

const isReady = (node: Node | undefined): boolean =>
  node?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
