import { afterEach, describe, expect, test } from 'vitest';
import { ConfigMap, Pod } from '../../../api/builtin/index.ts';
import type { Draft } from '../../../api/meta.ts';
import { LABELS } from '../../../api/well-known.ts';
import { HOUR, SECOND } from '../../../base/index.ts';
import { ledgerKey, readLedger } from '../../budget/index.ts';
import { aClaim, aLedger } from '../../budget/testing/builders.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { BudgetSettings } from '../../settings.ts';
import { Ward } from '../testing/ward.ts';

const { namespace } = DEFAULT_SETTINGS;

let ward: Ward | undefined;
afterEach(() => ward?.stage.end());
const opened = async (budget?: Partial<BudgetSettings>): Promise<Ward> => (ward = await Ward.open(budget));

const TARGETS = ['a', 'b', 'c', 'd'].flatMap((team) => [`${team}/Deployment/one`, `${team}/Deployment/two`]);

const POD: Draft<Pod> = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'checkout-1', namespace: 'shop' },
  spec: { nodeName: 'worker-1', containers: [{ name: 'checkout', image: 'checkout:1' }] },
};

describe('eight executions on eight targets', () => {
  test('run five at a time, and all in the end', async () => {
    const here = await opened();
    for (const [i, target] of TARGETS.entries()) {
      await here.remediate(`rr-${i}`, target);
      expect((await here.atWork()).length).toBe(Math.min(i + 1, 5));
    }
    expect(await here.phases()).toEqual({ Running: 5, Pending: 3 });
    expect(await here.readyOf('rr-5')).toContain('WaitingForBudget: 1st in the queue; 5 of 5 running in the cluster');
    expect(await here.readyOf('rr-7')).toContain('3rd in the queue');
    for (let ended = 1; ended <= 8; ended++) {
      await here.endOne();
      expect((await here.atWork()).length).toBe(Math.min(5, 8 - ended));
    }
    expect(await here.phases()).toEqual({ Completed: 8 });
    expect(here.stage.troubles).toEqual([]);
  });

  test('two at a time in a namespace, while others pass', async () => {
    const here = await opened();
    for (const name of ['1', '2', '3']) await here.remediate(`shop-${name}`, `shop/Deployment/${name}`);
    await here.remediate('mail', 'mail/Deployment/post');
    expect((await here.atWork()).length).toBe(3);
    expect(await here.readyOf('shop-3')).toContain('2 of 2 running in namespace shop (we-shop-1, we-shop-2)');
    expect(await here.readyOf('mail')).toContain('Running');
  });

  test('a node and a workload draw on one budget, whatever asked for them', async () => {
    const here = await opened({ running: { cluster: 1, namespace: 1, node: 1 } });
    await here.remediate('machine', 'Node/worker-1');
    await here.remediate('web', 'shop/Deployment/web');
    expect(await here.readyOf('web')).toContain('1 of 1 running in the cluster (we-machine)');
    await here.endOne();
    expect(await here.readyOf('web')).toContain('Running');
    await here.remediate('another-machine', 'Node/worker-2');
    expect(await here.readyOf('another-machine')).toContain('1 of 1 running in the cluster (we-web)');
  });

  test('one at a time on a node, be it the node or a pod on it', async () => {
    const here = await opened();
    await here.stage.admin.create(Pod, POD);
    await here.remediate('node', 'Node/worker-1');
    await here.remediate('pod', 'shop/Pod/checkout-1');
    expect(await here.readyOf('pod')).toContain('1 of 1 running on node worker-1 (we-node)');
    await here.endOne();
    expect(await here.readyOf('pod')).toContain('Running');
  });

  test('the slot of a Machine that is gone is free, although its end was never recorded', async () => {
    const here = await opened({ running: { cluster: 1, namespace: 1, node: 1 } });
    const { kind, apiVersion, data = {} } = aLedger([{ ...aClaim('workers-1@shop'), kind: 'Machine', key: 'shop/workers-1' }]);
    const metadata = { ...ledgerKey(namespace), labels: { [LABELS.component]: 'budget' } };
    await here.stage.admin.create(ConfigMap, { apiVersion, kind, metadata, data });
    await here.remediate('web', 'shop/Deployment/web');
    expect(await here.readyOf('web')).toContain('Running');
  });

  test('so many in an hour; the next when the hour is over', async () => {
    const here = await opened({ perHour: { cluster: 2, namespace: 2 } });
    for (const name of ['1', '2', '3']) {
      await here.remediate(name, `shop/Deployment/${name}`);
      await here.endOne();
      await here.stage.advance(SECOND);
    }
    expect(await here.readyOf('3')).toContain('2 of 2 started within an hour in the cluster: the next may start at');
    await here.stage.advance(HOUR - 4 * SECOND);
    expect((await here.atWork()).length).toBe(0);
    await here.stage.advance(2 * SECOND);
    expect((await here.atWork()).length).toBe(1);
  });
});

