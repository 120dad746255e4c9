import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anEvent } from '../testing/an-event.ts';
import { keysIn } from './audit-keys.ts';
import { checkpointLine, checkpointsIn } from './checkpoint.ts';
import { CHAIN_START, rowOf, sealed, type ChainEnd, type TrailRow } from './trail-row.ts';
import { verifyTrail } from './verify-trail.ts';

const keys = keysIn('a-key-of-this-test-0123456789abcdef\n', 'test');

function aTrail(length: number): readonly TrailRow[] {
  let end: ChainEnd = CHAIN_START;
  return Array.from({ length }, (_, i) => {
    const row = sealed(rowOf(anEvent(`e${i}`, { data: { n: i } })), end, { key: keys[0] });
    end = row;
    return row;
  });
}

const TRAIL = aTrail(20);

/** Every member of a row, and another value for it. */
const edits: readonly ((row: TrailRow) => TrailRow)[] = [
  (row) => ({ ...row, id: `${row.id}x` }),
  (row) => ({ ...row, type: 'orchestrator.approval.approved' }),
  (row) => ({ ...row, correlationId: 'rr' }),
  (row) => ({ ...row, at: '2026-03-02T10:00:06Z' }),
  (row) => ({ ...row, subject: { ...row.subject, kind: 'Pod' } }),
  (row) => ({ ...row, subject: { ...row.subject, namespace: '' } }),
  (row) => ({ ...row, subject: { ...row.subject, name: 'other' } }),
  (row) => ({ ...row, subject: { ...row.subject, uid: 'other' } }),
  // A value that moves from one member into the next.
  (row) => ({ ...row, subject: { ...row.subject, name: `${row.subject.name}${row.subject.uid}`, uid: '' } }),
  (row) => ({ ...row, data: `${row.data} ` }),
  (row) => ({ ...row, adopted: true }),
  (row) => ({ ...row, keyId: 'other' }),
  (row) => ({ ...row, hash: row.hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }),
];

test('a whole trail has no findings', () => {
  expect(verifyTrail(TRAIL, { keys, checkpoints: [] })).toMatchObject({ findings: [], events: 20, end: { sequence: 20 } });
  expect(verifyTrail([], { keys, checkpoints: [] })).toEqual({
    findings: [],
    events: 0,
    adopted: 0,
    end: undefined,
    checkpoint: undefined,
  });
});

test('every edit, deletion, exchange and copy of events is found', () => {
  const place = fc.nat({ max: TRAIL.length - 1 });
  const change = fc.oneof(
    fc.record({ at: place, edit: fc.constantFrom(...edits) }).map(({ at, edit }) => TRAIL.with(at, edit(TRAIL[at]!))),
    // Without the last ones: only a checkpoint knows of them.
    fc
      .record({ at: fc.nat({ max: TRAIL.length - 2 }), count: fc.integer({ min: 1, max: 5 }) })
      .map(({ at, count }) => TRAIL.toSpliced(Math.min(at, TRAIL.length - 1 - count), count)),
    fc.uniqueArray(place, { minLength: 2, maxLength: 2 }).map(([a = 0, b = 1]) => TRAIL.with(a, TRAIL[b]!).with(b, TRAIL[a]!)),
    fc
      .uniqueArray(place, { minLength: 2, maxLength: 2 })
      .map(([a = 0, b = 1]) => TRAIL.with(a, { ...TRAIL[b]!, sequence: TRAIL[a]!.sequence })),
    place.map((at) => TRAIL.toSpliced(at, 0, TRAIL[at]!)),
  );
  fc.assert(fc.property(change, (rows) => verifyTrail(rows, { keys, checkpoints: [] }).findings.length > 0));
});

test('after a finding the rest is still checked', () => {
  const rows = TRAIL.toSpliced(3, 1).with(10, { ...TRAIL[11]!, data: '{}' });
  expect(verifyTrail(rows, { keys, checkpoints: [] }).findings.map(({ message }) => message)).toEqual([
    'event 4 is missing: it was deleted',
    'event 12 does not fit its hash: it was changed, moved or replaced',
  ]);
});

describe('checkpoints', () => {
  const checkpoint = (sequence: number) => ({ sequence, hash: TRAIL[sequence - 1]!.hash, at: `2026-03-02T10:00:${sequence}Z` });

  test('the newest that fits is named', () => {
    const checkpoints = [checkpoint(12), checkpoint(15), checkpoint(13)];
    expect(verifyTrail(TRAIL, { keys, checkpoints }).checkpoint).toEqual(checkpoint(15));
  });

  test('one of several that does not fit is a finding', () => {
    const checkpoints = [checkpoint(12), { ...checkpoint(15), hash: checkpoint(12).hash }];
    expect(verifyTrail(TRAIL, { keys, checkpoints })).toMatchObject({
      findings: [{ kind: 'Rewritten', to: 15 }],
      checkpoint: checkpoint(12),
    });
  });

  test('are written one per line, and read back', () => {
    const text = [checkpoint(12), checkpoint(15)].map((each) => `${checkpointLine(each)}\n`).join('');
    expect(checkpointsIn(text, 'c.jsonl')).toEqual({ checkpoints: [checkpoint(12), checkpoint(15)], problems: [] });
  });

  test.for(['{', 'null', '[]', '{"at":"x","sequence":0,"hash":"y"}', '{"at":"x","sequence":1,"hash":"y"}'])('%s is refused', (line) => {
    const { checkpoints, problems } = checkpointsIn(`\n${line}\n`, 'c.jsonl');
    expect(checkpoints).toEqual([]);
    expect(problems).toEqual([expect.stringContaining('c.jsonl, line 2: it is no checkpoint')]);
  });
});
