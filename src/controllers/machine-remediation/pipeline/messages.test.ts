import { describe, expect, test } from 'vitest';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { FIRST, requestName } from '../../../api/remediation-request/request-name.ts';
import { HOUR, MINUTE, SECOND } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from './decide.ts';
import { fingerprintOfNode } from './draft-request.ts';
import type { PipelineSeen } from './observe.ts';
import type { PipelineStatus } from './status.ts';
import {
  ABSENT,
  aMachine,
  aNode,
  aRequest,
  aSight,
  at,
  byAlert,
  closedBy,
  NOW,
  opened,
  READY,
  refTo,
  UNREADABLE,
  valueOf,
} from './testing/builders.ts';

const PRINT = fingerprintOfNode('node-1', DEFAULT_SETTINGS);

const requested = aRequest({ phase: 'Requested', nodeName: 'node-1', remediationRequestRef: refTo('rr-1', 'uid-rr-1') });
const { ineffectiveTimeWindowMs } = DEFAULT_SETTINGS.routing;
const waitForBlock = { overallPhase: 'Blocked', blockReason: 'IneffectiveChain', blockedStartTime: at(-ineffectiveTimeWindowMs) } as const;

type RequestStatus = NonNullable<RemediationRequest['status']>;
const after = (status: RequestStatus): Partial<PipelineSeen> => ({ object: requested, requests: valueOf([opened('rr-1', status)]) });

const taken = (more: PipelineStatus = {}) =>
  aRequest(
    { phase: 'Ending', nodeName: 'node-1', remediationRequestRef: refTo('rr-1', 'uid-rr-1'), ...more },
    { metadata: { deletionTimestamp: at(0) } },
  );
const done = opened('rr-1', { overallPhase: 'Completed', outcome: 'Remediated' });
/** Deleted when the Machine is healthy, and rr-1 has closed the Node. */
const ending = (change: Partial<PipelineSeen> = {}): Partial<PipelineSeen> => ({
  object: taken(),
  machine: valueOf(aMachine('True')),
  node: valueOf(closedBy('rr-1', READY)),
  requests: valueOf([done]),
  ...change,
});
const stays = (why: string) => `Node node-1 stays cordoned: ${why}. To uncordon it: kubectl uncordon node-1`;
const followUncordonRequest = (status?: RequestStatus) => ({
  object: taken({ reopeningRef: refTo('rr-2') }),
  requests: valueOf([done, opened('rr-2', status)]),
});

interface Case {
  readonly name: string;
  readonly seen: Partial<PipelineSeen>;
  readonly says: string;
}

const next = (waits: number) => `If the Machine still fails then, the next request is created at ${at(waits)}`;

const working: readonly Case[] = [
  { name: 'it is new', seen: { object: aRequest({}) }, says: 'its Machine is evaluated next' },
  {
    name: 'requests cannot be read',
    seen: { requests: UNREADABLE },
    says: 'RemediationRequests about the Node cannot be read: forbidden',
  },
  { name: 'one is opened', seen: {}, says: `${requestName(PRINT, FIRST)} is created for Node node-1` },
  {
    name: 'one is joined',
    seen: { requests: valueOf([byAlert('rr-a', { overallPhase: 'Analyzing' })]) },
    says: 'rr-a is active on Node node-1 already; waiting until it ends',
  },
  {
    name: 'the Node is to be left alone',
    seen: { requests: valueOf([byAlert('rr-a', { overallPhase: 'Failed', nextAllowedExecution: at(SECOND) })]) },
    says: `rr-a blocks further remediation of the Node until ${at(SECOND)}`,
  },
  { name: 'it has just begun', seen: after({}), says: 'rr-1 is Pending' },
  { name: 'it is at work', seen: after({ overallPhase: 'Executing', message: 'drains' }), says: 'rr-1 is Executing: drains' },
  {
    name: 'it failed',
    seen: after({ overallPhase: 'Failed', message: 'no plan' }),
    says: `rr-1 ended Failed: no plan. ${next(MINUTE)}`,
  },
  {
    name: 'it came to nothing',
    seen: after({ overallPhase: 'Completed', outcome: 'DryRun' }),
    says: `rr-1 ended DryRun. ${next(MINUTE)}`,
  },
  { name: 'it is held back for good', seen: after(waitForBlock), says: `rr-1 is blocked as Blocked. ${next(MINUTE)}` },
  { name: 'it was deleted', seen: { object: requested }, says: `rr-1 was deleted before it ended. ${next(MINUTE)}` },
];

