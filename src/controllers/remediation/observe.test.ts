import { describe, expect, test } from 'vitest';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { MINUTE, toTime, type Instant } from '../../base/index.ts';
import { NOT_READ } from '../../kube/client/read.ts';
import type { Read, Reader } from '../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { observe } from './observe.ts';
import type { RemediationStatus } from './status.ts';
import {
  ABSENT,
  aDeployment,
  anAnalysis,
  analyzing,
  anApproval,
  anAssessment,
  anExecution,
  aProcessing,
  aRequest,
  at,
  awaiting,
  executing,
  pending,
  processing,
  TARGET,
  UNREADABLE,
  value,
  verifying,
} from './testing/builders.ts';

/** A reader that has the objects, and writes down what was asked of cache and server. */
function reading(...objects: readonly KubeObject[]): { reader: Reader; asked: string[]; listed: string[] } {
  const asked: string[] = [];
  const listed: string[] = [];
  const find = (how: string, { kind }: Resource, { name }: ObjectKey): Read<KubeObject> => {
    asked.push(`${how} ${kind} ${name}`);
    const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
    return found ? value(found) : ABSENT;
  };
  const reader = {
    get: (resource: Resource, key: ObjectKey) => find('cache', resource, key),
    list: ({ kind }: Resource, by?: { readonly index: string; readonly value: string }) => {
      listed.push(`${kind} by ${by?.index ?? 'nothing'}`);
      return { kind: 'value', value: [] };
    },
    fetch: (resource: Resource, key: ObjectKey) => Promise.resolve(find('server', resource, key)),
  } as unknown as Reader;
  return { reader, asked, listed };
}

const AROUND = { settings: DEFAULT_SETTINGS, account: 'sickbay', identityIsChecked: () => true, isAudited: () => true };
const KEY = { namespace: 'sickbay-system', name: 'rr' };

interface Case {
  readonly name: string;
  readonly status?: RemediationStatus;
  readonly objects?: readonly KubeObject[];
  readonly atMs?: number;
  readonly asked: readonly string[];
}

const scope = ['cache Deployment checkout', 'cache Namespace shop'];

const cases: readonly Case[] = [
  { name: 'new: nothing else', asked: [] },
  { name: 'Pending without a child: what the checks judge', status: pending, asked: ['cache SignalProcessing sp-rr', ...scope] },
  { name: 'Pending with its child: no check is due', status: pending, objects: [aProcessing()], asked: ['cache SignalProcessing sp-rr'] },
  { name: 'Processing: its child', status: processing, objects: [aProcessing()], asked: ['cache SignalProcessing sp-rr'] },
  {
    name: 'Processing, at the limit: the server is read before it counts as timed out',
    status: processing,
    objects: [aProcessing()],
    atMs: 5 * MINUTE,
    asked: ['cache SignalProcessing sp-rr', 'server SignalProcessing sp-rr'],
  },
  {
    name: 'Processing, done: the next child',
    status: processing,
    objects: [aProcessing({ phase: 'Completed' })],
    asked: ['cache SignalProcessing sp-rr', 'cache AIAnalysis ai-rr'],
  },
  {
    name: 'Analyzing without a child: what it is made from',
    status: analyzing,
    objects: [aProcessing()],
    asked: ['cache AIAnalysis ai-rr', 'cache SignalProcessing sp-rr'],
  },
  {
    name: 'Analyzing without a child, enrichment not in the cache: the server is read before it counts as lost',
    status: analyzing,
    asked: ['cache AIAnalysis ai-rr', 'cache SignalProcessing sp-rr', 'server SignalProcessing sp-rr'],
  },
  {
    name: 'Analyzing, at work: no more than that',
    status: analyzing,
    objects: [anAnalysis({ phase: 'Investigating' })],
    asked: ['cache AIAnalysis ai-rr'],
  },
  {
    name: 'Analyzing, done: the target from the server, and all that stands between the plan and its run',
    status: analyzing,
    objects: [anAnalysis(), aDeployment()],
    asked: [
      'cache AIAnalysis ai-rr',
      'cache RemediationApprovalRequest rar-rr',
      'server Deployment checkout',
      'cache WorkflowExecution we-rr',
      'cache RemediationWorkflow rollback-deployment',
      'cache Namespace shop',
      ...scope,
    ],
  },
  {
    name: 'Analyzing for the second time: the second analysis',
    status: { ...analyzing, analysisAttempt: 2 },
    objects: [anAnalysis({ phase: 'Investigating' }, { name: 'ai-rr-2' })],
    asked: ['cache AIAnalysis ai-rr-2'],
  },
  {
    name: 'AwaitingApproval, undecided: the question and its message',
    status: awaiting,
    objects: [anAnalysis(), anApproval()],
    asked: [
      'cache RemediationApprovalRequest rar-rr',
      'cache RemediationApprovalRequest rar-rr',
      'cache AIAnalysis ai-rr',
      'cache NotificationRequest nr-approval-rr',
    ],
  },
  {
    name: 'AwaitingApproval, at the limit: the server is asked before silence is taken for an answer',
    status: awaiting,
    objects: [anAnalysis(), anApproval()],
    atMs: 15 * MINUTE,
    asked: [
      'cache RemediationApprovalRequest rar-rr',
      'cache RemediationApprovalRequest rar-rr',
      'server RemediationApprovalRequest rar-rr',
      'cache AIAnalysis ai-rr',
      'cache NotificationRequest nr-approval-rr',
    ],
  },
  { name: 'Executing: its child', status: executing, objects: [anExecution()], asked: ['cache WorkflowExecution we-rr'] },
  {
    name: 'Executing, the recorded run not in the cache: the server is read before it counts as lost',
    status: executing,
    asked: ['cache WorkflowExecution we-rr', 'server WorkflowExecution we-rr'],
  },
  {
    name: 'Executing, done, without an assessment: the spec as the workflow left it',
    status: executing,
    objects: [anExecution({ phase: 'Completed' }), aDeployment()],
    asked: ['cache WorkflowExecution we-rr', 'cache EffectivenessAssessment ea-rr', 'cache AIAnalysis ai-rr', 'server Deployment checkout'],
  },
  {
    name: 'Verifying: its child, and the words of the run',
    status: verifying,
    objects: [anAssessment(), anExecution()],
    asked: ['cache EffectivenessAssessment ea-rr', 'cache WorkflowExecution we-rr'],
  },
  {
    name: 'Verifying, at the deadline: the server is asked before it is given up',
    status: verifying,
    objects: [anAssessment()],
    atMs: 30 * MINUTE,
    asked: ['cache EffectivenessAssessment ea-rr', 'server EffectivenessAssessment ea-rr', 'cache WorkflowExecution we-rr'],
  },
  {
    name: 'Verifying, the recorded assessment not in the cache: the server is read before it counts as lost',
    status: verifying,
    asked: ['cache EffectivenessAssessment ea-rr', 'server EffectivenessAssessment ea-rr', 'cache WorkflowExecution we-rr'],
  },
  {
    name: 'Blocked: what the block is about',
    status: { ...pending, overallPhase: 'Blocked', blockReason: 'UnmanagedResource' },
    asked: ['cache AIAnalysis ai-rr', 'cache NotificationRequest nr-block-unmanagedresource-rr', ...scope],
  },
  {
    name: 'Failed: the message, and the approval request that is to be closed',
    status: { overallPhase: 'Failed' },
    asked: [
      'cache WorkflowExecution we-rr',
      'cache AIAnalysis ai-rr',
      'cache NotificationRequest nr-escalation-rr',
      'cache RemediationApprovalRequest rar-rr',
    ],
  },
];

