import { describe, expect, test } from 'vitest';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { NO_SAFEGUARDS, type Safeguards } from '../../../api/machine-health-check/safeguards.ts';
import { after, HOUR, MINUTE, SECOND } from '../../../base/index.ts';
import { NOT_READ } from '../../../kube/client/read.ts';
import { planRemediation, type RemediationPlan } from './plan-remediation.ts';
import type { CheckObservation, TargetObservation } from './observe-check.ts';
import type { DeselectedMachine } from '../requests/observe-requests.ts';
import type { ParsedCheck } from '../targets/parse-check.ts';
import { aCheck, ago, aHealthCheck, aMachine, aTarget, NOW, UNREAD } from '../testing/a-machine.ts';

const entryOf = (name: string) => ({ machine: name, uid: `uid of ${name}`, since: ago(5 * MINUTE) });

function target(
  name: string,
  status: 'True' | 'False',
  change: Partial<TargetObservation> & { readonly forMs?: number } = {},
): TargetObservation {
  const { forMs = 10 * SECOND, ...rest } = change;
  const said = { type: 'HealthCheckSucceeded', status, reason: 'said', message: '', lastTransitionTime: ago(forMs) };
  const ownerReferences = [{ apiVersion: 'x', kind: 'MachineSet', name: 's', uid: 's' }];
  const machine = aMachine({ metadata: { name, uid: `uid of ${name}`, ownerReferences }, status: { conditions: [said] } });
  const verdict =
    status === 'True' ? ({ kind: 'healthy' } as const) : ({ kind: 'unhealthy', fault: 'UnhealthyNode', messages: [] } as const);
  return { target: aTarget({ machine }), verdict, others: [], ...UNREAD, ...rest };
}

interface Setting {
  readonly targets: readonly TargetObservation[];
  readonly safeguards?: Partial<Safeguards>;
  readonly status?: MachineHealthCheck['status'];
  readonly deselected?: readonly DeselectedMachine[];
  readonly isOpen?: boolean;
  readonly isStorm?: boolean;
  readonly deletedAt?: string;
}

function actions({ targets, safeguards, status, deselected, isOpen = true, isStorm = false, deletedAt }: Setting): RemediationPlan {
  const check = aCheck({ safeguards: { ...NO_SAFEGUARDS, ...safeguards } });
  const parsed = { kind: 'valid', check, name: 'example', namespace: 'machine-api' } as ParsedCheck;
  const { metadata, ...rest } = aHealthCheck();
  const deletion = deletedAt === undefined ? {} : { deletionTimestamp: deletedAt };
  const object = { ...rest, metadata: { ...metadata, ...deletion }, ...(status && { status }) };
  const seen: CheckObservation & { readonly parsed: ParsedCheck } = {
    object,
    parsed,
    pausedBy: [],
    targets,
    ...(deselected && { deselected }),
  };
  return planRemediation(seen, { isOpen, isStorm }, NOW);
}

const onRecord = ({ actions: all }: RemediationPlan): readonly string[] => all.flatMap(({ entry }) => entry?.machine ?? []);

const FAILING = [
  target('a', 'False', { forMs: 10 * SECOND }),
  target('b', 'False', { forMs: 30 * SECOND }),
  target('c', 'False', { forMs: 20 * SECOND }),
];

const orphaned = target('orphan', 'False', { entry: entryOf('orphan') });
const { ownerReferences: _, ...withoutOwner } = orphaned.target.machine.metadata;
const ORPHAN: TargetObservation = { ...orphaned, target: aTarget({ machine: { ...orphaned.target.machine, metadata: withoutOwner } }) };

