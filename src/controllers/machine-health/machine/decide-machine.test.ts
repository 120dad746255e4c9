import { describe, expect, test } from 'vitest';
import type { Machine } from '../../../api/machine/machine.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { after, MINUTE } from '../../../base/index.ts';
import { decideMachine, type MachineObservation } from './decide-machine.ts';
import { ago, aMachine, NOW } from '../testing/a-machine.ts';
import type { HealthVerdict } from '../verdict/verdict.ts';

const HEALTHY: HealthVerdict = { kind: 'healthy' };
const WAITING: HealthVerdict = { kind: 'waiting', until: after(NOW, MINUTE) };
const UNJUDGED: HealthVerdict = { kind: 'unjudged', why: 'its Node cannot be read' };
const UNLIMITED: HealthVerdict = { kind: 'unjudged', why: 'it has no Node', isUnlimited: true };
const unhealthy = (message: string): HealthVerdict => ({ kind: 'unhealthy', fault: 'UnhealthyNode', messages: [message] });

const seen = (verdicts: readonly HealthVerdict[], object: Machine = aMachine(), annotationRemediates = false): MachineObservation => ({
  object,
  verdicts: verdicts.map((verdict, i) => ({ check: `check-${i}`, verdict })),
  annotationRemediates,
});

const said = (verdicts: readonly HealthVerdict[], object?: Machine) => {
  const { status } = decideMachine(seen(verdicts, object), NOW) as { status?: Machine['status'] };
  return status?.conditions?.find(({ type }) => type === 'HealthCheckSucceeded');
};

const marked = (status: 'True' | 'False'): Machine =>
  aMachine({ status: { conditions: [{ type: 'HealthCheckSucceeded', status, reason: 'Before', lastTransitionTime: ago(MINUTE) }] } });

const annotated = aMachine({ metadata: { annotations: { [ANNOTATIONS.remediateMachine]: '' } } });

describe('the health condition of a Machine', () => {
  test.each<{ title: string; verdicts: readonly HealthVerdict[]; want: 'True' | 'False' | undefined }>([
    { title: '[MH-071] [MH-075] True when its check is content', verdicts: [HEALTHY], want: 'True' },
    { title: '[MH-076] False when it fails', verdicts: [unhealthy('a')], want: 'False' },
    { title: '[MH-149] False when one of two fails', verdicts: [HEALTHY, unhealthy('a')], want: 'False' },
    { title: '[MH-149] the same in the other order', verdicts: [unhealthy('a'), HEALTHY], want: 'False' },
    { title: 'nothing while its time runs', verdicts: [WAITING], want: undefined },
    { title: 'nothing while one of two is content and the other waits', verdicts: [HEALTHY, WAITING], want: undefined },
    { title: 'nothing while it cannot be judged', verdicts: [UNJUDGED], want: undefined },
    { title: 'nothing without a check', verdicts: [], want: undefined },
  ])('$title', ({ verdicts, want }) => expect(said(verdicts)?.status).toBe(want));

  test.each([WAITING, UNJUDGED])('the condition stays while the verdict is $kind', (verdict) => {
    expect(said([verdict], marked('False'))).toMatchObject({ status: 'False', reason: 'Before' });
  });

  test.each<{ title: string; reason: string; verdicts: readonly HealthVerdict[]; stays: boolean }>([
    { title: 'no check limits that time any more', reason: 'NodeStartupTimeout', verdicts: [UNLIMITED], stays: false },
    {
      title: 'one check does not limit it, and another finds the Machine healthy',
      reason: 'NodeStartupTimeout',
      verdicts: [UNLIMITED, HEALTHY],
      stays: false,
    },
    { title: 'another check still limits it', reason: 'NodeStartupTimeout', verdicts: [UNLIMITED, WAITING], stays: true },
    { title: 'the health cannot be judged', reason: 'NodeStartupTimeout', verdicts: [UNJUDGED], stays: true },
    { title: 'it failed for another reason', reason: 'UnhealthyNode', verdicts: [UNLIMITED], stays: true },
  ])('the failure "no Node in time" stays unless no check limits that time: $title', ({ reason, verdicts, stays }) => {
    const failing = { type: 'HealthCheckSucceeded', status: 'False', reason, lastTransitionTime: ago(MINUTE) } as const;
    const asked = { type: 'OwnerRemediated', status: 'False', reason: 'WaitingForRemediation', lastTransitionTime: ago(MINUTE) } as const;
    const { status, wakeAt } = decideMachine(seen(verdicts, aMachine({ status: { conditions: [failing, asked] } })), NOW);
    const types = (status as Machine['status'])?.conditions?.map(({ type }) => type) ?? [];
    expect(types).toEqual(stays ? ['HealthCheckSucceeded', 'OwnerRemediated'] : []);
    expect(wakeAt).toBeDefined();
  });

  test('it turns True at the moment the Machine recovers', () => {
    expect(said([HEALTHY], marked('False'))).toMatchObject({ status: 'True', lastTransitionTime: ago(0) });
  });

  test('each problem is listed once', () => {
    expect(said([unhealthy('a'), unhealthy('b'), unhealthy('a')])?.message).toBe('a\nb');
  });

  test('in the old style too, with a severity', () => {
    const { status } = decideMachine(seen([unhealthy('a')]), NOW) as { status: NonNullable<Machine['status']> };
    expect(status.deprecated?.v1beta1?.conditions).toEqual([
      {
        type: 'HealthCheckSucceeded',
        status: 'False',
        severity: 'Warning',
        reason: 'UnhealthyNode',
        message: 'a',
        lastTransitionTime: ago(0),
      },
    ]);
  });
});

