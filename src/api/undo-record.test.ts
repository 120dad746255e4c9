import { describe, expect, test } from 'vitest';
import type { KubeObject } from './meta.ts';
import { lastUndoRecord, undoRecordOn } from './undo-record.ts';

const on = (value?: string): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'checkout',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '2026-11-15T03:00:00Z',
    ...(value !== undefined && { annotations: { 'kubernaut.ai/undo': value } }),
  },
});
const scaled = {
  workflow: 'scale-replicas',
  execution: 'we-rr',
  did: 'scaled from 2 to 4 replicas',
  undo: { workflow: 'scale-replicas', parameters: { REPLICAS: '2' } },
};
const read = (record: unknown) => undoRecordOn(on(JSON.stringify(record)));

describe('the undo record of a change', () => {
  test('is read as the workflow wrote it', () => expect(read(scaled)).toEqual(scaled));

  test('may say why nothing undoes the change', () => {
    const undo = { none: 'the Deployment did not say which revision it was at' };
    expect(read({ ...scaled, undo })).toEqual({ ...scaled, undo });
  });

  test('may need no parameters', () =>
    expect(read({ ...scaled, undo: { workflow: 'uncordon-node', parameters: {} } })?.undo).toEqual({
      workflow: 'uncordon-node',
      parameters: {},
    }));

  test('keeps a parameter whose name every object inherits', () => {
    const parameters = JSON.parse('{"__proto__":"x"}') as object;
    const undo = read({ ...scaled, undo: { workflow: 'w', parameters } })?.undo;
    expect(undo && 'parameters' in undo && Object.keys(undo.parameters)).toEqual(['__proto__']);
  });

  test('of a run by hand names no execution, and counts as the last change only', () => {
    const { execution: _, ...byHand } = scaled;
    const object = on(JSON.stringify(byHand));
    expect(lastUndoRecord(object)).toEqual(byHand);
    expect(undoRecordOn(object)).toBeUndefined();
  });

  const unusable: readonly (readonly [string, string | undefined])[] = [
    ['nothing, since there is no annotation', undefined],
    ['an empty text', ''],
    ['no JSON', '{'],
    ['no object', '[]'],
    ['null', 'null'],
    ['no execution', JSON.stringify({ ...scaled, execution: undefined })],
    ['an execution without a name', JSON.stringify({ ...scaled, execution: '' })],
    ['no workflow', JSON.stringify({ ...scaled, workflow: 7 })],
    ['no description of the change', JSON.stringify({ ...scaled, did: null })],
    ['no way back', JSON.stringify({ ...scaled, undo: undefined })],
    ['a way back without a workflow', JSON.stringify({ ...scaled, undo: { parameters: {} } })],
    ['a way back without parameters', JSON.stringify({ ...scaled, undo: { workflow: 'w' } })],
    ['a parameter that is no text', JSON.stringify({ ...scaled, undo: { workflow: 'w', parameters: { REPLICAS: 2 } } })],
    ['a text that is too long to parse', JSON.stringify({ ...scaled, did: 'x'.repeat(4_096) })],
  ];
  test.each(unusable)('is absent where the annotation holds %s', (_, value) => expect(undoRecordOn(on(value))).toBeUndefined());
});
