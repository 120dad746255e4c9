import { describe, expect, test } from 'vitest';
import type { Namespace } from '../../api/builtin/index.ts';
import { mayMove } from '../../api/phases.ts';
import { signalProcessingPhases, type SignalProcessingPhase } from '../../api/signal-processing/phases.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { after, MINUTE, parseTime, SECOND, toTime } from '../../base/index.ts';
import { anObject } from '../../testkit/fake-client.ts';
import { decide } from './decide.ts';
import { NOT_READ } from '../../kube/client/read.ts';
import type { TargetContext } from './read-target-context.ts';
import { aSignalProcessing, NOW, TIMES_OUT_AT, type Options } from './testing/a-signal-processing.ts';

type Status = NonNullable<SignalProcessing['status']>;

const DEADLINE = parseTime(TIMES_OUT_AT)!;
const labelled = anObject<Namespace>('Namespace', { metadata: { name: 'shop', labels: { 'kubernaut.ai/environment': 'staging' } } });
const READ: TargetContext = { kind: 'read', target: anObject('Deployment'), owners: [], namespace: labelled };
const GONE: TargetContext = { kind: 'read', target: undefined, owners: [], namespace: undefined };
const UNREADABLE: TargetContext = { kind: 'unreadable', reason: 'reading Deployment shop/checkout: forbidden' };
const LATER = toTime(after(NOW, 30 * SECOND));

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly phase: SignalProcessingPhase | undefined;
  readonly more?: Status;
  readonly context?: TargetContext;
  readonly at?: typeof NOW;
  readonly options?: Options;
  readonly to: SignalProcessingPhase | undefined;
  readonly wakesAt?: string;
}

const cases: readonly Case[] = [
  { name: 'new', reason: 'the table begins there', phase: undefined, to: 'Pending', wakesAt: LATER },
  {
    name: 'new, too late',
    reason: 'every life begins with its first phase',
    phase: undefined,
    at: DEADLINE,
    to: 'Pending',
    wakesAt: TIMES_OUT_AT,
  },
  { name: 'waiting', reason: 'nothing to wait for', phase: 'Pending', to: 'Enriching', wakesAt: LATER },
  { name: 'waiting, too late', reason: 'the time is over', phase: 'Pending', at: DEADLINE, to: 'Failed' },
  { name: 'target read', reason: 'all is known', phase: 'Enriching', context: READ, to: 'Classifying', wakesAt: LATER },
  { name: 'target gone', reason: 'the signal speaks for it', phase: 'Enriching', context: GONE, to: 'Classifying', wakesAt: LATER },
  { name: 'unreadable', reason: 'not known is not gone', phase: 'Enriching', context: UNREADABLE, to: 'Enriching', wakesAt: LATER },
  {
    name: 'unreadable again',
    reason: 'waits twice as long',
    phase: 'Enriching',
    more: { consecutiveFailures: 1, lastFailureTime: toTime(after(NOW, -30 * SECOND)) },
    context: UNREADABLE,
    to: 'Enriching',
    wakesAt: toTime(after(NOW, MINUTE)),
  },
  {
    name: 'unreadable for long',
    reason: 'the deadline comes before the next attempt',
    phase: 'Enriching',
    more: { consecutiveFailures: 9, lastFailureTime: toTime(after(NOW, -5 * MINUTE)) },
    at: after(NOW, MINUTE),
    context: UNREADABLE,
    to: 'Enriching',
    wakesAt: TIMES_OUT_AT,
  },
  {
    name: 'not time to read again',
    reason: 'the wake-up stays where it was',
    phase: 'Enriching',
    more: { consecutiveFailures: 2, lastFailureTime: toTime(after(NOW, -10 * SECOND)) },
    to: 'Enriching',
    wakesAt: toTime(after(NOW, 50 * SECOND)),
  },
  { name: 'not read for no reason', reason: 'looks again', phase: 'Enriching', to: 'Enriching', wakesAt: LATER },
  { name: 'unreadable, too late', reason: 'the time is over', phase: 'Enriching', context: UNREADABLE, at: DEADLINE, to: 'Failed' },
  {
    name: 'unreadable without a limit',
    reason: 'then it waits for ever',
    phase: 'Enriching',
    options: { timesOutAt: undefined },
    context: UNREADABLE,
    at: after(DEADLINE, MINUTE),
    to: 'Enriching',
    wakesAt: toTime(after(DEADLINE, 90 * SECOND)),
  },
  { name: 'enriched', reason: 'all that is needed is on the status', phase: 'Classifying', to: 'Categorizing', wakesAt: LATER },
  { name: 'enriched, too late', reason: 'the time is over', phase: 'Classifying', at: DEADLINE, to: 'Failed' },
  { name: 'classified', reason: 'all that is needed is on the status', phase: 'Categorizing', to: 'Completed' },
  { name: 'classified, too late', reason: 'the time is over', phase: 'Categorizing', at: DEADLINE, to: 'Failed' },
  { name: 'done', reason: 'terminal is terminal', phase: 'Completed', at: DEADLINE, to: undefined },
  { name: 'failed', reason: 'terminal is terminal', phase: 'Failed', at: DEADLINE, to: undefined },
];

