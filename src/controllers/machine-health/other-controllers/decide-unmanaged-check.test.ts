import { describe, expect, test } from 'vitest';
import { after, MINUTE } from '../../../base/index.ts';
import { labelRequirements } from '../../../kube/selectors/index.ts';
import { decideObserved, TELL_OBSERVED } from './decide-unmanaged-check.ts';
import type { CheckSeen, TargetSeen } from '../check/observe-check.ts';
import { aCheck, aHealthCheck, aMachine, aTarget, NOW } from '../testing/a-machine.ts';
import type { Verdict } from '../verdict/verdict.ts';

const UNHEALTHY: Verdict = { kind: 'unhealthy', fault: 'UnhealthyNode', messages: ['Ready is Unknown'] };
const HEALTHY: Verdict = { kind: 'healthy' };
const WAITING: Verdict = { kind: 'waiting', until: after(NOW, MINUTE) };
const UNJUDGED: Verdict = { kind: 'unjudged', why: 'nobody knows' };

const targets = (...verdicts: readonly Verdict[]): readonly TargetSeen[] =>
  verdicts.map((verdict, i) => ({ target: aTarget({ machine: aMachine({ metadata: { name: `worker-${i}` } }) }), verdict, others: [] }));

const seen = (change: Partial<CheckSeen> = {}): CheckSeen => ({
  object: aHealthCheck(),
  read: {
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

describe('a check that is not ours', () => {
  test('is told of, with who fails and whether its gate is open', () => {
    expect(decideObserved(seen(), 'theirs', NOW)).toEqual({
      effects: [
        {
          kind: 'Call',
          run: TELL_OBSERVED,
          key: 'c-0',
          input: { check: 'machine-api/example', machines: 3, healthy: 2, unhealthy: ['worker-0'], remediationAllowed: true },
        },
      ],
    });
  });

  test.each<{ title: string; verdicts: readonly Verdict[]; told: object; wakeAt?: number }>([
    { title: 'too many that fail', verdicts: [UNHEALTHY, UNHEALTHY, HEALTHY], told: { healthy: 1, remediationAllowed: false } },
    { title: 'one whose time runs', verdicts: [WAITING, HEALTHY], told: { healthy: 1, unhealthy: [] }, wakeAt: after(NOW, MINUTE) },
    { title: 'one that cannot be judged', verdicts: [UNJUDGED], told: { healthy: 0, unhealthy: [] }, wakeAt: after(NOW, MINUTE / 2) },
    { title: 'none', verdicts: [], told: { machines: 0, healthy: 0, remediationAllowed: true } },
  ])('$title: looked at again when something may be different', ({ verdicts, told, wakeAt }) => {
    const decision = decideObserved(seen({ targets: targets(...verdicts) }), 'theirs', NOW);
    expect(decision.effects).toMatchObject([{ input: told }]);
    expect(decision.wakeAt).toBe(wakeAt);
  });

  test('no more than twenty are named', () => {
    const many = targets(...Array.from({ length: 30 }, () => UNHEALTHY));
    const [told] = decideObserved(seen({ targets: many }), 'theirs', NOW).effects;
    expect(told).toMatchObject({ input: { machines: 30, unhealthy: many.slice(0, 20).map(({ target }) => target.machine.metadata.name) } });
  });

  test.each<{ title: string; change: Partial<CheckSeen>; wakeAt?: number }>([
    { title: 'what we cannot read', change: { read: { kind: 'invalid', problems: [] } } },
    { title: 'what is paused', change: { pausedBy: ['somebody'] } },
    { title: 'whose Machines cannot be read', change: { blind: 'no answer' }, wakeAt: after(NOW, MINUTE / 2) },
  ])('nothing is told of $title', ({ change, wakeAt }) => {
    const decision = decideObserved(seen(change), 'theirs', NOW);
    expect(decision.effects).toEqual([]);
    expect(decision.status).toBeUndefined();
    expect(decision.wakeAt).toBe(wakeAt);
  });

  test.each<Partial<CheckSeen>>([{}, { blind: 'no answer' }, { read: { kind: 'invalid', problems: [] } }])(
    'one that is labelled for us while the other is not kept off is told what is missing (%#)',
    (change) => {
      const { effects } = decideObserved(seen(change), 'contested', NOW);
      expect(effects.at(-1)).toMatchObject({ kind: 'Event', type: 'Warning', reason: 'NotKeptOff' });
      expect(JSON.stringify(effects.at(-1))).toContain('set the annotation cluster.x-k8s.io/paused');
    },
  );
});
