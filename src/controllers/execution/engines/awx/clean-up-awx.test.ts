import { describe, expect, test } from 'vitest';
import { after, SECOND } from '../../../../base/index.ts';
import { ABSENT, found, NOW } from '../../testing/builders.ts';
import { cleanUpAwx } from './clean-up-awx.ts';
import type { AwxLeftovers, ObservedAwx } from './observed-awx.ts';
import { aCase, aJob, aPlaybook, made, stepsIn } from './testing/awx-case.ts';

const ended = (credentials: readonly number[] | undefined = [40]) =>
  aPlaybook({
    status: {
      phase: 'Failed',
      executionRef: { kind: 'AWXJob', name: 'awx-job-77', uid: '77' },
      ...(credentials && { ephemeralCredentialIDs: [...credentials] }),
    },
  });
const remains = (change: Partial<AwxLeftovers> = {}): AwxLeftovers => ({
  kind: 'remains',
  types: [],
  credentials: [],
  job: found(aJob({ status: 'failed' })),
  ...change,
});
const clear = (awx: ObservedAwx, object = ended()) => {
  const decision = cleanUpAwx(aCase(awx, object), NOW);
  return { ...decision, steps: stepsIn(decision?.effects ?? []) };
};

describe('an execution that is over', () => {
  const all = made();
  const [mark, ...others] = all.credentials;

  test('that never touched AWX has nothing to clear there', () =>
    expect(
      cleanUpAwx(aCase({ kind: 'unreadable', reason: 'x' }, aPlaybook({ isTouched: false, status: { phase: 'Failed' } })), NOW),
    ).toBeUndefined());

  test('[WE-099] loses its credentials at once, also those that are not recorded in status', () => {
    const { steps, wakeAt } = clear(remains(all));
    expect(steps).toEqual(others.map(({ id }) => ({ do: 'delete credential', id })));
    expect(wakeAt).toBe(after(NOW, SECOND));
  });

  test('the mark goes after the others', () =>
    expect(clear(remains({ ...all, credentials: mark ? [mark] : [] })).steps).toEqual([{ do: 'delete credential', id: mark?.id }]));

  test('the types after the credentials', () =>
    expect(clear(remains({ types: all.types })).steps).toEqual(all.types.map(({ id }) => ({ do: 'delete type', id }))));

  test('then the record, and then the finalizer', () => {
    const first = clear(remains());
    expect(first.effects).toEqual([]);
    expect(first.status).not.toHaveProperty('ephemeralCredentialIDs');
    const second = clear(remains(), aPlaybook({ status: { phase: 'Failed' } }));
    expect(second.effects).toMatchObject([{ kind: 'Patch', operations: [{ path: '/metadata/finalizers', value: [] }] }]);
  });

  test.each(['pending', 'waiting', 'running'])('[WE-100] a job that is %s is stopped, and its mark kept until it has', (status) => {
    const job = found(aJob({ status }));
    expect(clear(remains({ ...all, job })).steps).toEqual([
      { do: 'cancel', job: 77 },
      ...others.map(({ id }) => ({ do: 'delete credential', id })),
    ]);
    expect(clear(remains({ credentials: mark ? [mark] : [], types: all.types, job })).steps).toEqual([{ do: 'cancel', job: 77 }]);
  });

  test('a job that was found by its mark counts like one recorded in status', () => {
    const object = aPlaybook({ status: { phase: 'Failed', executionRef: { kind: 'AWXJob' } } });
    expect(clear(remains({ credentials: mark ? [mark] : [], job: found(aJob()) }), object).steps).toEqual([{ do: 'cancel', job: 77 }]);
    expect(clear(remains({ credentials: mark ? [mark] : [], job: ABSENT }), object).steps).toEqual([
      { do: 'delete credential', id: mark?.id },
    ]);
  });
});

describe('what cannot be cleared yet is told, and kept', () => {
  test.each<{ name: string; awx: ObservedAwx }>([
    { name: 'AWX does not answer', awx: { kind: 'unreadable', reason: 'AWX answered 500' } },
    { name: 'AWX refused', awx: remains({ types: made().types, trouble: { code: 'Conflict', message: 'AWX answered 409' } }) },
  ])('$name', ({ awx }) => {
    const { effects = [], wakeAt } = clear(awx);
    expect(effects.at(-1)).toMatchObject({
      kind: 'Event',
      type: 'Warning',
      reason: 'CleanupFailed',
      message: expect.stringMatching(/stays locked: AWX answered/) as string,
    });
    expect(effects.some(({ kind }) => kind === 'Patch')).toBe(false);
    expect(wakeAt).toBe(after(NOW, 10 * SECOND));
  });
});
