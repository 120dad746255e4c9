import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/meta.ts';
import { LABELS } from '../../api/well-known.ts';
import type { Related, Watch } from '../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { createExecutionController } from './index.ts';
import { runName } from './names.ts';
import { aJob, aLedger, aLock, anExecution, aPod, aRequest, entryFor } from './testing/builders.ts';

const controller = createExecutionController(() => ({ ...DEFAULT_SETTINGS, namespace: 'ours', executionNamespace: 'runs' }));
const watchOf = (kind: string): Watch => {
  const [watch, ...more] = controller.watches.filter(({ resource }) => resource.kind === kind);
  if (!watch || more.length > 0) throw new Error(`one watch of ${kind}`);
  return watch;
};

const asked: unknown[] = [];
const WAITING = [{ namespace: 'ours', name: 'we-waits' }];
const related = ((resource: { readonly kind: string }, by: unknown) => {
  asked.splice(0, asked.length, resource.kind, by);
  return WAITING;
}) as unknown as Related;
const keys = (kind: string, object: KubeObject) => watchOf(kind).keys(object, related, () => []);
const ITSELF = { namespace: 'sickbay-system', name: 'we-rr-1' };

test('what is watched, where, and what of it', () => {
  expect(controller).toMatchObject({ name: 'execution', primary: { kind: 'WorkflowExecution' } });
  const seen = controller.watches.map(({ resource, namespace, labelSelector, isOptional, indexes = {} }) => [
    resource.kind,
    namespace,
    labelSelector ?? '',
    isOptional === true,
    Object.keys(indexes).toSorted(),
  ]);
  const marked = LABELS.workflowExecutionUid;
  expect(seen).toEqual([
    ['WorkflowExecution', 'ours', '', false, ['budget', 'lock']],
    ['RemediationRequest', 'ours', '', false, []],
    ['Job', 'runs', marked, false, ['execution']],
    ['PipelineRun', 'runs', marked, true, ['execution']],
    ['Pod', 'runs', marked, false, ['execution']],
    ['Lease', 'runs', marked, false, []],
    ['RemediationWorkflow', 'ours', '', false, ['workflow-id']],
    ['ConfigMap', 'ours', expect.stringContaining('=') as string, false, []],
  ]);
});

describe('who is woken', () => {
  test.each<{ phase: 'Pending' | 'Running' | 'Completed' | 'Failed' | 'Skipped'; wakes: boolean }>([
    { phase: 'Pending', wakes: false },
    { phase: 'Running', wakes: false },
    { phase: 'Completed', wakes: true },
    { phase: 'Failed', wakes: true },
    { phase: 'Skipped', wakes: true },
  ])('by an execution that is $phase: itself, and those that wait for room: $wakes', ({ phase, wakes }) => {
    expect(keys('WorkflowExecution', anExecution({ status: { phase } }))).toEqual([ITSELF, ...(wakes ? WAITING : [])]);
    if (wakes) expect(asked).toEqual(['WorkflowExecution', { index: 'budget', value: 'waiting' }]);
  });

  test('by one without a status: itself', () => expect(keys('WorkflowExecution', anExecution())).toEqual([ITSELF]));

  test('by a request: the execution that it names', () => {
    expect(keys('RemediationRequest', aRequest())).toEqual([{ namespace: 'ours', name: 'we-rr-1' }]);
    for (const status of [undefined, {}, { workflowExecutionRef: {} }, { workflowExecutionRef: { name: '' } }])
      expect(keys('RemediationRequest', { ...aRequest(), status } as unknown as KubeObject)).toEqual([]);
  });

  test.each<{ kind: string; object: KubeObject }>([
    { kind: 'Job', object: aJob() },
    { kind: 'PipelineRun', object: { ...aJob(), kind: 'PipelineRun' } },
    { kind: 'Pod', object: aPod() },
    { kind: 'Lease', object: aLock() },
  ])('by a $kind: the execution whose mark it carries', ({ kind, object }) => {
    expect(keys(kind, object)).toEqual([ITSELF]);
    expect(keys(kind, { ...object, metadata: { ...object.metadata, labels: {} } })).toEqual([]);
    const { [LABELS.sourceNamespace]: _, ...labels } = object.metadata.labels ?? {};
    expect(keys(kind, { ...object, metadata: { ...object.metadata, labels } })).toEqual([]);
  });

  test('by the catalogue: none; by the ledger: those that wait for room', () => {
    expect(keys('RemediationWorkflow', entryFor(anExecution().spec))).toEqual([]);
    expect(keys('ConfigMap', aLedger())).toEqual(WAITING);
    expect(asked).toEqual(['WorkflowExecution', { index: 'budget', value: 'waiting' }]);
  });
});

test('what is found by what', () => {
  const index = (kind: string, name: string, object: KubeObject) => watchOf(kind).indexes?.[name]?.(object);
  expect(index('WorkflowExecution', 'lock', anExecution())).toEqual([runName(anExecution().spec)]);
  expect(index('RemediationWorkflow', 'workflow-id', entryFor(anExecution().spec))).toEqual(['rollback']);
  for (const [kind, object] of [
    ['Job', aJob()],
    ['PipelineRun', aJob()],
    ['Pod', aPod()],
  ] as const) {
    expect(index(kind, 'execution', object)).toEqual(['wfe-1']);
    expect(index(kind, 'execution', { ...object, metadata: { ...object.metadata, labels: {} } })).toEqual(['']);
  }
});
