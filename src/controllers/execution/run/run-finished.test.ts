import { describe, expect, test } from 'vitest';
import type { TaskRun } from '../../../api/builtin/index.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import { runOver } from './run-finished.ts';
import { aClaim, aJob, anExecution, aPod, inState, running } from '../testing/builders.ts';

interface World {
  readonly execution?: WorkflowExecution;
  readonly objects?: readonly KubeObject[];
  /** Kinds that cannot be read. */
  readonly hidden?: readonly string[];
}

/** The same world in the cache and on the server; which of them is asked is for the test to say. */
function judgeOf({ execution, objects = [], hidden = [] }: World) {
  const all = [...(execution ? [execution] : []), ...objects];
  const read = (resource: Resource) => {
    if (hidden.includes(resource.kind)) return { kind: 'unreadable', reason: 'forbidden' };
    const value = all.find(({ kind }) => kind === resource.kind);
    return value ? { kind: 'value', value } : { kind: 'absent' };
  };
  const list = (resource: Resource) =>
    hidden.includes(resource.kind)
      ? { kind: 'unreadable', reason: 'forbidden' }
      : { kind: 'value', value: all.filter(({ kind }) => kind === resource.kind) };
  const reader = {
    get: read,
    list,
    fetch: (resource: Resource) => Promise.resolve(read(resource)),
    fetchList: (resource: Resource) => Promise.resolve(list(resource)),
  } as unknown as Reader;
  return runOver(reader, 'kubernaut-workflows');
}

const inPhase = (phase: 'Pending' | 'Running' | 'Completed' | 'Failed' | 'Skipped') => anExecution({ status: { ...running, phase } });
const failed = inPhase('Failed');
const another = anExecution({ uid: 'wfe-9', status: { phase: 'Pending' } });
const over = { type: 'Failed' } as const;
const alive = inState({ running: {} });
/** A task of Tekton's that has no pod yet, or none any more. */
const task = (status: 'Unknown' | 'False'): TaskRun => ({
  apiVersion: 'tekton.dev/v1',
  kind: 'TaskRun',
  metadata: {
    name: 'act',
    namespace: 'kubernaut-workflows',
    uid: 'task-1',
    resourceVersion: '1',
    creationTimestamp: '2026-11-15T03:00:00Z',
  },
  status: { conditions: [{ type: 'Succeeded', status }] },
});

interface Case extends World {
  readonly reason: string;
  readonly look: 'over' | 'running' | 'unsure';
  readonly ask: boolean;
}

const cases: readonly Case[] = [
  { reason: 'it has not begun', execution: inPhase('Pending'), look: 'running', ask: false },
  { reason: 'it runs', execution: inPhase('Running'), look: 'running', ask: false },
  {
    reason: 'its result is not yet recorded in status',
    execution: inPhase('Running'),
    objects: [aJob({ ended: over })],
    look: 'running',
    ask: false,
  },
  { reason: 'it is new', execution: anExecution(), look: 'running', ask: false },
  { reason: 'it went through', execution: inPhase('Completed'), objects: [aJob()], look: 'over', ask: true },
  { reason: 'it never ran', execution: inPhase('Skipped'), look: 'over', ask: true },
  { reason: 'its run failed', execution: failed, objects: [aJob({ ended: over })], look: 'over', ask: true },
  { reason: 'it was given up, but its run continues', execution: failed, objects: [aJob()], look: 'running', ask: false },
  {
    reason: 'it was called off, and its run is still to be deleted',
    execution: failed,
    objects: [aJob({ held: true })],
    look: 'running',
    ask: false,
  },
  { reason: 'one of two runs continues', execution: failed, objects: [aJob({ ended: over }), aJob()], look: 'running', ask: false },
  { reason: 'its run cannot be found', execution: failed, look: 'unsure', ask: true },
  { reason: 'its run was deleted, its pod continues', execution: failed, objects: [alive], look: 'unsure', ask: false },
  { reason: 'its run and its pod are over', execution: failed, objects: [aPod({ phase: 'Failed' })], look: 'unsure', ask: true },
  { reason: 'its run was deleted, its task continues', execution: failed, objects: [task('Unknown')], look: 'unsure', ask: false },
  { reason: 'its run was deleted, its task is over', execution: failed, objects: [task('False')], look: 'unsure', ask: true },
  {
    reason: 'its tasks cannot be read',
    execution: failed,
    hidden: ['TaskRun', 'CustomResourceDefinition'],
    look: 'unsure',
    ask: false,
  },
  { reason: 'its runs cannot be read', execution: failed, hidden: ['Job'], look: 'running', ask: false },
  { reason: 'its pods cannot be read', execution: failed, hidden: ['Pod'], look: 'unsure', ask: false },
  { reason: 'it cannot be read', execution: inPhase('Completed'), hidden: ['WorkflowExecution'], look: 'running', ask: false },
  { reason: 'it was deleted', look: 'unsure', ask: true },
  { reason: 'it was deleted, and another has its name', execution: another, look: 'unsure', ask: true },
  { reason: 'it was deleted, but its run continues', objects: [aJob()], look: 'unsure', ask: false },
  { reason: 'it was deleted, and its run will never be released', objects: [aJob({ held: true })], look: 'unsure', ask: true },
];

describe('for the budget the run of an execution', () => {
  test.each(cases)('$look at first sight: $reason', ({ look, ...world }) => expect(judgeOf(world).look(aClaim())).toBe(look));
  test.each(cases)('is over after a live read, $ask: $reason', async ({ ask, ...world }) =>
    expect(await judgeOf(world).ask(aClaim())).toBe(ask),
  );
});
