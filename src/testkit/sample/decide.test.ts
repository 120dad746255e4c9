import { describe, expect, test } from 'vitest';
import type { ConfigMap, Job } from '../../api/builtin/index.ts';
import { after, instant, MINUTE, SECOND, toTime } from '../../base/index.ts';
import type { Effect, Read } from '../../runtime/index.ts';
import { decide } from './decide.ts';
import { ERRAND_LABEL, type Errand } from './errand.ts';
import type { ErrandSeen } from './observe.ts';

const NOW = instant(1_794_711_600_000);
const ABSENT = { kind: 'absent' } as const;
const UNREADABLE = { kind: 'unreadable', reason: 'forbidden' } as const;

const anErrand = (status?: Errand['status']): Errand => ({
  apiVersion: 'test.sickbay.dev/v1',
  kind: 'Errand',
  metadata: { name: 'one', namespace: 'default', uid: 'errand-1', resourceVersion: '7', creationTimestamp: toTime(NOW) },
  spec: { target: 'plants' },
  ...(status && { status }),
});

function aRun(options: { uid?: string; owner?: string; held?: boolean; ended?: 'Complete' | 'Failed' } = {}): Read<Job> {
  const condition = options.ended && { type: options.ended, status: 'True' as const };
  return {
    kind: 'value',
    value: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name: 'run-plants',
        namespace: 'default',
        uid: options.uid ?? 'run-1',
        resourceVersion: '9',
        creationTimestamp: toTime(NOW),
        labels: { [ERRAND_LABEL]: options.owner ?? 'errand-1' },
      },
      spec: { suspend: options.held ?? false, template: { spec: { containers: [] } } },
      ...(condition && { status: { conditions: [condition] } }),
    },
  };
}

const aReport: Read<ConfigMap> = {
  kind: 'value',
  value: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'report-one', namespace: 'default', uid: 'report-1', resourceVersion: '9', creationTimestamp: toTime(NOW) },
  },
};

const running: Errand['status'] = { phase: 'Running', runUid: 'run-1', since: toTime(NOW) };
const effectText = (effect: Effect): string => ('resource' in effect ? `${effect.kind} ${effect.resource.kind}` : effect.kind);

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly seen: Partial<ErrandSeen>;
  readonly at?: number;
  readonly phase: string | undefined;
  readonly because?: string;
  readonly effects: readonly string[];
  readonly wakes: boolean;
}