const run = ({ phase, more, context, at = NOW, options }: Omit<Case, 'name' | 'reason' | 'to'>) => {
  const object = aSignalProcessing({ ...options, ...(phase && { status: { phase, ...more } }) });
  const decision = decide({ object, context: context ?? NOT_READ }, at);
  return { decision, status: decision.status as Status | undefined };
};

describe('decide', () => {
  test.each(cases)('$name: $reason', ({ to, wakesAt, ...rest }) => {
    const { decision, status } = run(rest);
    expect(status?.phase).toBe(to);
    expect(decision.effects).toEqual([]);
    expect(decision.wakeAt === undefined ? undefined : toTime(decision.wakeAt)).toBe(wakesAt);
    if (rest.phase && to && to !== rest.phase) expect(mayMove(signalProcessingPhases, rest.phase, to)).toBe(true);
  });

  test('what could not be read is said, and counted', () => {
    const { status } = run({ phase: 'Enriching', context: UNREADABLE, more: { consecutiveFailures: 1 } });
    expect(status).toMatchObject({
      error: 'reading Deployment shop/checkout: forbidden',
      consecutiveFailures: 2,
      lastFailureTime: toTime(NOW),
      conditions: [{ type: 'EnrichmentComplete', status: 'False', reason: 'Unreadable' }],
    });
  });

  test('a problem that was overcome is no longer shown', () => {
    const { status } = run({ phase: 'Enriching', context: READ, more: { error: 'forbidden', consecutiveFailures: 3 } });
    expect(status).not.toHaveProperty('error');
    expect(status?.consecutiveFailures).toBe(0);
  });

  test('[CO-041] a failure says what the last problem was, and what to do', () => {
    const { status } = run({ phase: 'Enriching', at: DEADLINE, more: { error: 'reading Deployment shop/checkout: forbidden' } });
    expect(status?.error).toBe(
      `shop/Deployment/checkout was not enriched and classified by ${TIMES_OUT_AT}; last problem: reading Deployment shop/checkout: forbidden. ` +
        'Check that the API server answers and that Sickbay may read the kinds named here; the next alert starts a new remediation.',
    );
    expect(status?.conditions).toMatchObject([
      { type: 'Ready', status: 'False', reason: 'Failed', message: status?.error },
      { type: 'ProcessingComplete', status: 'False' },
    ]);
  });

  test('what is degraded is said so', () =>
    expect(run({ phase: 'Enriching', context: GONE }).status).toMatchObject({
      kubernetesContext: { degradedMode: true },
      conditions: [{ type: 'Ready' }, { type: 'EnrichmentComplete', status: 'True', reason: 'Degraded' }],
    }));

  test('[CO-037, CO-038, CO-039] classification names environment, severity and priority, and what told us', () => {
    const kubernetesContext = { namespace: { name: 'shop', labels: { 'kubernaut.ai/environment': 'production' } } };
    expect(run({ phase: 'Classifying', more: { kubernetesContext } }).status).toMatchObject({
      environmentClassification: { environment: 'Production', source: 'namespace-labels', classifiedAt: toTime(NOW) },
      severity: 'critical',
      priorityAssignment: { priority: 'P0', source: 'built-in', policyName: 'production-critical', assignedAt: toTime(NOW) },
      signalMode: 'reactive',
      signalName: 'KubePodCrashLooping',
      sourceSignalName: 'KubePodCrashLooping',
    });
  });

  test('[CO-037] where the environment of a Node is unknown, the condition says what to label (ruling 130)', () => {
    const kubernetesContext = { workload: { kind: 'Node', name: 'n' }, podNamespaces: [{ name: 'shop' }] };
    expect(run({ phase: 'Classifying', more: { kubernetesContext } }).status?.conditions).toMatchObject([
      { type: 'Ready' },
      {
        type: 'ClassificationComplete',
        message: 'Unknown, critical, P3; label Node n with kubernaut.ai/environment, or the namespaces with pods there: shop',
      },
    ]);
  });

  test('at the end all conditions hold', () => {
    const { status } = run({ phase: 'Categorizing', more: { severity: 'high' } });
    expect(status).toMatchObject({ businessClassification: { criticality: 'Medium' }, completionTime: toTime(NOW), observedGeneration: 1 });
    expect(status?.conditions?.map(({ type, status: holds }) => `${type} ${holds}`)).toEqual([
      'Ready True',
      'CategorizationComplete True',
      'ProcessingComplete True',
    ]);
  });
});
