import { describe, expect, test } from 'vitest';
import type { ConfigMap } from '../../api/builtin/index.ts';
import type { Machine } from '../../api/machine/machine.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, parseTime } from '../../base/index.ts';
import type { Read, Reader } from '../../runtime/reconcile/controller.ts';
import { formatClaims, type Claim } from '../budget/index.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { ended, readReplacementBudget, replacementWaiter } from './replacement-budget.ts';
import { replacementFinished, replacementFinishedLive } from './replacement-finished.ts';
import { ago, aMachine, ASKED, claimOf, NOW, stated } from './testing/builders.ts';

const unhealthy = aMachine('workers-1', { status: { nodeRef: { name: 'node-1' }, conditions: ASKED } });

interface World {
  readonly cached?: readonly Machine[];
  readonly served?: Readonly<Record<string, Read<KubeObject>>>;
}

/** What a live read of `Kind name` returns; what is not named is gone. */
function reader({ cached = [], served = {} }: World = {}): Reader & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    get: <T extends KubeObject>(_: Resource<T>, { name }: ObjectKey): Read<T> => {
      const found = cached.find(({ metadata }) => metadata.name === name);
      return found ? { kind: 'value', value: found as KubeObject as T } : { kind: 'absent' };
    },
    list: () => ({ kind: 'value', value: [] }),
    fetch: <T extends KubeObject>({ kind }: Resource<T>, { name }: ObjectKey): Promise<Read<T>> => {
      asked.push(`${kind} ${name}`);
      return Promise.resolve((served[`${kind} ${name}`] ?? { kind: 'absent' }) as Read<T>);
    },
    fetchList: () => Promise.resolve({ kind: 'value', value: [] }),
  };
}

const ledger = (claims: readonly Claim[]): Read<ConfigMap> => ({
  kind: 'value',
  value: { apiVersion: 'v1', kind: 'ConfigMap', metadata: aMachine('sickbay-budget').metadata, data: formatClaims(claims) },
});
const read = (world: Reader, asking: readonly Machine[] = [unhealthy], settings = DEFAULT_SETTINGS) =>
  readReplacementBudget(world, asking, { settings, now: NOW });

test('a Machine asks for its namespace and its Node, in the order in which Machines were marked', () =>
  expect(replacementWaiter(unhealthy)).toEqual({
    uid: 'uid-workers-1',
    kind: 'Machine',
    key: 'shop/workers-1',
    target: 'Machine shop/workers-1',
    namespace: 'shop',
    node: 'node-1',
    createdAt: parseTime(ago(MINUTE)),
  }));

test('claims are ended once', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => claimOf(aMachine(name)));
  const known = { ...b!, endedAt: after(NOW, -MINUTE) };
  const after_ = ended([a!, known, c!], new Set(['uid-a', 'uid-b']), NOW);
  expect(after_).toEqual([{ ...a, endedAt: NOW }, known, c]);
});

describe('a finished replacement', () => {
  const claim = claimOf(unhealthy);
  const recovered = aMachine('workers-1', { status: { conditions: [stated('HealthCheckSucceeded', 'True'), ASKED[1]!] } });
  const leaving = aMachine('workers-1', { deletionTimestamp: ago(0) });
  test.each<readonly [string, Read<Machine>, boolean]>([
    ['when the Machine is gone', { kind: 'absent' }, true],
    [
      'when another has its name',
      { kind: 'value', value: aMachine('workers-1', { uid: 'uid-later', status: { conditions: ASKED } }) },
      true,
    ],
    ['when its replacement is not requested any more', { kind: 'value', value: recovered }, true],
    ['not while it leaves', { kind: 'value', value: leaving }, false],
    ['not while it is still to be replaced', { kind: 'value', value: unhealthy }, false],
    ['not while it cannot be read', { kind: 'unreadable', reason: 'no' }, false],
  ])('%s', async (_, found, over) => {
    const judge = replacementFinished(reader({ served: { 'Machine workers-1': found } }));
    expect(await judge.ask(claim)).toBe(over);
  });

  test('the server is asked only where the cache does not show it under way', () => {
    expect(replacementFinished(reader({ cached: [unhealthy] })).look(claim)).toBe('running');
    expect(replacementFinished(reader({ cached: [recovered] })).look(claim)).toBe('unsure');
    expect(replacementFinished(reader()).look(claim)).toBe('unsure');
    expect(replacementFinishedLive(reader({ cached: [unhealthy] })).look(claim)).toBe('unsure');
  });
});