describe('a pause', () => {
  test('stops every start at once, says what still runs, and ends', async () => {
    const here = await opened();
    await here.remediate('before', 'shop/Deployment/before');
    here.change({ paused: 'incident 7' });
    await here.remediate('after', 'mail/Deployment/after');
    expect(await here.readyOf('after')).toBe('BudgetPaused: starts are paused: incident 7; still running: we-before');
    expect((await here.atWork()).length).toBe(1);
    await here.endOne();
    expect(await here.readyOf('after')).toBe('BudgetPaused: starts are paused: incident 7; nothing is running');
    here.change({});
    await here.stage.advance(10 * SECOND);
    expect((await here.atWork()).length).toBe(1);
  });
});

describe('the ledger', () => {
  test('that makes no sense stops new starts, and says what to repair', async () => {
    const here = await opened();
    await here.remediate('one', 'shop/Deployment/one');
    await here.stage.admin.patch(ConfigMap, ledgerKey(namespace), { type: 'merge', body: { data: { 'some-uid': '?' } } });
    await here.remediate('two', 'mail/Deployment/two');
    expect(await here.readyOf('two')).toContain('has an entry some-uid that makes no sense; repair or remove it');
    await here.stage.admin.patch(ConfigMap, ledgerKey(namespace), { type: 'merge', body: { data: { 'some-uid': null } } });
    await here.stage.advance(10 * SECOND);
    expect((await here.atWork()).length).toBe(2);
  });

  test('that an operator deleted is created again, with a claim for each run in progress', async () => {
    const here = await opened({ running: { cluster: 2, namespace: 2, node: 1 } });
    await here.remediate('one', 'shop/Deployment/one');
    await here.stage.admin.delete(ConfigMap, ledgerKey(namespace));
    await here.remediate('two', 'mail/Deployment/two');
    await here.remediate('three', 'post/Deployment/three');
    await here.stage.advance(10 * SECOND);
    expect((await here.atWork()).length).toBe(2);
    expect(await here.readyOf('three')).toContain('2 of 2 running in the cluster (we-one, we-two)');
  });

  test('costs one write for each start, with the cleaning folded in', async () => {
    const here = await opened();
    let writes = 0;
    here.stage.intercept = (request) => void (/configmaps\//.test(request.path) && request.method === 'PATCH' && writes++);
    for (const name of ['1', '2', '3']) {
      await here.remediate(name, `shop/Deployment/${name}`);
      await here.endOne();
    }
    expect(writes).toBe(3);
    const ledger = readLedger({ kind: 'value', value: await here.stage.admin.get(ConfigMap, ledgerKey(namespace)) });
    const claims = ledger.kind === 'claims' ? ledger.claims : [];
    expect(Object.fromEntries(claims.map(({ key, endedAt }) => [key, endedAt !== undefined]))).toEqual({
      'sickbay-system/we-1': true,
      'sickbay-system/we-2': true,
      'sickbay-system/we-3': false,
    });
  });
});
