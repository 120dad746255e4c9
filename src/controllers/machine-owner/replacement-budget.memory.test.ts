import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigMap, Node } from '../../api/builtin/index.ts';
import { LABELS } from '../../api/well-known.ts';
import { after, MINUTE, type Instant } from '../../base/index.ts';
import { formatClaims, type Claim } from '../budget/index.ts';
import { NAMESPACE, OwnerStage } from './testing/owner-stage.ts';

let owner: OwnerStage;

beforeEach(async () => {
  owner = await OwnerStage.start();
});
afterEach(async () => {
  expect([...owner.troubles, ...owner.stage.troubles]).toEqual([]);
  await owner.end();
});

describe('a workflow that finished long ago, and whose end is not in the ledger, does not block the Machine on its Node', () => {
  const earlier = (minutes: number): Instant => after(owner.stage.clock.now(), -minutes * MINUTE);
  const claimed = (change: Partial<Claim>): Claim => ({
    uid: 'uid-we-1',
    kind: 'WorkflowExecution',
    key: 'sickbay-system/we-1',
    target: 'Pod shop/web-1',
    namespace: NAMESPACE,
    claimedAt: earlier(30),
    ...change,
  });
  const ledger = (...claims: readonly Claim[]) =>
    owner.admin.create(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'sickbay-system', name: 'sickbay-budget', labels: { [LABELS.component]: 'budget' } },
      data: formatClaims(claims),
    });

  test('that recovered within the hour, and gave its own place back', async () => {
    await owner.pool('node-1', 'node-2');
    await owner.group(1);
    const { uid, name } = (await owner.machineOn('node-1')).metadata;
    const own = { uid, kind: 'Machine', key: `${NAMESPACE}/${name}`, target: `Machine ${NAMESPACE}/${name}`, node: 'node-1' };
    await ledger(claimed({ node: 'node-1' }), claimed({ ...own, claimedAt: earlier(20), endedAt: earlier(19) }));
    await owner.turnReady('node-1', 'Unknown');
    await owner.untilMarked();
    await owner.pass(60);
    expect(await owner.names()).toEqual(['workers-2']);
  });

  test('behind another of its set that is never replaced from here', async () => {
    await owner.pool('node-1', 'node-2', 'node-3');
    await owner.group(2);
    await ledger(claimed({ node: 'node-2' }));
    const labels = { [LABELS.machinePool]: null };
    await owner.admin.patch(Node, { namespace: '', name: 'node-1' }, { type: 'merge', body: { metadata: { labels } } });
    for (const node of ['node-1', 'node-2']) await owner.turnReady(node, 'Unknown');
    await owner.untilMarked();
    await owner.pass(60);
    expect(await owner.names()).toEqual(['workers-1', 'workers-3']);
  });
});
