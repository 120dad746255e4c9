import { describe, expect, test } from 'vitest';
import type { Lease } from '../../../api/builtin/index.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { aLock } from '../testing/builders.ts';
import { aFailedRun, aFailedStart, aSkip, aSuccess, CLEARED } from '../testing/finished-executions.ts';
import { findBlock } from './find-block.ts';
import { blockFrom } from './stored-block.ts';

const KEPT = { [ANNOTATIONS.block]: JSON.stringify(blockFrom(aFailedRun({ name: 'we-gone' }), 'PreviousExecutionFailed')) };
const SIGNED = { [ANNOTATIONS.blockClearedBy]: 'anna', [ANNOTATIONS.blockClearReason]: 'looked', [ANNOTATIONS.blockClearedAt]: 'today' };
const keeping = (annotations: Record<string, string>): Lease => aLock('nobody', { annotations });
const elsewhere = (execution: WorkflowExecution): WorkflowExecution => ({ ...execution, spec: { ...execution.spec, clusterID: 'b' } });

interface Row {
  readonly name: string;
  readonly executions?: readonly WorkflowExecution[];
  readonly locks?: readonly Lease[];
  readonly want: string | undefined;
}

const LEASE = 'Lease kubernaut-workflows/wfe-';

const rows: readonly Row[] = [
  { name: 'nothing is recorded', want: undefined },
  { name: 'a lock that is just a lock', locks: [aLock()], want: undefined },
  { name: 'a run that failed', executions: [aFailedRun({ name: 'we-bad' })], want: 'PreviousExecutionFailed we-bad' },
  { name: 'one that was cleared', executions: [aFailedRun({ blockClearance: CLEARED })], want: undefined },
  { name: 'one with a success after it', executions: [aFailedRun({ minutesAgo: 9 }), aSuccess()], want: undefined },
  { name: 'all retries used up', executions: [aFailedStart(5, { name: 'we-5' })], want: 'ExhaustedRetries we-5' },
  { name: 'a retry left', executions: [aFailedStart(4)], want: undefined },
  { name: 'others were skipped for it', executions: [aSkip()], want: undefined },
  { name: 'a lock that keeps the failure of one that is gone', locks: [keeping(KEPT)], want: `PreviousExecutionFailed we-gone ${LEASE}` },
  { name: 'and that a person has cleared', locks: [keeping({ ...KEPT, ...SIGNED })], want: undefined },
  {
    name: 'cleared without a name',
    locks: [keeping({ ...KEPT, ...SIGNED, [ANNOTATIONS.blockClearedBy]: '' })],
    want: `PreviousExecutionFailed we-gone ${LEASE}`,
  },
  {
    name: 'a record that cannot be read',
    locks: [keeping({ [ANNOTATIONS.block]: '{' })],
    want: `PreviousExecutionFailed an execution ${LEASE}`,
  },
  {
    name: 'a cleared record, and one more failure',
    executions: [aFailedRun({ name: 'we-new' })],
    locks: [keeping({ ...KEPT, ...SIGNED })],
    want: 'PreviousExecutionFailed we-new',
  },
  {
    name: 'a success in another cluster',
    executions: [aFailedRun({ name: 'we-here', minutesAgo: 9 }), elsewhere(aSuccess())],
    want: 'PreviousExecutionFailed we-here',
  },
  {
    name: 'a failure in another cluster',
    executions: [aSuccess(), elsewhere(aFailedRun({ name: 'we-there', minutesAgo: 9 }))],
    want: 'PreviousExecutionFailed we-there',
  },
];

describe('what keeps workflows off a target', () => {
  test.each(rows)('$name: $want', ({ executions = [], locks = [], want }) => {
    const found = findBlock({ executions, locks }, DEFAULT_SETTINGS);
    const text = found && [found.reason, found.name, ...(found.keptOn ? [found.keptOn.slice(0, LEASE.length)] : [])].join(' ');
    expect(text).toBe(want);
  });
});
