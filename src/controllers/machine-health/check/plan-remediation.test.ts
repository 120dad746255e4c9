import { describe, expect, test } from 'vitest';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { NO_SAFEGUARDS, type Safeguards } from '../../../api/machine-health-check/safeguards.ts';
import { after, HOUR, MINUTE, SECOND } from '../../../base/index.ts';
import { coursesOf, type Courses } from './plan-remediation.ts';
import type { CheckSeen, TargetSeen } from './observe-check.ts';
import type { Released } from '../requests/observe-requests.ts';
import type { ReadCheck } from '../targets/parse-check.ts';
import { aCheck, ago, aHealthCheck, aMachine, aTarget, NOW } from '../testing/a-machine.ts';

const entryOf = (name: string) => ({ machine: name, uid: `uid of ${name}`, since: ago(5 * MINUTE) });

function target(name: string, status: 'True' | 'False', change: Partial<TargetSeen> & { readonly forMs?: number } = {}): TargetSeen {
  const { forMs = 10 * SECOND, ...rest } = change;
  const said = { type: 'HealthCheckSucceeded', status, reason: 'said', message: '', lastTransitionTime: ago(forMs) };
  const ownerReferences = [{ apiVersion: 'x', kind: 'MachineSet', name: 's', uid: 's' }];
  const machine = aMachine({ metadata: { name, uid: `uid of ${name}`, ownerReferences }, status: { conditions: [said] } });
  const verdict =
    status === 'True' ? ({ kind: 'healthy' } as const) : ({ kind: 'unhealthy', fault: 'UnhealthyNode', messages: [] } as const);
  return { target: aTarget({ machine }), verdict, others: [], ...rest };
}

interface Setting {
  readonly targets: readonly TargetSeen[];
  readonly safeguards?: Partial<Safeguards>;
  readonly status?: MachineHealthCheck['status'];
  readonly released?: readonly Released[];
  readonly isOpen?: boolean;
  readonly isStorm?: boolean;
  readonly deletedAt?: string;
}

function courses({ targets, safeguards, status, released, isOpen = true, isStorm = false, deletedAt }: Setting): Courses {
  const check = aCheck({ safeguards: { ...NO_SAFEGUARDS, ...safeguards } });
  const read = { kind: 'valid', check, name: 'example', namespace: 'machine-api' } as ReadCheck;
  const { metadata, ...rest } = aHealthCheck();
  const deletion = deletedAt === undefined ? {} : { deletionTimestamp: deletedAt };
  const object = { ...rest, metadata: { ...metadata, ...deletion }, ...(status && { status }) };
  const seen: CheckSeen & { readonly read: ReadCheck } = { object, read, pausedBy: [], targets, ...(released && { released }) };
  return coursesOf(seen, { isOpen, isStorm }, NOW);
}

const onRecord = ({ courses: all }: Courses): readonly string[] => all.flatMap(({ entry }) => entry?.machine ?? []);

const ILL = [
  target('a', 'False', { forMs: 10 * SECOND }),
  target('b', 'False', { forMs: 30 * SECOND }),
  target('c', 'False', { forMs: 20 * SECOND }),
];

const orphaned = target('orphan', 'False', { entry: entryOf('orphan') });
const { ownerReferences: _, ...ofNobody } = orphaned.target.machine.metadata;
const ORPHAN: TargetSeen = { ...orphaned, target: aTarget({ machine: { ...orphaned.target.machine, metadata: ofNobody } }) };

