import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, SECOND, toTime } from '../../base/index.ts';
import type { SeenDependency } from './catalogue/index.ts';
import { decide } from './decide.ts';
import type { Everything } from './testing/builders.ts';
import type { ExecutionStatus } from './status/execution-status.ts';
import { aWorkflow } from './testing/a-workflow.ts';
import { aBudget, aLock, anExecution, found, listed, NOW, seenWith, UNREADABLE } from './testing/builders.ts';
import { judged } from './testing/decision-case.ts';
import { aFailedRun, aFailedStart } from './testing/finished-executions.ts';

/** What can keep an execution from starting, in the order in which it is told, and what becomes of it. */
const ORDER = {
  blocked: 'Skipped PreviousExecutionFailed',
  exhausted: 'Skipped ExhaustedRetries',
  invalid: 'Failed ConfigurationError',
  catalogueUnreadable: 'Pending WaitingForCatalogue',
  unknown: 'Failed ConfigurationError',
  badEngine: 'Failed ConfigurationError',
  resting: 'Pending CooldownActive',
  dependencyMissing: 'Failed ConfigurationError',
  dependencyUnreadable: 'Pending WaitingForDependencies',
  noRoom: 'Pending BudgetUnreadable',
} as const;
type Obstacle = keyof typeof ORDER;
const OBSTACLES = Object.keys(ORDER) as readonly Obstacle[];

/** Each failure tells its own reason. */
const SAYS: Partial<Record<Obstacle, string>> = {
  invalid: 'targetResource',
  unknown: 'not in the catalogue',
  badEngine: 'engine other',
  dependencyMissing: 'Secret kubernaut-workflows/gone',
};

const { executionEngine: _, ...open } = anExecution().spec.workflowRef;
const entry = aWorkflow({ execution: { engine: 'other' as 'job' } });
const holder = anExecution({
  uid: 'wfe-2',
  name: 'we-2',
  status: { phase: 'Completed', completionTime: toTime(after(NOW, -30 * SECOND)) },
});
const seenAs = (read: SeenDependency['read'], name: string): SeenDependency => ({ kind: 'Secret', name, read });

/** What of the observation each obstacle changes. */
function having(obstacles: readonly Obstacle[]): Partial<Everything> {
  const has = (obstacle: Obstacle): boolean => obstacles.includes(obstacle);
  const object = planned(has('invalid'), has('badEngine'));
  return {
    object,
    history: listed(...chosen(has('blocked'), aFailedRun()), ...chosen(has('exhausted'), aFailedStart(5))),
    catalogue: has('catalogueUnreadable') ? UNREADABLE : listed(...chosen(!has('unknown'), has('badEngine') ? entry : aWorkflow())),
    ...(has('resting') && { lock: found(aLock('wfe-2')), holder: found(holder) }),
    dependencies: listed(
      ...chosen(has('dependencyUnreadable'), seenAs(UNREADABLE, 'hidden')),
      ...chosen(has('dependencyMissing'), seenAs({ kind: 'absent' }, 'gone')),
    ),
    budget: has('noRoom') ? UNREADABLE : aBudget(object, { claimed: [object] }),
  };
}

const chosen = <T>(isChosen: boolean, one: T): readonly T[] => (isChosen ? [one] : []);

function planned(isInvalid: boolean, isOpen: boolean): WorkflowExecution {
  const { targetResource, workflowRef } = anExecution().spec;
  const spec = { targetResource: isInvalid ? 'checkout' : targetResource, workflowRef: isOpen ? open : workflowRef };
  return anExecution({ spec, status: { phase: 'Pending' } });
}

/** All ways to choose from a list. */
const subsets = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  list.reduce<readonly (readonly T[])[]>((chosen, one) => [...chosen, ...chosen.map((some) => [...some, one])], [[]]);

const outcome = (obstacles: readonly Obstacle[]) => {
  const { phase, because, effects } = judged({ seen: having(obstacles) });
  const { conditions } = decide(seenWith(having(obstacles)), NOW).status as ExecutionStatus;
  const message = conditions?.find(({ type }) => type === 'Ready')?.message ?? '';
  return { result: `${phase} ${because}`, created: effects.filter((effect) => effect.startsWith('Create')), message };
};

describe('an execution that cannot start', () => {
  test.each(OBSTACLES.map((obstacle) => ({ obstacle })))(
    '[WE-037] for one reason ($obstacle) tells it, and creates nothing',
    ({ obstacle }) => {
      expect(outcome([obstacle])).toMatchObject({ result: ORDER[obstacle], created: [] });
      expect(outcome([obstacle]).message).toContain(SAYS[obstacle] ?? '');
    },
  );

  test('[WE-021] [WE-029] proceeds from Pending to its run when no obstacle is left', () =>
    expect(outcome([])).toMatchObject({ result: 'Pending Pending', created: ['Create Job'] }));

  test.each<[string, Obstacle, Obstacle]>([
    ['[WE-034] validation comes before the cooldown', 'invalid', 'resting'],
    ['[WE-045] validation comes before the engine', 'invalid', 'unknown'],
    ['[WE-035] the engine comes before the cooldown', 'unknown', 'resting'],
    ['[WE-035] an engine that cannot be had comes before the cooldown', 'badEngine', 'resting'],
    ['[WE-036] the cooldown comes before the dependencies', 'resting', 'dependencyMissing'],
    ['a block comes before validation', 'blocked', 'invalid'],
    ['exhaustion comes before validation', 'exhausted', 'invalid'],
    ['a missing dependency comes before the budget', 'dependencyMissing', 'noRoom'],
  ])('%s', (_, first, second) => {
    expect(outcome([second])).toMatchObject({ result: ORDER[second] });
    expect(outcome([first, second])).toMatchObject({ result: ORDER[first], created: [] });
    expect(outcome([first, second]).message).toContain(SAYS[first] ?? '');
  });

  test('reports the first of several reasons, whichever they are', () => {
    for (const obstacles of subsets(OBSTACLES)) {
      const [first] = obstacles;
      if (first === undefined) continue;
      const told = outcome(obstacles);
      expect({ obstacles, ...told }).toMatchObject({ obstacles, result: ORDER[first], created: [] });
      expect({ obstacles, says: told.message.includes(SAYS[first] ?? '') }).toEqual({ obstacles, says: true });
    }
  });
});

describe('between cooldown and back-off', () => {
  const backingOff = (minutes: number) => aFailedStart(2, { nextAllowedExecution: toTime(after(NOW, minutes * MINUTE)) });
  test.each([
    { minutes: 1, because: 'RecentlyRemediated' },
    { minutes: 0.2, because: 'CooldownActive' },
  ])('the later end is reported: $because', ({ minutes, because }) =>
    expect(judged({ seen: { ...having(['resting', 'dependencyMissing']), history: listed(backingOff(minutes)) } })).toMatchObject({
      phase: 'Pending',
      because,
    }),
  );

  test('neither saves a plan that cannot be run', () =>
    expect(judged({ seen: { ...having(['unknown']), history: listed(backingOff(1)) } })).toMatchObject({ phase: 'Failed', acted: false }));
});