describe('the budget as the owner reads it', () => {
  test('is read live from the ledger', async () => {
    expect(await read(reader())).toEqual({ kind: 'absent' });
    const garbled = reader({ served: { 'ConfigMap sickbay-budget': { kind: 'unreadable', reason: 'no' } } });
    expect(await read(garbled)).toMatchObject({ kind: 'unreadable' });
  });

  test('knows which replacements are over', async () => {
    const claims = [claimOf(aMachine('gone')), claimOf(aMachine('known'), { endedAt: NOW }), claimOf(unhealthy)];
    const world = reader({
      cached: [unhealthy],
      served: { 'ConfigMap sickbay-budget': ledger(claims), 'Machine workers-1': { kind: 'value', value: unhealthy } },
    });
    expect(await read(world, [])).toMatchObject({ over: new Set(['uid-gone']) });
    expect(world.asked).toEqual(['ConfigMap sickbay-budget', 'Machine gone']);
  });

  test('asks after workflows only where one is in the way', async () => {
    const workflow: Claim = { ...claimOf(aMachine('we-1')), kind: WorkflowExecution.kind, key: 'sickbay-system/we-1' };
    const world = (): ReturnType<typeof reader> => reader({ served: { 'ConfigMap sickbay-budget': ledger([workflow]) } });
    const roomy = world();
    expect(await read(roomy)).toMatchObject({ over: new Set() });
    expect(roomy.asked).not.toContain('WorkflowExecution we-1');
    const budget = { ...DEFAULT_SETTINGS.budget, running: { cluster: 1, namespace: 1, node: 1 } };
    expect(await read(world(), [unhealthy], { ...DEFAULT_SETTINGS, budget })).toMatchObject({ over: new Set(['uid-we-1']) });
  });

  test('asks after power cycles in the same way', async () => {
    const cycle: Claim = { ...claimOf(aMachine('cycle')), kind: 'PowerCycleRemediation', key: 'shop/cycle' };
    const budget = { ...DEFAULT_SETTINGS.budget, running: { cluster: 1, namespace: 1, node: 1 } };
    const world = reader({ served: { 'ConfigMap sickbay-budget': ledger([cycle]) } });
    expect(await read(world, [unhealthy], { ...DEFAULT_SETTINGS, budget })).toMatchObject({ over: new Set(['uid-cycle']) });
  });

  describe('asks for every Machine without an open claim', () => {
    const workflowOn = (node: string, name = `we-on-${node}`): Claim => {
      const claim = claimOf(aMachine(name), { namespace: 'mail', node });
      return { ...claim, kind: WorkflowExecution.kind, key: `sickbay-system/${name}` };
    };
    const unhealthyOn = (node: string, name = `on-${node}`): Machine =>
      aMachine(name, { status: { nodeRef: { name: node }, conditions: ASKED } });
    const world = (...claims: readonly Claim[]) => reader({ served: { 'ConfigMap sickbay-budget': ledger(claims) } });

    test('also one that gave an earlier claim back', async () => {
      const earlier = claimOf(unhealthy, { endedAt: after(NOW, -MINUTE) });
      expect(await read(world(workflowOn('node-1'), earlier))).toMatchObject({ over: new Set(['uid-we-on-node-1']) });
    });

    test('also when another claim comes first that blocks no Machine', async () => {
      const asking = [unhealthyOn('node-0'), unhealthyOn('node-1'), unhealthyOn('node-2')];
      expect(await read(world(workflowOn('node-2')), asking)).toMatchObject({ over: new Set(['uid-we-on-node-2']) });
    });

    test('but after each claim only once, be it over or not', async () => {
      const running = { apiVersion: 'x', kind: 'x', metadata: aMachine('we-on-node-1').metadata, status: { phase: 'Running' } };
      const claims = [workflowOn('node-1'), workflowOn('node-2')];
      const served = { 'ConfigMap sickbay-budget': ledger(claims), 'WorkflowExecution we-on-node-1': { kind: 'value', value: running } };
      const asked = reader({ served: served as Readonly<Record<string, Read<KubeObject>>> });
      const asking = ['a', 'b', 'c'].flatMap((name) => ['node-1', 'node-2'].map((node) => unhealthyOn(node, `${name}-${node}`)));
      expect(await read(asked, asking)).toMatchObject({ over: new Set(['uid-we-on-node-2']) });
      expect(asked.asked.toSorted()).toEqual([
        'ConfigMap sickbay-budget',
        'WorkflowExecution we-on-node-1',
        'WorkflowExecution we-on-node-2',
      ]);
    });
  });

  test('reads no other claimant for a Machine that has its claim', async () => {
    const world = reader({ cached: [unhealthy], served: { 'ConfigMap sickbay-budget': ledger([claimOf(unhealthy)]) } });
    expect(await read(world)).toMatchObject({ over: new Set() });
    expect(world.asked).toEqual(['ConfigMap sickbay-budget']);
  });
});
