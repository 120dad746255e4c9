import { describe, expect, test } from 'vitest';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { toTime } from '../../../base/index.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { runName } from '../names.ts';
import { observe } from '../observe.ts';
import type { DeletedExecution } from '../observed-execution.ts';
import { aJob, aLock, anExecution, aPod, aRequest, NOW } from '../testing/builders.ts';

const deletionTimestamp = toTime(NOW);
const leaving = (change: Parameters<typeof anExecution>[0] = {}): WorkflowExecution =>
  anExecution({
    status: { phase: 'Completed', completionTime: toTime(NOW) },
    ...change,
    metadata: { deletionTimestamp, ...change.metadata },
  });
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'sickbay-system', uid: 'ns' } } as unknown as KubeObject;
const rival = anExecution({ uid: 'wfe-2', name: 'we-other', status: { phase: 'Running' } });

/** All from live reads: the cache has nothing but the execution itself, and is wrong about the rest. */
async function look(object: WorkflowExecution, served: readonly KubeObject[], hidden: readonly string[] = []) {
  const asked: string[] = [];
  const reader = {
    get: (resource: Resource) => (resource.kind === 'WorkflowExecution' ? { kind: 'value', value: object } : { kind: 'absent' }),
    list: () => ({ kind: 'value', value: [] }),
    fetch: ({ kind }: Resource, key: ObjectKey) => {
      asked.push(`${kind} ${key.namespace}/${key.name}`);
      if (hidden.includes(kind)) return Promise.resolve({ kind: 'unreadable', reason: 'forbidden' });
      const value = served.find(
        (one) => one.kind === kind && one.metadata.name === key.name && (one.metadata.namespace ?? '') === key.namespace,
      );
      return Promise.resolve(value ? { kind: 'value', value } : { kind: 'absent' });
    },
    fetchList: ({ kind }: Resource) =>
      Promise.resolve(
        hidden.includes(kind)
          ? { kind: 'unreadable', reason: 'forbidden' }
          : { kind: 'value', value: served.filter((one) => one.kind === kind) },
      ),
  } as unknown as Reader;
  const seen = await observe({ namespace: 'sickbay-system', name: object.metadata.name }, reader, { now: NOW, settings: DEFAULT_SETTINGS });
  if (!seen) throw new Error('it is there');
  return { seen: seen as DeletedExecution, asked };
}

const nameIn = (read: { readonly kind: string; readonly value?: unknown }): string =>
  read.kind === 'value' ? (read.value as KubeObject).metadata.name : read.kind;

describe('an execution that is being deleted', () => {
  test.each(['Completed', 'Failed', 'Skipped'] as const)('%s: all that is left of it is seen, from live reads', async (phase) => {
    const { seen, asked } = await look(leaving({ status: { phase, completionTime: toTime(NOW) } }), [
      aJob(),
      aLock(),
      aRequest(),
      namespace,
      aPod(),
    ]);
    const name = runName(leaving().spec);
    expect([seen.run, seen.lock, seen.request, seen.namespace].map(nameIn)).toEqual([name, name, 'rr-1', 'sickbay-system']);
    expect(seen.history).toEqual({ kind: 'value', value: [] });
    expect(seen.pods).toMatchObject({ kind: 'value' });
    expect(seen.holder.kind).toBe('absent');
    expect(asked).toEqual(
      expect.arrayContaining([
        `Job kubernaut-workflows/${name}`,
        `Lease kubernaut-workflows/${name}`,
        'RemediationRequest sickbay-system/rr-1',
        'Namespace /sickbay-system',
      ]),
    );
  });

  test('without an owner has no request', async () => {
    const { seen, asked } = await look(leaving({ metadata: { ownerReferences: [] } }), [aRequest()]);
    expect(seen.request).toEqual({ kind: 'absent' });
    expect(asked.some((one) => one.startsWith('RemediationRequest'))).toBe(false);
  });

  test.each<{ name: string; served: readonly KubeObject[]; hidden?: readonly string[]; want: string }>([
    { name: 'whose lock another has', served: [aLock('wfe-2'), rival], want: 'we-other' },
    { name: 'whose run is another’s', served: [aJob({ of: 'wfe-2' }), rival], want: 'we-other' },
    { name: 'whose lock one has that is gone', served: [aLock('wfe-3'), rival], want: 'absent' },
    { name: 'whose lock is its own', served: [aLock(), rival], want: 'absent' },
    { name: 'where the executions cannot be read', served: [aLock('wfe-2')], hidden: ['WorkflowExecution'], want: 'unreadable' },
  ])('and $name: the holder is $want', async ({ served, hidden, want }) =>
    expect(nameIn((await look(leaving(), served, hidden)).seen.holder)).toBe(want),
  );

  test('knows its run by the recorded UID, also where its mark was removed from outside', async () => {
    const object = leaving({ status: { phase: 'Failed', executionRef: { kind: 'Job', uid: 'job-9' } } });
    const { seen } = await look(object, [aJob({ of: '', uid: 'job-9' })]);
    expect(seen.run).toMatchObject({ value: { metadata: { uid: 'job-9' } } });
  });

  test('that has no finalizer of ours is read like any that has ended', async () => {
    const { asked } = await look(leaving({ metadata: { finalizers: [] } }), []);
    expect(asked).toEqual([]);
  });
});