const endings: readonly Case[] = [
  {
    name: 'requests cannot be read',
    seen: ending({ requests: UNREADABLE }),
    says: 'RemediationRequests about the Node cannot be read: forbidden',
  },
  {
    name: 'the Node cannot be read',
    seen: ending({ node: UNREADABLE }),
    says: 'whether the Node is still cordoned cannot be read: forbidden',
  },
  {
    name: 'the Machine cannot be read',
    seen: ending({ machine: UNREADABLE }),
    says: 'whether the Machine is healthy cannot be read: forbidden',
  },
  {
    name: 'it is at work',
    seen: ending({ requests: valueOf([opened('rr-1', { overallPhase: 'Executing' })]) }),
    says: 'rr-1 is running on the Node; waiting until it ends',
  },
  {
    name: 'it is being verified',
    seen: ending({ requests: valueOf([opened('rr-1', { overallPhase: 'Verifying' })]) }),
    says: 'rr-1 is still being verified; waiting until that ends',
  },
  {
    name: 'it has not begun',
    seen: ending({ requests: valueOf([opened('rr-1')]) }),
    says: 'rr-1 is cancelled: PipelineRemediation machines/worker-1 was deleted',
  },
  { name: 'the Node is open', seen: ending({ node: valueOf(aNode(READY)) }), says: 'nothing is left to do' },
  { name: 'the Node is gone', seen: ending({ node: ABSENT }), says: 'nothing is left to do' },
  {
    name: 'the Node is closed for another source',
    seen: ending({ requests: valueOf([byAlert('rr-1', { overallPhase: 'Completed' })]) }),
    says: stays('it was cordoned by rr-1, which was not for this Machine'),
  },
  {
    name: 'another remediation works on the Node',
    seen: ending({ requests: valueOf([done, byAlert('rr-a', { overallPhase: 'Analyzing' })]) }),
    says: stays('rr-a is active on it'),
  },
  {
    name: 'the Node is to be left alone until an operator checks it',
    seen: ending({ requests: valueOf([opened('rr-1', { overallPhase: 'Failed', nextAllowedExecution: at(2 * HOUR) })]) }),
    says: stays(`rr-1 blocks further remediation of it until ${at(2 * HOUR)}`),
  },
  {
    name: 'the Node is to be left alone for a while',
    seen: ending({ requests: valueOf([opened('rr-1', { overallPhase: 'Failed', nextAllowedExecution: at(SECOND) })]) }),
    says: `the Node is uncordoned later: rr-1 blocks further remediation of it until ${at(SECOND)}`,
  },
  {
    name: 'the Node is unhealthy',
    seen: ending({ node: valueOf(closedBy('rr-1', { type: 'Ready', status: 'False', reason: 'Off' })) }),
    says: stays('it is not healthy: it is not ready (Off)'),
  },
  {
    name: 'the Machine is being deleted',
    seen: ending({ machine: valueOf(aMachine('True', { deletionTimestamp: at(0) })) }),
    says: stays('Machine worker-1 is being deleted'),
  },
  {
    name: 'the Node is to be opened',
    seen: ending(),
    says: `${requestName(PRINT, 'uid-rr-1')} is created, to uncordon Node node-1, which a workflow cordoned`,
  },
  { name: 'the Node is about to be opened', seen: ending(followUncordonRequest()), says: 'rr-2, which uncordons the Node, is Pending' },
  {
    name: 'the Node is being opened',
    seen: ending(followUncordonRequest({ overallPhase: 'AwaitingApproval', message: 'ask ops' })),
    says: 'rr-2, which uncordons the Node, is AwaitingApproval: ask ops',
  },
];

const messageOf = (seen: Partial<PipelineSeen>) => (decide(aSight(seen), NOW).status as PipelineStatus).message;

describe('what a PipelineRemediation says', () => {
  test.each(working)('when $name', ({ seen, says }) => expect(messageOf(seen)).toBe(says));
  test.each(endings)('after it was deleted, when $name', ({ seen, says }) => expect(messageOf(seen)).toBe(says));
});
