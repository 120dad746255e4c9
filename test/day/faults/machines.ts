import { isCordoned, Node } from '../../../src/api/builtin/index.ts';
import { LABELS } from '../../../src/api/well-known.ts';
import { thaw, nodeToFreeze, freeze } from '../../cluster/while-frozen.ts';
import { healed, onlyRequests } from '../expectations.ts';
import type { Fault } from '../fault.ts';
import { BAD, GOOD, type Stage } from '../stage.ts';

/** Puts a Node in scope, or out of it. */
export const manage = (stage: Stage, name: string, managed: string | null): Promise<unknown> =>
  stage.client.patch(Node, { namespace: '', name }, { type: 'merge', body: { metadata: { labels: { [LABELS.managed]: managed } } } });

const nodeFrozen: Fault = {
  name: 'node',
  expected: 'one request, for the Node: drained, back, uncordoned; Deployments with pods there get none of their own',
  isAlone: true,
  async run(stage) {
    await stage.open('staging');
    const frozen = await nodeToFreeze(stage.client);
    await manage(stage, frozen, 'true');
    const spread = {
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' }],
    };
    const apps = ['carts', 'checkout', 'search'];
    for (const app of apps) await stage.deploy(app, GOOD, { spec: spread });
    const aboutNode = () => stage.day.book.courses(({ spec }) => spec.targetResource.kind === 'Node');
    stage.say(`${frozen} freezes`);
    await freeze(frozen, stage.day);
    try {
      const course = await stage.until('a request for the Node', 90, () => aboutNode()[0]);
      const name = course.request.metadata.name;
      let isApproved = false;
      await stage.until('the Node is drained', 400, async () => {
        const now = aboutNode()[0]!;
        if (now.request.status?.overallPhase === 'AwaitingApproval' && !isApproved) {
          isApproved = true;
          stage.say(`approval: ${now.request.status.message}`);
          await stage.command('approve', name);
        }
        return ['Verifying', 'Completed', 'Failed', 'TimedOut'].includes(now.request.status?.overallPhase ?? '') || undefined;
      });
    } finally {
      await thaw(frozen, stage.day);
      stage.say(`${frozen} is back`);
    }
    await stage.until('the Node is uncordoned', 300, async () => {
      const node = await stage.client.get(Node, { namespace: '', name: frozen });
      return !isCordoned(node) || undefined;
    });
    stage.expect(`${aboutNode().length} requests about the Node`, aboutNode().length <= 2);
    onlyRequests(stage, 0);
    for (const app of apps) await stage.untilReady(app);
    await manage(stage, frozen, null);
  },
};

const monitoringStopped: Fault = {
  name: 'monitoring-stopped',
  expected: 'Prometheus and Alertmanager stop during verification: Remediated, and the score says what it rests on',
  isAlone: true,
  async run(stage) {
    await stage.open('staging');
    await stage.deploy('checkout');
    await stage.release('checkout', BAD);
    await stage.untilPhase(0, ['Verifying', 'Completed'], 150);
    await stage.day.monitoring.stop();
    stage.say('Prometheus and Alertmanager are stopped');
    try {
      const { request } = await healed(stage, 0, 300);
      const { message = '' } = request.status ?? {};
      stage.expect(`nothing says what the score rests on: ${message}`, /health only|from health|not measured|could not/i.test(message));
    } finally {
      await stage.day.monitoring.start();
    }
  },
};

/** What is beside the workloads. */
export const MACHINES: readonly Fault[] = [monitoringStopped, nodeFrozen];
