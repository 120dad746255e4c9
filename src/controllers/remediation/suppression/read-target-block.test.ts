import { describe, expect, test } from 'vitest';
import { Lease } from '../../../api/builtin/index.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { HOUR, toTime } from '../../../base/index.ts';
import type { IndexQuery } from '../../../kube/cache/cache.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { blockFrom } from '../../execution/history/index.ts';
import { aLock } from '../../execution/testing/builders.ts';
import { aFailedRun, aSuccess, CLEARED } from '../../execution/testing/finished-executions.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { fetchTargetBlock, suppressedByTarget, lockIndexes, readTargetBlock } from './read-target-block.ts';
import { executionIndexes } from '../routing/index.ts';
import type { RemediationStatus } from '../status.ts';
import { ago, aRequest, at, TARGET } from '../testing/builders.ts';

const TEXT = 'shop/Deployment/checkout';
const bad = aFailedRun({ name: 'we-bad' });
const cleared = aFailedRun({ name: 'we-bad', blockClearance: CLEARED });
const lockOf = (target: string, more: Record<string, string> = {}): Lease =>
  aLock('nobody', {
    name: `wfe-${target}`,
    annotations: {
      [ANNOTATIONS.targetResource]: target,
      [ANNOTATIONS.block]: JSON.stringify(blockFrom(aFailedRun({ name: 'we-gone' }), 'PreviousExecutionFailed')),
      ...more,
    },
  });
const SIGNED = { [ANNOTATIONS.blockClearedBy]: 'anna', [ANNOTATIONS.blockClearReason]: 'looked' };

interface World {
  readonly cached?: readonly KubeObject[];
  readonly served?: readonly KubeObject[];
  readonly hiddenFromCache?: Resource;
  readonly hiddenOnServer?: Resource;
}

const INDEXES: Readonly<Record<string, (object: never) => readonly string[]>> = {
  WorkflowExecution: executionIndexes.target,
  Lease: lockIndexes.target,
};

/** Reads from two views, and notes what the server is asked. */
function aReader({ cached = [], served = cached, hiddenFromCache, hiddenOnServer }: World) {
  const asked: unknown[] = [];
  const of = (all: readonly KubeObject[], { kind }: Resource): readonly KubeObject[] => all.filter((one) => one.kind === kind);
  const no = { kind: 'unreadable', reason: 'forbidden' } as const;
  const reader = {
    list: (resource: Resource, by: IndexQuery) =>
      resource === hiddenFromCache
        ? no
        : { kind: 'value', value: of(cached, resource).filter((one) => INDEXES[resource.kind]?.(one as never).includes(by.value)) },
    fetchList: (resource: Resource, options: object) => {
      asked.push({ kind: resource.kind, ...options });
      return Promise.resolve(resource === hiddenOnServer ? no : { kind: 'value', value: of(served, resource) });
    },
  } as unknown as Reader;
  return { reader, asked };
}

const skipped: RemediationStatus = {
  overallPhase: 'Skipped',
  skipReason: 'PreviousExecutionFailed',
  completedAt: ago(HOUR),
  requiresManualReview: true,
  nextAllowedExecution: toTime(at(HOUR)),
  remediationTarget: TARGET,
  workflowExecutionRef: { name: 'we-rr', uid: 'we-rr' },
};
const failed: RemediationStatus = {
  ...skipped,
  overallPhase: 'Failed',
  failurePhase: 'WorkflowExecution',
  workflowExecutionRef: { name: 'we-bad', uid: 'we-bad' },
};

describe('the block of a target', () => {
  interface Row extends World {
    readonly name: string;
    readonly status?: RemediationStatus;
    readonly want: unknown;
    readonly asks: boolean;
  }
  const value = (name: string | undefined, isOwnCleared = false) => ({
    kind: 'value',
    value: { ...(name !== undefined && { block: expect.objectContaining({ name }) as unknown }), isOwnCleared },
  });
  const NO = { kind: 'unreadable', reason: 'forbidden' };

  const rows: readonly Row[] = [
    { name: 'stands in the cache: that will do', cached: [bad], served: [], want: value('we-bad'), asks: false },
    { name: 'stands on the lock, in the cache', cached: [lockOf(TEXT)], served: [], want: value('we-gone'), asks: false },
    { name: 'is gone from the cache, but not from the server', cached: [], served: [bad], want: value('we-bad'), asks: true },
    { name: 'is on the lock, and the cache has not heard of it', cached: [], served: [lockOf(TEXT)], want: value('we-gone'), asks: true },
    { name: 'is cleared', cached: [cleared], want: value(undefined), asks: true },
    { name: 'is cleared on the lock', cached: [lockOf(TEXT, SIGNED)], want: value(undefined), asks: true },
    { name: 'is gone', cached: [], want: value(undefined), asks: true },
    { name: 'has a success after it', cached: [aFailedRun({ minutesAgo: 9 }), aSuccess()], want: value(undefined), asks: true },
    { name: 'is that of another target', cached: [lockOf('shop/Deployment/cart')], want: value(undefined), asks: true },
    { name: 'cannot be read: executions in the cache', cached: [], hiddenFromCache: WorkflowExecution, want: NO, asks: false },
    { name: 'cannot be read: locks in the cache', cached: [], hiddenFromCache: Lease, want: NO, asks: false },
    { name: 'cannot be read: executions on the server', cached: [], hiddenOnServer: WorkflowExecution, want: NO, asks: true },
    { name: 'cannot be read: locks on the server', cached: [], hiddenOnServer: Lease, want: NO, asks: true },
    { name: 'by its own run is cleared', status: failed, cached: [cleared], want: value(undefined, true), asks: true },
    { name: 'by its own run, which is gone', status: failed, cached: [], want: value(undefined), asks: false },
    {
      name: 'by its own run is cleared on the lock',
      status: { ...failed, workflowExecutionRef: { name: 'we-gone', uid: 'gone' } },
      cached: [lockOf(TEXT, SIGNED)],
      want: value(undefined, true),
      asks: true,
    },
    {
      name: 'by its own run: one of its name that is another',
      status: { ...failed, workflowExecutionRef: { name: 'we-bad', uid: 'other' } },
      cached: [cleared],
      want: value(undefined),
      asks: false,
    },
  ];

  test.each(rows)('$name', async ({ status = skipped, want, asks, ...world }) => {
    const { reader, asked } = aReader(world);
    expect(await readTargetBlock(reader, aRequest(status), DEFAULT_SETTINGS)).toEqual(want);
    expect(asked.length > 0, 'whether the server was asked').toBe(asks);
  });

  test('is asked of the server by target and by mark', async () => {
    const { reader, asked } = aReader({ cached: [bad] });
    expect(await fetchTargetBlock(reader, aRequest(skipped), DEFAULT_SETTINGS)).toMatchObject({ value: { block: { name: 'we-bad' } } });
    expect(asked).toEqual([
      { kind: 'WorkflowExecution', namespace: 'sickbay-system', fieldSelector: `spec.targetResource=${TEXT}` },
      { kind: 'Lease', namespace: 'kubernaut-workflows', labelSelector: 'kubernaut.ai/workflow-execution-uid' },
    ]);
  });

  test('wakes whose signal waits on that target', () => {
    expect(suppressedByTarget(bad)).toEqual({ index: 'held', value: TEXT });
    expect(suppressedByTarget(lockOf(TEXT))).toEqual({ index: 'held', value: TEXT });
    expect(suppressedByTarget(aLock())).toEqual({ index: 'held', value: '' });
  });
});
