import { describe, expect, test } from 'vitest';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { childOf, readChild } from './read-child.ts';
import { ABSENT, anExecution, aRequest, SOMEBODY_ELSES, UNREADABLE, value } from '../testing/builders.ts';

const owner = aRequest();
const ours = value(anExecution());
const leftOver = value(
  anExecution(
    {},
    { uid: 'old', ownerReferences: [{ apiVersion: 'v', kind: 'RemediationRequest', name: 'rr', uid: 'old', controller: true }] },
  ),
);

describe('childOf', () => {
  test.each<[string, Read<WorkflowExecution>, string | undefined, string]>([
    ['unreadable', UNREADABLE, undefined, 'unknown'],
    ['unreadable, recorded', UNREADABLE, 'we-rr-uid', 'unknown'],
    ['absent', ABSENT, undefined, 'none'],
    ['absent, recorded', ABSENT, 'we-rr-uid', 'lost'],
    ['ours', ours, undefined, 'ours'],
    ['ours, recorded', ours, 'we-rr-uid', 'ours'],
    ['ours, another recorded', ours, 'first', 'lost'],
    ['foreign', value(anExecution({}, SOMEBODY_ELSES)), undefined, 'foreign'],
    ['foreign, ours recorded', value(anExecution({}, SOMEBODY_ELSES)), 'we-rr-uid', 'lost'],
    ['of an earlier request of the same name', leftOver, undefined, 'leftOver'],
  ])('%s', (_, read, recordedUid, kind) => expect(childOf(read, { owner, recordedUid }).kind).toBe(kind));
});

describe('readChild', () => {
  const FRESH = value(anExecution({ phase: 'Completed' }));

  /** A cache that shows what it is told, and a server that has something newer. */
  function reading(cached: Read<WorkflowExecution>): { reader: Reader; asked: ObjectKey[] } {
    const asked: ObjectKey[] = [];
    const reader = {
      get: () => cached,
      fetch: (_: unknown, key: ObjectKey) => {
        asked.push(key);
        return Promise.resolve(FRESH);
      },
    } as unknown as Reader;
    return { reader, asked };
  }

  const key = { namespace: 'sickbay-system', name: 'we-rr' };
  const read = (reader: Reader, more: { readonly recordedUid?: string; readonly isLate?: boolean; readonly owner?: KubeObject }) =>
    readChild(reader, { resource: WorkflowExecution, key, owner, ...more });

  test.each<[string, Read<WorkflowExecution>, { recordedUid?: string; isLate?: boolean }]>([
    ['ours', ours, {}],
    ['ours, recorded', ours, { recordedUid: 'we-rr-uid' }],
    ['absent, none recorded', ABSENT, {}],
    ['unreadable', UNREADABLE, { recordedUid: 'we-rr-uid', isLate: true }],
  ])('the cache will do: %s', async (_, cached, more) => {
    const { reader, asked } = reading(cached);
    expect(await read(reader, more)).toBe(cached);
    expect(asked).toEqual([]);
  });

  test.each<[string, Read<WorkflowExecution>, { recordedUid?: string; isLate?: boolean }]>([
    ['lost', ABSENT, { recordedUid: 'we-rr-uid' }],
    ['replaced', ours, { recordedUid: 'first' }],
    ['too late', ours, { isLate: true }],
    ['never there and too late', ABSENT, { isLate: true }],
    ['foreign', value(anExecution({}, SOMEBODY_ELSES)), {}],
    ['left over', leftOver, {}],
  ])('a live read confirms it before the child counts as %s', async (_, cached, more) => {
    const { reader, asked } = reading(cached);
    expect(await read(reader, more)).toBe(FRESH);
    expect(asked).toEqual([key]);
  });
});