describe('observe', () => {
  test.each(cases)('$name', async ({ status, objects = [], atMs = 0, asked: want }) => {
    const { reader, asked } = reading(aRequest(status), ...objects);
    const seen = await observe(KEY, reader, at(atMs), AROUND);
    expect(seen?.object).toEqual(aRequest(status));
    expect(asked.slice(1)).toEqual(want);
  });

  test('history is found by an index, never by a scan', async () => {
    const { reader, listed } = reading(aRequest(analyzing), anAnalysis(), aDeployment());
    await observe(KEY, reader, at(0), AROUND);
    expect(new Set(listed)).toEqual(
      new Set(['RemediationRequest by fingerprint', 'WorkflowExecution by target', 'RemediationRequest by remediated']),
    );
  });

  test('a request that is gone is gone', async () => expect(await observe(KEY, reading().reader, at(0), AROUND)).toBeUndefined());

  test('what was not read is neither absent nor unreadable', async () => {
    const seen = await observe(KEY, reading(aRequest(executing), anExecution()).reader, at(0), AROUND);
    expect(seen).toMatchObject({ processing: NOT_READ, assessment: NOT_READ, target: NOT_READ });
  });

  test('a target of a kind that we do not know is unreadable, never absent', async () => {
    const rollout = { ...TARGET, kind: 'Rollout' };
    const plan = anAnalysis({ rootCauseAnalysis: { summary: 's', signalType: 't', remediationTarget: rollout } });
    const seen = await observe(KEY, reading(aRequest(analyzing), plan).reader, at(0), AROUND);
    expect(seen?.target).toEqual({ kind: 'unreadable', reason: 'Rollout is not a kind that can be read' });
  });

  test('a child that cannot be read stays so, however late it is', async () => {
    const { reader } = reading(aRequest(processing));
    const deaf = { ...reader, get: (resource: Resource, key: ObjectKey) => (key.name === 'rr' ? reader.get(resource, key) : UNREADABLE) };
    const seen = await observe(KEY, deaf as Reader, at(60 * MINUTE), AROUND);
    expect(seen?.processing).toEqual(UNREADABLE);
  });
});

describe('Alertmanager', () => {
  const ended: RemediationStatus = { overallPhase: 'Failed', completedAt: toTime(at(-MINUTE)), nextAllowedExecution: toTime(at(0)) };
  const observed = async (now: Instant, alertmanager: object | undefined) => {
    const object = aRequest(ended);
    const { reader } = reading(object);
    const known = { ...reader, list: () => ({ kind: 'value', value: [object] }) } as unknown as Reader;
    return observe(KEY, known, now, { ...AROUND, ...(alertmanager && { alertmanager: alertmanager as never }) });
  };

  test('is asked by the names of the alerts once the wait of the request is over, and not before', async () => {
    const asked: object[] = [];
    const firing = (labels: object): Promise<unknown> => {
      asked.push(labels);
      return Promise.resolve({ kind: 'value', value: [] });
    };
    expect(await observed(at(-1_000), { firing })).not.toHaveProperty('firing');
    expect(asked).toEqual([]);
    expect(await observed(at(0), { firing })).toMatchObject({ firing: { kind: 'value', value: [] }, asksAlertmanager: true });
    expect(asked).toEqual([{ alertname: 'KubePodCrashLooping' }]);
  });

  test('that does not answer is unreadable, and not quiet', async () =>
    expect(await observed(at(0), { firing: () => Promise.resolve(UNREADABLE) })).toMatchObject({ firing: UNREADABLE }));

  test('that is not configured is not asked', async () => {
    const seen = await observed(at(0), undefined);
    expect(seen).toMatchObject({ asksAlertmanager: false });
    expect(seen).not.toHaveProperty('firing');
  });
});