describe('Machines whose remediation starts', () => {
  test.each<{ readonly reason: string; readonly setting: Setting; readonly want: readonly string[]; readonly block?: string }>([
    { reason: 'all, the longest failing first', setting: { targets: FAILING }, want: ['b', 'c', 'a'] },
    { reason: 'none behind a closed gate', setting: { targets: FAILING, isOpen: false }, want: [] },
    {
      reason: 'as many as may be under way',
      setting: { targets: FAILING, safeguards: { maxInFlight: 2 } },
      want: ['b', 'c'],
      block: 'a',
    },
    {
      reason: 'fewer by those recorded in status',
      setting: { targets: [target('z', 'False', { entry: entryOf('z') }), ...FAILING], safeguards: { maxInFlight: 2 } },
      want: ['z', 'b'],
      block: 'c',
    },
    {
      reason: 'not fewer by a recorded Machine for which no remediator could be asked',
      setting: { targets: [ORPHAN, ...FAILING], safeguards: { maxInFlight: 2 } },
      want: ['orphan', 'b', 'c'],
      block: 'a',
    },
    {
      reason: 'none where the check only observes',
      setting: { targets: FAILING, safeguards: { observeOnly: true } },
      want: [],
      block: 'b',
    },
    {
      reason: 'none while a pause is requested',
      setting: { targets: FAILING, safeguards: { pauseRequests: ['upgrade'] } },
      want: [],
      block: 'upgrade',
    },
    { reason: 'none once the check is deleted', setting: { targets: FAILING, deletedAt: ago(MINUTE) }, want: [], block: ago(MINUTE) },
    {
      reason: 'none once the check is deleted, but recorded Machines stay recorded',
      setting: { targets: [target('z', 'False', { entry: entryOf('z') }), ...FAILING], deletedAt: ago(MINUTE) },
      want: ['z'],
      block: ago(MINUTE),
    },
    { reason: 'healthy Machines do not start', setting: { targets: [target('w', 'True'), ...FAILING] }, want: ['b', 'c', 'a'] },
  ])('$reason', ({ setting, want, block }) => {
    const plan = actions(setting);
    expect(onRecord(plan)).toEqual(want);
    expect(plan.block?.message ?? '').toContain(block ?? '');
    expect(plan.block === undefined).toBe(block === undefined);
    expect(plan.attempts).toBeUndefined();
    expect(plan.conditions).toEqual([]);
    expect(plan.recheckAt).toEqual([]);
  });

  test('none after a storm until it has cooled down', () => {
    const stormy = actions({ targets: FAILING, safeguards: { cooldownMs: HOUR }, isOpen: false, isStorm: true });
    expect(onRecord(stormy)).toEqual([]);
    const later = actions({ targets: FAILING, safeguards: { cooldownMs: HOUR }, status: { storm: stormy.storm } as never });
    expect(onRecord(later)).toEqual([]);
    expect(later.block).toBeDefined();
    expect(later.recheckAt).toEqual([later.block?.until]);
  });
});

describe('recorded Machines', () => {
  test('stay while the check is paused, and no other remediation starts', () => {
    const plan = actions({
      targets: [target('a', 'False', { entry: entryOf('a') }), FAILING[1]!],
      safeguards: { pauseRequests: ['upgrade'] },
    });
    expect(plan.actions).toEqual([{ entry: entryOf('a'), effects: [], wakeAt: after(NOW, MINUTE) }]);
  });

  test('stay for as long as a Machine has to be well', () => {
    const well = target('a', 'True', { entry: entryOf('a'), forMs: 10 * SECOND });
    const { actions: all } = actions({ targets: [well], safeguards: { healthyDelayMs: MINUTE } });
    expect(all).toEqual([{ entry: { ...entryOf('a'), healthySince: ago(10 * SECOND) }, effects: [], wakeAt: after(NOW, 50 * SECOND) }]);
    expect(onRecord(actions({ targets: [well], safeguards: { healthyDelayMs: 10 * SECOND } }))).toEqual([]);
  });

  test('lose the time since which they were healthy once they fail again', () => {
    const again = target('a', 'False', { entry: { ...entryOf('a'), healthySince: ago(MINUTE) } });
    expect(actions({ targets: [again], isOpen: false }).actions[0]?.entry).toEqual(entryOf('a'));
  });

  test('are removed from status once the Machine is gone', () => {
    expect(actions({ targets: [], deselected: [{ entry: entryOf('gone'), request: NOT_READ }] }).actions).toEqual([{ effects: [] }]);
  });

  test('stay while their health is unknown', () => {
    const unknown = target('a', 'False', { entry: entryOf('a'), verdict: { kind: 'unjudged', why: 'no word' } });
    expect(actions({ targets: [unknown] }).actions).toEqual([{ entry: entryOf('a'), effects: [], wakeAt: after(NOW, MINUTE) }]);
  });
});

describe('with a limit of attempts', () => {
  const attempts = { max: 1, forgottenAfterMs: HOUR };

  test('each start is counted, and a Machine that has used up its attempts starts no more', () => {
    const first = actions({ targets: FAILING.slice(0, 1), safeguards: { attempts } });
    expect(onRecord(first)).toEqual(['a']);
    expect(first.attempts).toMatchObject([{ machine: 'a' }]);
    expect(first.conditions).toHaveLength(1);
    const second = actions({ targets: FAILING, safeguards: { attempts }, status: { attempts: first.attempts } as never });
    expect(onRecord(second)).toEqual(['b', 'c']);
    expect(second.conditions[0]?.message).toContain('a');
    expect(second.attempts?.map(({ machine }) => machine).toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('a recorded Machine is never given up', () => {
    const first = actions({ targets: FAILING.slice(0, 1), safeguards: { attempts } });
    const going = actions({
      targets: [target('a', 'False', { entry: entryOf('a') })],
      safeguards: { attempts },
      status: { attempts: first.attempts } as never,
    });
    expect(onRecord(going)).toEqual(['a']);
    expect(going.conditions).toEqual(actions({ targets: [], safeguards: { attempts } }).conditions);
  });
});