describe('the next check', () => {
  test.each<[string, readonly HealthVerdict[], number | undefined]>([
    ['at the end of the time that runs', [WAITING, HEALTHY], after(NOW, MINUTE)],
    ['soon, where it cannot be judged', [UNJUDGED], after(NOW, MINUTE)],
    ['none when all is said', [HEALTHY], undefined],
  ])('%s', (_, verdicts, want) => expect(decideMachine(seen(verdicts), NOW).wakeAt).toBe(want));

  test.each<[string, MachineObservation, number | undefined]>([
    ['soon, while its annotation is ignored: no event reports when that is switched on', seen([HEALTHY], annotated), after(NOW, MINUTE)],
    ['sooner, where its time runs out before', seen([{ kind: 'waiting', until: after(NOW, 1) }], annotated), after(NOW, 1)],
    [
      'soon, while the annotation has an effect: no event reports when that is switched off',
      seen([unhealthy('a')], annotated, true),
      after(NOW, MINUTE),
    ],
    ['none, without the annotation', seen([unhealthy('a')]), undefined],
  ])('%s', (_, observed, want) => expect(decideMachine(observed, NOW).wakeAt).toBe(want));
});

describe('events', () => {
  test('report once that a Machine fails, and which check found it', () => {
    const { effects, status } = decideMachine(seen([HEALTHY, unhealthy('a')]), NOW);
    expect(effects).toEqual([
      {
        kind: 'Event',
        type: 'Normal',
        reason: 'MachineMarkedUnhealthy',
        message: 'Machine machine-api/worker-0 has been marked as unhealthy by machine-api/check-1: a',
      },
    ]);
    const again = decideMachine(seen([HEALTHY, unhealthy('a')], aMachine({ status: status as Machine['status'] & {} })), NOW);
    expect(again.effects).toEqual([]);
  });

  test('[MH-154] say that the annotation has no effect, and where it is switched on', () => {
    const { effects } = decideMachine(seen([HEALTHY], annotated), NOW);
    expect(effects).toMatchObject([
      { reason: 'RemediateAnnotationIgnored', message: expect.stringContaining('machineHealth.allowRemediateAnnotation') as string },
    ]);
  });

  test.each([
    ['where it has one', seen([HEALTHY], annotated, true)],
    ['on a Machine that no check is about', seen([], annotated)],
  ])('do not report that %s', (_, observed) => expect(decideMachine(observed, NOW).effects).toEqual([]));
});

/** With what its owner was asked, or says of that. */
const asked = (reason: string, machine: Machine = marked('False')): Machine => {
  const owner = { type: 'OwnerRemediated', status: 'False' as const, reason, lastTransitionTime: ago(MINUTE) };
  const old = { v1beta1: { conditions: [{ ...owner, severity: 'Warning' as const }] } };
  return { ...machine, status: { conditions: [...(machine.status?.conditions ?? []), owner], deprecated: old } };
};

describe('the request to the owner', () => {
  test.each<{ readonly title: string; readonly machine: Machine; readonly verdict: HealthVerdict; readonly stays: boolean }>([
    {
      title: 'is withdrawn when the Machine fails again',
      machine: asked('WaitingForRemediation', marked('True')),
      verdict: unhealthy('a'),
      stays: false,
    },
    {
      title: 'is withdrawn when the Machine had no health condition before',
      machine: asked('WaitingForRemediation', aMachine()),
      verdict: unhealthy('a'),
      stays: false,
    },
    {
      title: 'is withdrawn although the owner deferred it',
      machine: asked('RemediationDeferred', marked('True')),
      verdict: unhealthy('a'),
      stays: false,
    },
    { title: 'stays once the owner has started', machine: asked('MachineDeleting', marked('True')), verdict: unhealthy('a'), stays: true },
    { title: 'stays while the Machine continues to fail', machine: asked('WaitingForRemediation'), verdict: unhealthy('a'), stays: true },
    {
      title: 'stays when the Machine fails for another reason',
      machine: asked('RemediationDeferred'),
      verdict: unhealthy('b'),
      stays: true,
    },
    { title: 'is for the owner to take off when it is well', machine: asked('RemediationDeferred'), verdict: HEALTHY, stays: true },
  ])('$title', ({ machine, verdict, stays }) => {
    const { status } = decideMachine(seen([verdict], machine), NOW) as { status: NonNullable<Machine['status']> };
    const isSaid = (conditions: readonly { readonly type: string }[] = []) => conditions.some(({ type }) => type === 'OwnerRemediated');
    expect([isSaid(status.conditions), isSaid(status.deprecated?.v1beta1?.conditions)]).toEqual([stays, stays]);
  });
});

describe('when no check selects the Machine any more', () => {
  const forgotten = (object: Machine) => decideMachine({ ...seen([], object), isNoLongerSelected: true }, NOW).status as Machine['status'];

  test.each(['WaitingForRemediation', 'RemediationDeferred', 'CannotBeRemediated'])(
    'the failure condition is cleared, with the request to the owner: %s',
    (reason) => {
      expect(forgotten(asked(reason))).toEqual({ conditions: [], deprecated: { v1beta1: { conditions: [] } } });
    },
  );

  test('a remediation that the owner has started stays', () => {
    expect(forgotten(asked('MachineDeleting'))?.conditions?.map(({ type }) => type)).toEqual(['OwnerRemediated']);
  });

  test('that it was well stays', () => expect(forgotten(marked('True'))).toBeUndefined());
});
