import { describe, expect, test } from 'vitest';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { cordonedBy, cordonedForOthers, drainedBy } from './cordon.ts';
import type { PipelineSeen } from './observe.ts';
import { ABSENT, aNode, aRequest, aSight, at, byAlert, closedBy, fresh, opened, UNREADABLE, valueOf } from './testing/builders.ts';

const known = (name: string) => aRequest({ phase: 'Requested', cordonedBy: name });
const closed = valueOf(closedBy('rr-1'));
const aWorkflow = (workflowId: string) => ({ workflowId, version: '1', executionBundle: 'x' });
const drain = { selectedWorkflowRef: aWorkflow('drain') };
const failed = opened('rr-1', { overallPhase: 'Failed', ...drain });
const again = (name: string, more: RemediationRequest['status'] = {}, creationTimestamp = at(0)) =>
  opened(name, { overallPhase: 'Completed', verifyingStartTime: at(0), ...drain, ...more }, { metadata: { creationTimestamp } });

describe('the request whose workflow closed the Node for the Machine', () => {
  const rows: readonly { name: string; seen: Partial<PipelineSeen>; want: string | undefined }[] = [
    { name: 'is known by the record on the Node', seen: { node: closed, requests: valueOf([failed]) }, want: 'rr-1' },
    { name: 'is none that alerts opened', seen: { node: closed, requests: valueOf([byAlert('rr-1')]) }, want: undefined },
    { name: 'is not known without a request or a record', seen: { node: closed }, want: undefined },
    { name: 'stays recorded when it is gone', seen: { node: closed, object: known('rr-1') }, want: 'rr-1' },
    {
      name: 'stays recorded when requests cannot be read',
      seen: { node: closed, object: known('rr-1'), requests: UNREADABLE },
      want: 'rr-1',
    },
    { name: 'stays recorded when the Node cannot be read', seen: { node: UNREADABLE, object: known('rr-1') }, want: 'rr-1' },
    { name: 'is another than the recorded one', seen: { node: closed, object: known('rr-0') }, want: undefined },
    { name: 'is none when the Node is open', seen: { node: valueOf(aNode()), object: known('rr-1') }, want: undefined },
    {
      name: 'is none when the Node is open and requests cannot be read',
      seen: { node: valueOf(aNode()), object: known('rr-1'), requests: UNREADABLE },
      want: undefined,
    },
    { name: 'is none when the Node is gone', seen: { node: ABSENT, object: known('rr-1') }, want: undefined },
  ];
  test.each(rows)('$name', ({ seen, want }) => expect(cordonedBy(aSight(seen))).toBe(want));
});

test.each([
  { name: 'an alert', requests: [byAlert('rr-1')], want: 'rr-1' },
  { name: 'the Machine', requests: [failed], want: undefined },
  { name: 'no known request', requests: [], want: undefined },
])('a Node that was closed for $name is closed for others by $want', ({ requests, want }) =>
  expect(cordonedForOthers(aSight({ node: closed, requests: valueOf(requests) }))).toBe(want),
);

describe('the request that drained the Node', () => {
  const rows: readonly { name: string; requests: readonly RemediationRequest[]; want: string | undefined }[] = [
    { name: 'is the one that closed it', requests: [opened('rr-1', { overallPhase: 'Completed' })], want: 'rr-1' },
    { name: 'is not one that failed', requests: [failed], want: undefined },
    { name: 'is the next with the same workflow', requests: [failed, again('rr-2')], want: 'rr-2' },
    { name: 'is the next, of the same second too', requests: [failed, again('rr-2', {}, at(-3_600_000))], want: 'rr-2' },
    { name: 'is not one of before', requests: [failed, again('rr-0', {}, at(-3_601_000))], want: undefined },
    { name: 'is not one that is still at work', requests: [failed, again('rr-2', { overallPhase: 'Verifying' })], want: undefined },
    { name: 'is not one that has no status yet', requests: [failed, fresh('rr-2')], want: undefined },
    {
      name: 'is not one of another workflow',
      requests: [failed, again('rr-2', { selectedWorkflowRef: aWorkflow('other') })],
      want: undefined,
    },
  ];
  test.each(rows)('$name', ({ requests, want }) => expect(drainedBy(aSight({ node: closed, requests: valueOf(requests) }))).toBe(want));

  test('has come to its end when it is gone', () => expect(drainedBy(aSight({ node: closed, object: known('rr-1') }))).toBe('rr-1'));
});