const cases: readonly Case[] = [
  { name: 'new', reason: 'every errand starts in Pending', seen: { object: anErrand() }, phase: 'Pending', effects: [], wakes: true },
  {
    name: 'target free',
    reason: 'the run is created, held',
    seen: { object: anErrand({ phase: 'Pending' }) },
    phase: 'Pending',
    effects: ['Create Job'],
    wakes: true,
  },
  {
    name: 'run seen',
    reason: 'its UID is recorded before it is released',
    seen: { object: anErrand({ phase: 'Pending' }), run: aRun({ held: true }) },
    phase: 'Running',
    effects: ['Patch Job'],
    wakes: true,
  },
  {
    name: 'target taken',
    reason: 'errands to one target wait for each other',
    seen: { object: anErrand({ phase: 'Pending' }), run: aRun({ owner: 'errand-2', held: true }) },
    phase: 'Pending',
    effects: [],
    wakes: true,
  },
  {
    name: 'unreadable',
    reason: 'not known is not free',
    seen: { object: anErrand({ phase: 'Pending' }), run: UNREADABLE },
    phase: 'Pending',
    effects: [],
    wakes: true,
  },
  {
    name: 'crash before the release',
    reason: 'effects follow from what exists',
    seen: { object: anErrand(running), run: aRun({ held: true }) },
    phase: 'Running',
    effects: ['Patch Job'],
    wakes: true,
  },
  {
    name: 'running',
    reason: 'nothing to do but wait',
    seen: { object: anErrand(running), run: aRun() },
    phase: 'Running',
    effects: [],
    wakes: true,
  },
  {
    name: 'lost',
    reason: 'a recorded run that is gone is a failure, never a reason to run again',
    seen: { object: anErrand(running) },
    phase: 'Failed',
    because: 'RunLost',
    effects: [],
    wakes: true,
  },
  {
    name: 'replaced',
    reason: 'another run of the same name is not ours',
    seen: { object: anErrand(running), run: aRun({ uid: 'run-2' }) },
    phase: 'Failed',
    because: 'RunLost',
    effects: [],
    wakes: true,
  },
  {
    name: 'unreadable run',
    reason: 'not known is not gone, however late it is',
    seen: { object: anErrand(running), run: UNREADABLE },
    at: 60 * MINUTE,
    phase: 'Running',
    effects: [],
    wakes: true,
  },
  {
    name: 'complete',
    reason: 'the run went through',
    seen: { object: anErrand(running), run: aRun({ ended: 'Complete' }) },
    phase: 'Succeeded',
    effects: [],
    wakes: true,
  },
  {
    name: 'failed',
    reason: 'the run failed',
    seen: { object: anErrand(running), run: aRun({ ended: 'Failed' }) },
    phase: 'Failed',
    because: 'RunFailed',
    effects: [],
    wakes: true,
  },
  {
    name: 'too long',
    reason: 'ten minutes are over',
    seen: { object: anErrand(running), run: aRun() },
    at: 10 * MINUTE,
    phase: 'Failed',
    because: 'DeadlineExceeded',
    effects: [],
    wakes: true,
  },
  {
    name: 'one moment before',
    reason: 'the deadline has not come',
    seen: { object: anErrand(running), run: aRun() },
    at: 10 * MINUTE - 1,
    phase: 'Running',
    effects: [],
    wakes: true,
  },
  {
    name: 'done, late',
    reason: 'a run that went through in time is no failure',
    seen: { object: anErrand(running), run: aRun({ ended: 'Complete' }) },
    at: 60 * MINUTE,
    phase: 'Succeeded',
    effects: [],
    wakes: true,
  },
  {
    name: 'clearing up',
    reason: 'the target is freed and the report written',
    seen: { object: anErrand({ phase: 'Succeeded' }), run: aRun({ ended: 'Complete' }) },
    phase: 'Succeeded',
    effects: ['Delete Job', 'Create ConfigMap'],
    wakes: true,
  },
  {
    name: 'cleared up',
    reason: 'final: nothing to do and no reason to wake',
    seen: { object: anErrand({ phase: 'Succeeded' }), report: aReport },
    phase: 'Succeeded',
    effects: [],
    wakes: false,
  },
  {
    name: 'not ours to clear',
    reason: "another errand's run is left alone",
    seen: { object: anErrand({ phase: 'Failed' }), run: aRun({ owner: 'errand-2' }), report: aReport },
    phase: 'Failed',
    effects: [],
    wakes: false,
  },
];

describe('the sample decides', () => {
  test.each(cases)('$name: $reason', ({ seen, at = 0, phase, because, effects, wakes }) => {
    const decision = decide({ object: anErrand(), run: ABSENT, report: ABSENT, ...seen }, after(NOW, at));
    const status = decision.status as Errand['status'];
    expect({
      phase: status?.phase,
      because: status?.reason,
      effects: decision.effects.map(effectText),
      wakes: decision.wakeAt !== undefined,
    }).toEqual({
      phase,
      because,
      effects,
      wakes,
    });
    if (decision.wakeAt !== undefined) expect(decision.wakeAt).toBeGreaterThanOrEqual(after(NOW, at + SECOND));
  });

  test('the run is created held, and released by UID and version', () => {
    const [create] = decide({ object: anErrand({ phase: 'Pending' }), run: ABSENT, report: ABSENT }, NOW).effects;
    expect(create).toMatchObject({
      kind: 'Create',
      object: { metadata: { name: 'run-plants' }, spec: { suspend: true, backoffLimit: 0 } },
    });
    const [release] = decide({ object: anErrand({ phase: 'Pending' }), run: aRun({ held: true }), report: ABSENT }, NOW).effects;
    expect(release).toMatchObject({ kind: 'Patch', uid: 'run-1', resourceVersion: '9' });
  });
});
