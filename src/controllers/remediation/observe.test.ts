import { describe, expect, test } from 'vitest';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { MINUTE } from '../../base/index.ts';
import type { Read, Reader } from '../../runtime/controller.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { observe } from './observe.ts';
import type { RemediationStatus } from './status.ts';
import {
  ABSENT,
  aDeployment,
  anAnalysis,
  analyzing,
  anAssessment,
  anExecution,
  aProcessing,
  aRequest,
  assessed,
  at,
  executing,
  pending,
  processing,
  running,
  SOMEBODY_ELSES,
  TARGET,
  UNREADABLE,
  value,
  verifying,
} from './testing/builders.ts';

/** A reader that has the objects, and writes down what was asked of cache and server. */
function reading(...objects: readonly KubeObject[]): { reader: Reader; asked: string[] } {
  const asked: string[] = [];
  const find = (how: string, { kind }: Resource, { name }: ObjectKey): Read<KubeObject> => {
    asked.push(`${how} ${kind} ${name}`);
    const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
    return found ? value(found) : ABSENT;
  };
  const reader = {
    get: (resource: Resource, key: ObjectKey) => find('cache', resource, key),
    fetch: (resource: Resource, key: ObjectKey) => Promise.resolve(find('server', resource, key)),
  } as unknown as Reader;
  return { reader, asked };
}

const KEY = { namespace: 'sickbay-system', name: 'rr' };

interface Case {
  readonly name: string;
  readonly status?: RemediationStatus;
  readonly objects?: readonly KubeObject[];
  readonly atMs?: number;
  readonly asked: readonly string[];
}

const cases: readonly Case[] = [
  { name: 'new: nothing else', asked: [] },
  { name: 'Pending: nothing else', status: pending, asked: [] },
  { name: 'Blocked: nothing else', status: { ...pending, overallPhase: 'Blocked' }, asked: [] },
  { name: 'Processing: its child', status: processing, objects: [aProcessing()], asked: ['cache SignalProcessing sp-rr'] },
  {
    name: 'Processing, at the limit: the server is asked before anybody calls it late',
    status: processing,
    objects: [aProcessing()],
    atMs: 5 * MINUTE,
    asked: ['cache SignalProcessing sp-rr', 'server SignalProcessing sp-rr'],
  },
  {
    name: 'Analyzing without a child: what it is made from',
    status: analyzing,
    objects: [aProcessing()],
    asked: ['cache AIAnalysis ai-rr', 'cache SignalProcessing sp-rr'],
  },
  {
    name: 'Analyzing without a child, enrichment not in the cache: the server is asked before it is called lost',
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
    name: 'Analyzing, done: the target, from the server',
    status: analyzing,
    objects: [anAnalysis(), aDeployment()],
    asked: ['cache AIAnalysis ai-rr', 'server Deployment checkout'],
  },
  {
    name: 'Executing without a child: the plan and the target',
    status: executing,
    objects: [anAnalysis(), aDeployment()],
    asked: ['cache WorkflowExecution we-rr', 'cache AIAnalysis ai-rr', 'server Deployment checkout'],
  },
  { name: 'Executing: its child', status: running, objects: [anExecution()], asked: ['cache WorkflowExecution we-rr'] },
  {
    name: 'Executing, the run on record not in the cache: the server is asked before it is called lost',
    status: running,
    asked: ['cache WorkflowExecution we-rr', 'server WorkflowExecution we-rr'],
  },
  {
    name: "Executing, somebody else's: the server is asked before it is refused",
    status: executing,
    objects: [anExecution({}, SOMEBODY_ELSES)],
    asked: ['cache WorkflowExecution we-rr', 'server WorkflowExecution we-rr'],
  },
  {
    name: 'Verifying without a child: the spec as the workflow left it',
    status: verifying,
    objects: [aDeployment()],
    asked: ['cache EffectivenessAssessment ea-rr', 'cache WorkflowExecution we-rr', 'server Deployment checkout'],
  },
  {
    name: 'Verifying: its child, and the words of the run',
    status: assessed,
    objects: [anAssessment(), anExecution()],
    asked: ['cache EffectivenessAssessment ea-rr', 'cache WorkflowExecution we-rr'],
  },
  {
    name: 'Verifying, at the deadline: the server is asked before it is given up',
    status: assessed,
    objects: [anAssessment()],
    atMs: 30 * MINUTE,
    asked: ['cache EffectivenessAssessment ea-rr', 'server EffectivenessAssessment ea-rr', 'cache WorkflowExecution we-rr'],
  },
  {
    name: 'Verifying, the assessment on record not in the cache: the server is asked before it is called lost',
    status: assessed,
    asked: ['cache EffectivenessAssessment ea-rr', 'server EffectivenessAssessment ea-rr', 'cache WorkflowExecution we-rr'],
  },
  { name: 'Failed: the message', status: { overallPhase: 'Failed' }, asked: ['cache NotificationRequest nr-escalation-rr'] },
];

describe('observe', () => {
  test.each(cases)('$name', async ({ status, objects = [], atMs = 0, asked: want }) => {
    const { reader, asked } = reading(aRequest(status), ...objects);
    const seen = await observe(KEY, reader, at(atMs), DEFAULT_SETTINGS);
    expect(seen?.object).toEqual(aRequest(status));
    expect(asked.slice(1)).toEqual(want);
  });

  test('a request that is gone is gone', async () => expect(await observe(KEY, reading().reader, at(0), DEFAULT_SETTINGS)).toBeUndefined());

  test('what was not looked at is not absent', async () => {
    const seen = await observe(KEY, reading(aRequest(pending)).reader, at(0), DEFAULT_SETTINGS);
    expect(seen).toMatchObject({ processing: { kind: 'unreadable' }, execution: { kind: 'unreadable' }, target: { kind: 'unreadable' } });
  });

  test('a target of a kind that we do not know is unreadable, never absent', async () => {
    const rollout = { ...TARGET, kind: 'Rollout' };
    const plan = anAnalysis({ rootCauseAnalysis: { summary: 's', signalType: 't', remediationTarget: rollout } });
    const seen = await observe(KEY, reading(aRequest(analyzing), plan).reader, at(0), DEFAULT_SETTINGS);
    expect(seen?.target).toEqual({ kind: 'unreadable', reason: 'Rollout is not a kind that can be read' });
  });

  test('a child that cannot be read stays so, however late it is', async () => {
    const { reader } = reading(aRequest(processing));
    const deaf = { ...reader, get: (resource: Resource, key: ObjectKey) => (key.name === 'rr' ? reader.get(resource, key) : UNREADABLE) };
    const seen = await observe(KEY, deaf as Reader, at(60 * MINUTE), DEFAULT_SETTINGS);
    expect(seen?.processing).toEqual(UNREADABLE);
  });
});
