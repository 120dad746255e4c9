import { describe, expect, test } from 'vitest';
import { after, MINUTE } from '../../../base/index.ts';
import { labelRequirements } from '../../../kube/selectors/index.ts';
import { decideUnmanagedCheck, LOG_UNMANAGED_CHECK } from './decide-unmanaged-check.ts';
import type { CheckObservation, TargetObservation } from '../check/observe-check.ts';
import { aCheck, aHealthCheck, aMachine, aTarget, NOW, UNREAD } from '../testing/a-machine.ts';
import type { HealthVerdict } from '../verdict/verdict.ts';

const UNHEALTHY: HealthVerdict = { kind: 'unhealthy', fault: 'UnhealthyNode', messages: ['Ready is Unknown'] };
const HEALTHY: HealthVerdict = { kind: 'healthy' };
const WAITING: HealthVerdict = { kind: 'waiting', until: after(NOW, MINUTE) };
const UNJUDGED: HealthVerdict = { kind: 'unjudged', why: 'nobody knows' };

const targets = (...verdicts: readonly HealthVerdict[]): readonly TargetObservation[] =>
  verdicts.map((verdict, i) => ({
    target: aTarget({ machine: aMachine({ metadata: { name: `worker-${i}` } }) }),
    verdict,
    others: [],
    ...UNREAD,
  }));

const seen = (change: Partial<CheckObservation> = {}): CheckObservation => ({
  object: aHealthCheck(),
  parsed: {
    kind: 'valid',
    check: aCheck(),
    namespace: 'machine-api',
    name: 'example',
    selects: labelRequirements({ matchLabels: { a: 'b' } }),
  },
  pausedBy: [],
  targets: targets(UNHEALTHY, HEALTHY, HEALTHY),
  ...change,
});

describe('a check that another controller manages', () => {
  test('is reported, with the failing Machines and whether its gate is open', () => {
    expect(decideUnmanagedCheck(seen(), 'theirs', NOW)).toEqual({
      effects: [
        {
          kind: 'Call',
          run: LOG_UNMANAGED_CHECK,
          key: 'c-0',
          input: { check: 'machine-api/example', machines: 3, healthy: 2, unhealthy: ['worker-0'], remediationAllowed: true },
        },
      ],
    });
  });

  test.each<{ title: string; verdicts: readonly HealthVerdict[]; told: object; wakeAt?: number }>([
    { title: 'too many that fail', verdicts: [UNHEALTHY, UNHEALTHY, HEALTHY], told: { healthy: 1, remediationAllowed: false } },
    { title: 'one whose time runs', verdicts: [WAITING, HEALTHY], told: { healthy: 1, unhealthy: [] }, wakeAt: after(NOW, MINUTE) },
    { title: 'one that cannot be judged', verdicts: [UNJUDGED], told: { healthy: 0, unhealthy: [] }, wakeAt: after(NOW, MINUTE / 2) },
    { title: 'none', verdicts: [], told: { machines: 0, healthy: 0, remediationAllowed: true } },
  ])('$title: looked at again when something may be different', ({ verdicts, told, wakeAt }) => {
    const decision = decideUnmanagedCheck(seen({ targets: targets(...verdicts) }), 'theirs', NOW);
    expect(decision.effects).toMatchObject([{ input: told }]);
    expect(decision.wakeAt).toBe(wakeAt);
  });

  test('no more than twenty are named', () => {
    const many = targets(...Array.from({ length: 30 }, () => UNHEALTHY));
    const [told] = decideUnmanagedCheck(seen({ targets: many }), 'theirs', NOW).effects;
    expect(told).toMatchObject({ input: { machines: 30, unhealthy: many.slice(0, 20).map(({ target }) => target.machine.metadata.name) } });
  });

  test.each<{ title: string; change: Partial<CheckObservation>; wakeAt?: number }>([
    { title: 'what we cannot read', change: { parsed: { kind: 'invalid', problems: [] } } },
    { title: 'what is paused', change: { pausedBy: ['somebody'] } },
    { title: 'whose Machines cannot be read', change: { targetsUnknown: 'no answer' }, wakeAt: after(NOW, MINUTE / 2) },
  ])('nothing is reported of $title', ({ change, wakeAt }) => {
    const decision = decideUnmanagedCheck(seen(change), 'theirs', NOW);
    expect(decision.effects).toEqual([]);
    expect(decision.status).toBeUndefined();
    expect(decision.wakeAt).toBe(wakeAt);
  });

  test.each<Partial<CheckObservation>>([{}, { targetsUnknown: 'no answer' }, { parsed: { kind: 'invalid', problems: [] } }])(
    'one that is labelled for us while the other is not kept off is told what is missing (%#)',
    (change) => {
      const { effects } = decideUnmanagedCheck(seen(change), 'contested', NOW);
      expect(effects.at(-1)).toMatchObject({ kind: 'Event', type: 'Warning', reason: 'NotKeptOff' });
      expect(JSON.stringify(effects.at(-1))).toContain('set the annotation cluster.x-k8s.io/paused');
    },
  );
});