describe('those who begin', () => {
  test.each<{ readonly reason: string; readonly setting: Setting; readonly want: readonly string[]; readonly barrier?: string }>([
    { reason: 'all, those first that have failed for longest', setting: { targets: ILL }, want: ['b', 'c', 'a'] },
    { reason: 'none behind a closed gate', setting: { targets: ILL, isOpen: false }, want: [] },
    {
      reason: 'as many as may be under way',
      setting: { targets: ILL, safeguards: { maxInFlight: 2 } },
      want: ['b', 'c'],
      barrier: 'a',
    },
    {
      reason: 'fewer by those on record',
      setting: { targets: [target('z', 'False', { entry: entryOf('z') }), ...ILL], safeguards: { maxInFlight: 2 } },
      want: ['z', 'b'],
      barrier: 'c',
    },
    {
      reason: 'not fewer by one on record whom nobody could be asked to mend',
      setting: { targets: [ORPHAN, ...ILL], safeguards: { maxInFlight: 2 } },
      want: ['orphan', 'b', 'c'],
      barrier: 'a',
    },
    { reason: 'none where it only looks on', setting: { targets: ILL, safeguards: { observeOnly: true } }, want: [], barrier: 'b' },
    {
      reason: 'none while somebody asked for a pause',
      setting: { targets: ILL, safeguards: { pauseRequests: ['upgrade'] } },
      want: [],
      barrier: 'upgrade',
    },
    { reason: 'none once the check is deleted', setting: { targets: ILL, deletedAt: ago(MINUTE) }, want: [], barrier: ago(MINUTE) },
    {
      reason: 'none once it is deleted, but those on record stay',
      setting: { targets: [target('z', 'False', { entry: entryOf('z') }), ...ILL], deletedAt: ago(MINUTE) },
      want: ['z'],
      barrier: ago(MINUTE),
    },
    { reason: 'those who are well do not', setting: { targets: [target('w', 'True'), ...ILL] }, want: ['b', 'c', 'a'] },
  ])('$reason', ({ setting, want, barrier }) => {
    const plan = courses(setting);
    expect(onRecord(plan)).toEqual(want);
    expect(plan.barrier?.message ?? '').toContain(barrier ?? '');
    expect(plan.barrier === undefined).toBe(barrier === undefined);
    expect(plan.attempts).toBeUndefined();
    expect(plan.statements).toEqual([]);
    expect(plan.until).toEqual([]);
  });

  test('none after a storm until it has cooled down', () => {
    const stormy = courses({ targets: ILL, safeguards: { cooldownMs: HOUR }, isOpen: false, isStorm: true });
    expect(onRecord(stormy)).toEqual([]);
    const later = courses({ targets: ILL, safeguards: { cooldownMs: HOUR }, status: { storm: stormy.storm } as never });
    expect(onRecord(later)).toEqual([]);
    expect(later.barrier).toBeDefined();
    expect(later.until).toEqual([later.barrier?.until]);
  });
});

describe('those on record', () => {
  test('stay while the check is held, and nobody else begins', () => {
    const plan = courses({ targets: [target('a', 'False', { entry: entryOf('a') }), ILL[1]!], safeguards: { pauseRequests: ['upgrade'] } });
    expect(plan.courses).toEqual([{ entry: entryOf('a'), effects: [], wakeAt: after(NOW, MINUTE) }]);
  });

  test('stay for as long as a Machine has to be well', () => {
    const well = target('a', 'True', { entry: entryOf('a'), forMs: 10 * SECOND });
    const { courses: all } = courses({ targets: [well], safeguards: { healthyDelayMs: MINUTE } });
    expect(all).toEqual([{ entry: { ...entryOf('a'), healthySince: ago(10 * SECOND) }, effects: [], wakeAt: after(NOW, 50 * SECOND) }]);
    expect(onRecord(courses({ targets: [well], safeguards: { healthyDelayMs: 10 * SECOND } }))).toEqual([]);
  });

  test('say no more since when they were well once they fail again', () => {
    const again = target('a', 'False', { entry: { ...entryOf('a'), healthySince: ago(MINUTE) } });
    expect(courses({ targets: [again], isOpen: false }).courses[0]?.entry).toEqual(entryOf('a'));
  });

  test('are let go with a Machine that is gone', () => {
    expect(courses({ targets: [], released: [{ entry: entryOf('gone') }] }).courses).toEqual([{ effects: [] }]);
  });

  test('wait where it is not known how they are', () => {
    const unknown = target('a', 'False', { entry: entryOf('a'), verdict: { kind: 'unjudged', why: 'no word' } });
    expect(courses({ targets: [unknown] }).courses).toEqual([{ entry: entryOf('a'), effects: [], wakeAt: after(NOW, MINUTE) }]);
  });
});

describe('with a limit of attempts', () => {
  const attempts = { max: 1, forgottenAfterMs: HOUR };

  test('each that begins is counted, and who has used them up begins no more', () => {
    const first = courses({ targets: ILL.slice(0, 1), safeguards: { attempts } });
    expect(onRecord(first)).toEqual(['a']);
    expect(first.attempts).toMatchObject([{ machine: 'a' }]);
    expect(first.statements).toHaveLength(1);
    const second = courses({ targets: ILL, safeguards: { attempts }, status: { attempts: first.attempts } as never });
    expect(onRecord(second)).toEqual(['b', 'c']);
    expect(second.statements[0]?.message).toContain('a');
    expect(second.attempts?.map(({ machine }) => machine).toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('nobody is given up who is on record', () => {
    const first = courses({ targets: ILL.slice(0, 1), safeguards: { attempts } });
    const going = courses({
      targets: [target('a', 'False', { entry: entryOf('a') })],
      safeguards: { attempts },
      status: { attempts: first.attempts } as never,
    });
    expect(onRecord(going)).toEqual(['a']);
    expect(going.statements).toEqual(courses({ targets: [], safeguards: { attempts } }).statements);
  });
});
