import { describe, expect, test } from 'vitest';
import { ABSENT, aJob, found, NOW, UNREADABLE } from '../testing/builders.ts';
import { engineNamed, engineOf } from '../engines/index.ts';
import { lockedRun } from './locked-run.ts';

describe('a Job as a run', () => {
  test.each([
    { reason: 'held since it was created', job: aJob({ held: true }), want: 'held' },
    { reason: 'released', job: aJob(), want: 'running' },
    { reason: 'released, and held again: it may have acted', job: aJob({ held: true, generation: 3 }), want: 'running' },
    { reason: 'held, but on its way out', job: aJob({ held: true, deleted: true }), want: 'running' },
    { reason: 'over', job: aJob({ ended: { type: 'Failed' } }), want: 'finished' },
    { reason: 'over, and held', job: aJob({ held: true, ended: { type: 'Complete' } }), want: 'finished' },
  ])('$want: $reason', ({ job, want }) => expect(lockedRun(found(job), 'wfe-1')).toMatchObject({ value: { state: want } }));

  test.each([
    { of: 'wfe-1', want: { ours: true, execution: 'wfe-1' } },
    { of: 'wfe-2', want: { ours: false, execution: 'wfe-2' } },
    { of: '', want: { ours: false, execution: undefined } },
  ])('belongs to whom its mark says: $of', ({ of, want }) =>
    expect(lockedRun(found(aJob({ of })), 'wfe-1')).toMatchObject({ value: want }),
  );

  test('says when it ended, if it has', () => {
    expect(lockedRun(found(aJob({ ended: { type: 'Complete' } })), 'wfe-1')).toMatchObject({ value: { endedAt: NOW } });
    expect(lockedRun(found(aJob()), 'wfe-1')).toEqual(found({ uid: 'job-1', state: 'running', ours: true, execution: 'wfe-1' }));
  });

  test('is not made up where it cannot be seen', () => {
    expect(lockedRun(ABSENT, 'wfe-1')).toEqual(ABSENT);
    expect(lockedRun(UNREADABLE, 'wfe-1')).toEqual(UNREADABLE);
  });
});

describe('the engine of a run', () => {
  test('is known by its kind', () => {
    expect(engineOf(aJob()).name).toBe('job');
    expect(() => engineOf({ ...aJob(), kind: 'CronJob' })).toThrow('no engine runs a CronJob');
  });

  test('is found by the name that workflows use', () => {
    expect(engineNamed('job')?.resource.kind).toBe('Job');
    expect(engineNamed(undefined)).toBeUndefined();
  });
});
