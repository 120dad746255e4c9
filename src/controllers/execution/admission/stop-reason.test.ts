import { expect, test } from 'vitest';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { Read } from '../../../kube/client/read.ts';
import { toTime } from '../../../base/index.ts';
import { whyStop } from './stop-reason.ts';
import { ABSENT, anExecution, aRequest, found, NOW, UNREADABLE } from '../testing/builders.ts';

const deleted = { deletionTimestamp: toTime(NOW) };
const leaving: RemediationRequest = { ...aRequest(), metadata: { ...aRequest().metadata, ...deleted } };
const cancelled = (cancellation: object) =>
  found(aRequest({ overallPhase: 'Cancelled', cancellation } as unknown as RemediationRequest['status']));
const { status: _, ...unseen } = aRequest();

test.each<{ name: string; object?: ReturnType<typeof anExecution>; request: Read<RemediationRequest>; want: string | undefined }>([
  { name: 'its request is executing', request: found(aRequest()), want: undefined },
  { name: 'its request has no status yet', request: found(unseen as RemediationRequest), want: undefined },
  { name: 'its request cannot be read', request: UNREADABLE, want: undefined },
  {
    name: 'the execution was deleted, and its request cannot be read',
    object: anExecution({ metadata: deleted }),
    request: UNREADABLE,
    want: 'its WorkflowExecution was deleted',
  },
  { name: 'its request is gone', request: ABSENT, want: 'its RemediationRequest rr-1 was deleted' },
  { name: 'another request has the name', request: found(aRequest({}, 'rr-2')), want: 'its RemediationRequest rr-1 was deleted' },
  {
    name: 'it never had a request',
    object: anExecution({ metadata: { ownerReferences: [] } }),
    request: ABSENT,
    want: 'its RemediationRequest  was deleted',
  },
  {
    name: 'it never had a request, but one was found',
    object: anExecution({ metadata: { ownerReferences: [] } }),
    request: found(aRequest()),
    want: 'its RemediationRequest  was deleted',
  },
  { name: 'its request is on its way out', request: found(leaving), want: 'its RemediationRequest rr-1 is being deleted' },
  {
    name: 'its request has ended by itself',
    request: found(aRequest({ overallPhase: 'TimedOut' })),
    want: 'its RemediationRequest rr-1 has ended: TimedOut',
  },
  { name: 'an operator cancelled it', request: cancelled({ by: 'anna' }), want: 'anna cancelled it' },
  {
    name: 'an operator cancelled it and gave a reason',
    request: cancelled({ by: 'anna', reason: 'a drill' }),
    want: 'anna cancelled it (a drill)',
  },
])('a run under way is stopped, and why: $name', ({ object = anExecution(), request, want }) =>
  expect(whyStop(object, request)).toBe(want),
);
