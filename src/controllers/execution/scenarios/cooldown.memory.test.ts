import { afterEach, describe, expect, test } from 'vitest';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, SECOND, silent, toTime } from '../../../base/index.ts';
import { ObjectStore } from '../../../kube/cache/object-store.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { BY_TARGET, readHistory, lockNameOf } from '../history/index.ts';
import type { ExecutionStatus } from '../status/execution-status.ts';
import { ABSENT, aLock, anExecution, effectText, found, listed, NOW, seenWith, TARGET } from '../testing/builders.ts';
import { aFailedRun, aSuccess } from '../testing/finished-executions.ts';
import { Ward } from '../testing/ward.ts';

let ward: Ward | undefined;
afterEach(async () => {
  await ward?.stage.end();
  ward = undefined;
});

const readyOf = (status: unknown): string => (status as ExecutionStatus).conditions?.find(({ type }) => type === 'Ready')?.reason ?? '';

describe('a cooldown', () => {
  interface Row {
    readonly phase: NonNullable<ExecutionStatus['phase']>;
    readonly ready: string;
    readonly effects: readonly string[];
  }

  /** What the next execution comes to while another, which is in this phase, has the lock. */
  const rows: readonly Row[] = [
    { phase: 'Pending', ready: 'ResourceBusy', effects: [] },
    { phase: 'Running', ready: 'ResourceBusy', effects: [] },
    { phase: 'Skipped', ready: 'CleaningUp', effects: ['Delete Lease'] },
    { phase: 'Completed', ready: 'CooldownActive', effects: [] },
    { phase: 'Failed', ready: 'CooldownActive', effects: [] },
  ];
  const isOver = (phase: Row['phase']): boolean => phase === 'Completed' || phase === 'Failed';

  test.each(rows)('[WE-054] is started by what has run and ended only; $phase: $ready', ({ phase, ready, effects }) => {
    const status: ExecutionStatus = { phase, ...(isOver(phase) && { completionTime: toTime(NOW) }) };
    const holder = found(anExecution({ uid: 'wfe-2', name: 'we-2', status }));
    const next = decide(seenWith({ lock: found(aLock('wfe-2')), run: ABSENT, holder }), NOW);
    expect(readyOf(next.status)).toBe(ready);
    expect(next.effects.map(effectText)).toEqual(effects);
  });

  test.each(['Pending', 'Running', 'Skipped'] as const)('[WE-054] a free target is taken at once where another is %s', (phase) => {
    const history = listed(anExecution({ uid: 'wfe-2', name: 'we-2', status: { phase, startTime: toTime(NOW) } }));
    const { status, effects } = decide(seenWith({ lock: ABSENT, history }), NOW);
    expect(readyOf(status)).not.toBe('CooldownActive');
    expect(effects.map(effectText)).toEqual(['Create Lease']);
  });

  test('[WE-056] of several counts from the one that ended last', async () => {
    const here = (ward = await Ward.open());
    await here.remediate('one', TARGET);
    await here.endOne();
    await here.stage.advance(MINUTE);
    await here.stage.advance(30 * SECOND);
    await here.remediate('two', TARGET);
    await here.endOne();
    const lastEnd = here.stage.clock.now();
    // Both ended within the time that counts from now on.
    here.settings = { ...here.settings, cooldownMs: 10 * MINUTE };
    await here.stage.advance(20 * SECOND);
    await here.remediate('three', TARGET);
    const until = after(lastEnd, 10 * MINUTE);
    expect(await here.readyOf('three')).toBe(`CooldownActive: the cooldown after we-two lasts until ${toTime(until)}`);
    await here.stage.advance(until - here.stage.clock.now() - SECOND);
    expect((await here.statusOf('three')).phase).toBe('Pending');
    await here.stage.advance(SECOND);
    await here.stage.advance(10 * SECOND);
    expect((await here.statusOf('three')).phase).toBe('Running');
  });
});

describe('[WE-050] what ran on a target', () => {
  /** An execution on another target. Once it is in the store, any read of more than its name is detected. */
  function untouchable(i: number, isStored: () => boolean): WorkflowExecution {
    const { spec, ...rest } = anExecution({ name: `we-other-${i}`, uid: `other-${i}`, spec: { targetResource: `shop/Deployment/d${i}` } });
    const guard = <T>(value: T): T => {
      if (isStored()) throw new Error(`${rest.metadata.name} was looked at, which is on another target`);
      return value;
    };
    return Object.defineProperties(rest, {
      spec: { get: () => guard(spec) },
      status: { get: () => guard(undefined) },
    }) as WorkflowExecution;
  }

  const past = [aSuccess({ name: 'we-1', minutesAgo: 9 }), aFailedRun({ name: 'we-2', minutesAgo: 3 })];

  /** A cache as the controller keeps it, and a server that only notes what it is asked. */
  function aReader(others: number) {
    const store = new ObjectStore<WorkflowExecution>({ resource: WorkflowExecution }, silent);
    store.addIndexes({ [BY_TARGET]: lockNameOf });
    let isStored = false;
    store.replace([...past, ...Array.from({ length: others }, (_, i) => untouchable(i, () => isStored))], '9');
    isStored = true;
    const asked: object[] = [];
    const reader = {
      list: (_: unknown, by?: { readonly index: string; readonly value: string }) => ({ kind: 'value', value: store.list(by) }),
      fetchList: (_: unknown, options: object) => Promise.resolve({ kind: 'value', value: past, asked: asked.push(options) }),
    } as unknown as Reader;
    return { reader, asked };
  }

  test.each([0, 5_000])('is found without reading %d executions on other targets', async (others) => {
    const { reader, asked } = aReader(others);
    const object = anExecution({ status: { phase: 'Pending' } });
    const look = { object, reader, now: NOW, settings: DEFAULT_SETTINGS };
    expect(await readHistory(look, false)).toMatchObject({ value: [{ metadata: { name: 'we-1' } }, { metadata: { name: 'we-2' } }] });
    expect(asked, 'of the server only what is on the target').toEqual([
      { namespace: 'sickbay-system', fieldSelector: `spec.targetResource=${TARGET}` },
    ]);
  });
});
