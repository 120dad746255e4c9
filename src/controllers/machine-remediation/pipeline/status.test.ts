import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND, after } from '../../../base/index.ts';
import { updatePipeline, waitInDeletion, type PipelineStatus, type PipelineUpdate } from './status.ts';
import { aRequest, aSight, at, NOW } from './testing/builders.ts';

const said = (update: Partial<PipelineUpdate>, before?: PipelineStatus) =>
  updatePipeline(aSight({ object: aRequest(before) }), { reason: 'Word', message: 'a sentence', ...update }, NOW);

describe('where a PipelineRemediation stands', () => {
  test.each([
    { name: 'one that is at work', update: { phase: 'Requested' }, ready: 'True' },
    { name: 'one that is in trouble at work', update: { phase: 'Requested', isTrouble: true }, ready: 'False' },
    { name: 'one that waits', update: { phase: 'Pending' }, ready: 'False' },
    { name: 'one that failed', update: { phase: 'Failed', isTrouble: true }, ready: 'False' },
    { name: 'one that is being deleted', update: { phase: 'Ending' }, ready: 'False' },
  ] as const)('Ready of $name is $ready', ({ update, ready }) =>
    expect(said(update).status).toMatchObject({
      message: 'a sentence',
      conditions: [{ type: 'Ready', status: ready, reason: 'Word', message: 'a sentence' }],
    }),
  );

  test('stays where it is unless it is moved', () => {
    expect(said({}, { phase: 'Requested' }).status).toMatchObject({ phase: 'Requested', conditions: [{ status: 'True' }] });
    expect(said({ phase: 'Failed' }, { phase: 'Requested' }).status).toMatchObject({ phase: 'Failed' });
  });

  test.each([
    { isTrouble: true, type: 'Warning' },
    { isTrouble: false, type: 'Normal' },
  ])('a change is recorded as a $type Event, before any action', ({ isTrouble, type }) => {
    const effect = { kind: 'Event', type: 'Normal', reason: 'Other', message: 'done' } as const;
    expect(said({ isTrouble, effects: [effect] }).effects).toEqual([
      { kind: 'Event', type, reason: 'Word', message: 'a sentence' },
      effect,
    ]);
  });

  test('the same word is no news, whatever the sentence', () => {
    const conditions = [{ type: 'Ready', status: 'False', reason: 'Word', message: 'another', lastTransitionTime: at(-MINUTE) }] as const;
    expect(said({}, { phase: 'Pending', conditions }).effects).toEqual([]);
  });

  test('what is recorded in status stays there', () =>
    expect(said({ change: { outcome: 'DryRun' } }, { phase: 'Failed', nodeName: 'node-1', retryCount: 2 }).status).toMatchObject({
      phase: 'Failed',
      nodeName: 'node-1',
      retryCount: 2,
      outcome: 'DryRun',
      observedGeneration: 1,
    }));

  test.each([
    { until: undefined, looks: MINUTE },
    { until: after(NOW, SECOND), looks: SECOND },
    { until: after(NOW, 2 * MINUTE), looks: MINUTE },
  ])('one that waits until $until checks again after $looks ms', ({ until, looks }) =>
    expect(waitInDeletion(aSight(), 'it takes time', NOW, until === undefined ? {} : { until }).wakeAt).toBe(NOW + looks),
  );
});
