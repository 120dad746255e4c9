import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { anObject } from '../../testkit/fake-client.ts';
import type { Read, Reader } from './controller.ts';
import { readRun, twoStepStart, type SeenRun, type Start } from './two-step-start.ts';

const JOB: Resource = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true };
const KEY = { namespace: 'default', name: 'run' };

const absent: Read<SeenRun> = { kind: 'absent' };
const unreadable: Read<SeenRun> = { kind: 'unreadable', reason: '403' };
const run = (state: SeenRun['state'], more: Partial<SeenRun> = {}): Read<SeenRun> => ({
  kind: 'value',
  value: { uid: 'u1', state, ours: true, ...more },
});

describe('the two-step start', () => {
  const cases: readonly { recorded?: string; run: Read<SeenRun>; want: Start; reason: string }[] = [
    { run: absent, want: { kind: 'CreateHeld' }, reason: 'nothing was ever started' },
    { run: run('held'), want: { kind: 'RecordThenRelease', uid: 'u1' }, reason: 'created, and its UID is known now' },
    { run: run('running'), want: { kind: 'ReleasedUnrecorded', uid: 'u1', state: 'running' }, reason: 'another client released it' },
    { run: run('finished'), want: { kind: 'ReleasedUnrecorded', uid: 'u1', state: 'finished' }, reason: 'and it is over already' },
    { run: run('held', { ours: false }), want: { kind: 'Taken', uid: 'u1', state: 'held' }, reason: 'another’s run has the name' },
    { run: run('running', { ours: false }), want: { kind: 'Taken', uid: 'u1', state: 'running' }, reason: 'and it runs' },
    { run: run('finished', { ours: false }), want: { kind: 'Taken', uid: 'u1', state: 'finished' }, reason: 'and it is over' },
    { run: unreadable, want: { kind: 'Wait', reason: '403' }, reason: 'not being able to look is not absence' },
    { recorded: 'u1', run: absent, want: { kind: 'Lost', uid: 'u1' }, reason: 'once recorded, absence is failure' },
    { recorded: 'u1', run: run('held'), want: { kind: 'Release', uid: 'u1' }, reason: 'a crash came between record and release' },
    { recorded: 'u1', run: run('running'), want: { kind: 'Released', uid: 'u1', state: 'running' }, reason: 'under way' },
    { recorded: 'u1', run: run('finished'), want: { kind: 'Released', uid: 'u1', state: 'finished' }, reason: 'over' },
    { recorded: 'u1', run: unreadable, want: { kind: 'Wait', reason: '403' }, reason: 'not being able to look is not a loss' },
    {
      recorded: 'u0',
      run: run('held'),
      want: { kind: 'Lost', uid: 'u0' },
      reason: 'a suspended run of another UID is not the recorded one',
    },
    { recorded: 'u0', run: run('running'), want: { kind: 'Lost', uid: 'u0' }, reason: 'nor is a running one' },
    { recorded: 'u0', run: run('finished'), want: { kind: 'Lost', uid: 'u0' }, reason: 'nor is one that succeeded' },
    {
      recorded: 'u0',
      run: run('held', { ours: false }),
      want: { kind: 'Lost', uid: 'u0' },
      reason: 'another’s run does not bring ours back',
    },
    { recorded: '', run: absent, want: { kind: 'Lost', uid: '' }, reason: 'an empty record is a record: when in doubt, do not act' },
  ];
  test.each(cases)('recorded $recorded, run $run.kind: $reason', ({ recorded, run: seen, want }) => {
    expect(twoStepStart(recorded, seen)).toEqual(want);
  });

  test('with a record, no state of the run leads to a creation', () => {
    const states: readonly SeenRun['state'][] = ['held', 'running', 'finished'];
    const runs = [
      absent,
      unreadable,
      ...states.flatMap((state) => [true, false].flatMap((ours) => ['u1', 'u2'].map((uid) => run(state, { ours, uid })))),
    ];
    expect(runs.map((seen) => twoStepStart('u1', seen).kind)).not.toContain('CreateHeld');
  });

  test('only a suspended run is ever released', () => {
    for (const state of ['running', 'finished'] as const)
      for (const recorded of [undefined, 'u1', 'u2'])
        expect(twoStepStart(recorded, run(state)).kind).not.toMatch(/^(Release|RecordThenRelease)$/);
  });
});

describe('reading the run', () => {
  const job = (uid: string): KubeObject => anObject('Job', { metadata: { uid } });
  const value = (uid: string): Read<KubeObject> => ({ kind: 'value', value: job(uid) });
  const gone: Read<KubeObject> = { kind: 'absent' };
  const forbidden: Read<KubeObject> = { kind: 'unreadable', reason: '403' };

  const cases: readonly {
    recorded?: string;
    cached: Read<KubeObject>;
    server: Read<KubeObject>;
    want: Read<KubeObject>;
    asks: boolean;
    isLate?: boolean;
    reason: string;
  }[] = [
    {
      recorded: 'u1',
      cached: value('u1'),
      server: gone,
      want: gone,
      asks: true,
      isLate: true,
      reason: 'past its deadline the server has the last word',
    },
    { cached: gone, server: value('u1'), want: gone, asks: false, isLate: true, reason: 'nothing recorded: there is no deadline to miss' },
    { cached: gone, server: value('u1'), want: gone, asks: false, reason: 'nothing recorded: creating what exists is harmless' },
    { cached: value('u1'), server: gone, want: value('u1'), asks: false, reason: 'nothing recorded: the cache is enough' },
    { recorded: 'u1', cached: value('u1'), server: gone, want: value('u1'), asks: false, reason: 'the cache has the recorded one' },
    {
      recorded: 'u1',
      cached: gone,
      server: value('u1'),
      want: value('u1'),
      asks: true,
      reason: 'the cache knows the record but not the run yet',
    },
    { recorded: 'u1', cached: gone, server: gone, want: gone, asks: true, reason: 'the server says it is gone' },
    { recorded: 'u1', cached: gone, server: forbidden, want: forbidden, asks: true, reason: 'the server does not say' },
    {
      recorded: 'u1',
      cached: value('u0'),
      server: value('u1'),
      want: value('u1'),
      asks: true,
      reason: 'the cache still shows the one before',
    },
    {
      recorded: 'u1',
      cached: forbidden,
      server: value('u1'),
      want: forbidden,
      asks: false,
      reason: 'a kind that cannot be followed is unreadable',
    },
  ];
  test.each(cases)('$reason', async ({ recorded, cached, server, want, asks, isLate = false }) => {
    let asked = false;
    const reader = {
      get: () => cached,
      fetch: () => {
        asked = true;
        return Promise.resolve(server);
      },
    } as unknown as Reader;
    expect(await readRun(reader, { resource: JOB, key: KEY, recordedUid: recorded, isLate })).toEqual(want);
    expect(asked).toBe(asks);
  });
});
