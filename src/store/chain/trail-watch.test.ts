import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HOUR, MINUTE, silent, type Clock } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { anEvent } from '../testing/an-event.ts';
import { keysIn } from './audit-keys.ts';
import type { ChainedTrail } from './chained-trail.ts';
import { checkpointFile, type CheckpointStore } from './checkpoint-file.ts';
import type { Checkpoint } from './checkpoint.ts';
import { CHAIN_START, rowOf, sealed, type TrailRow } from './trail-row.ts';
import { TrailWatch } from './trail-watch.ts';
import { verifyTrail } from './verify-trail.ts';

const keys = keysIn('a-key-of-this-test-0123456789abcdef\n', 'test');

/** A chained trail in memory, which may be tampered with. */
class FakeTrail implements ChainedTrail {
  rows: TrailRow[] = [];
  failure: Error | undefined;

  add(...ids: readonly string[]): void {
    for (const id of ids) this.rows.push(sealed(rowOf(anEvent(id)), this.rows.at(-1) ?? CHAIN_START, { key: keys[0] }));
  }

  end = () => (this.failure ? Promise.reject(this.failure) : Promise.resolve(this.rows.at(-1) ?? CHAIN_START));
  verify: ChainedTrail['verify'] = (checkpoints) =>
    this.failure ? Promise.reject(this.failure) : Promise.resolve(verifyTrail(this.rows, { keys, checkpoints }));
}

/** Checkpoints in memory. */
function keptIn(kept: Checkpoint[]): CheckpointStore {
  return {
    read: () => Promise.resolve({ checkpoints: [...kept], problems: [] }),
    write: (checkpoint) => Promise.resolve(void kept.push(checkpoint)),
  };
}

interface Stage {
  readonly trail: FakeTrail;
  readonly clock: ManualClock;
  readonly watch: TrailWatch;
  readonly kept: Checkpoint[];
}

function aStage(checkpoints?: CheckpointStore): Stage {
  const clock = new ManualClock(0);
  const trail = new FakeTrail();
  const kept: Checkpoint[] = [];
  const wall: Clock = clock;
  const watch = new TrailWatch({ trail, clock: wall, steady: clock, log: silent, checkpoints: checkpoints ?? keptIn(kept) });
  return { trail, clock, watch, kept };
}

/** Runs until the test is over. */
function start({ watch }: Stage): { stop(): Promise<void> } {
  const stop = new AbortController();
  const running = watch.run(stop.signal);
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  onTestFinished(end);
  return { stop: end };
}

describe('a trail that is watched', () => {
  test('is verified at the start and every hour', async () => {
    const stage = aStage();
    stage.trail.add('a', 'b');
    expect(stage.watch.state).toEqual({ state: 'Pending' });
    start(stage);
    await stage.clock.advance(0);
    expect(stage.watch.state).toMatchObject({ state: 'Verified', at: '1970-01-01T00:00:00Z', verification: { events: 2 } });
    stage.trail.rows[0] = { ...stage.trail.rows[0]!, data: '{}' };
    await stage.clock.advance(HOUR - MINUTE);
    expect(stage.watch.problem()).toBeUndefined();
    await stage.clock.advance(6 * MINUTE);
    expect(stage.watch.state.state).toBe('Broken');
    expect(stage.watch.problem()).toBe(
      'the audit trail was tampered with: event 1 does not fit its hash: it was changed, moved or replaced; "sickbay audit verify" lists what does not fit',
    );
  });

  test('has a checkpoint every five minutes in which events were recorded', async () => {
    const stage = aStage();
    start(stage);
    await stage.clock.advance(5 * MINUTE);
    expect(stage.kept).toEqual([]);
    stage.trail.add('a', 'b');
    await stage.clock.advance(20 * MINUTE);
    stage.trail.add('c');
    await stage.clock.advance(5 * MINUTE);
    expect(stage.kept).toEqual([
      { at: '1970-01-01T00:10:00Z', sequence: 2, hash: stage.trail.rows[1]!.hash },
      { at: '1970-01-01T00:30:00Z', sequence: 3, hash: stage.trail.rows[2]!.hash },
    ]);
  });

  test('whose end is cut while Sickbay runs is found by the checkpoint that it remembers', async () => {
    const stage = aStage();
    stage.trail.add('a', 'b', 'c');
    start(stage);
    await stage.clock.advance(5 * MINUTE);
    stage.kept.length = 0;
    stage.trail.rows.pop();
    await stage.clock.advance(HOUR);
    expect(stage.watch.state).toMatchObject({ state: 'Broken', verification: { findings: [{ kind: 'Truncated', from: 3, to: 3 }] } });
    expect(stage.kept).toEqual([]);
  });

  test('whose end is cut and grows again while Sickbay runs is found, too', async () => {
    const stage = aStage();
    stage.trail.add('a', 'b', 'c');
    start(stage);
    await stage.clock.advance(5 * MINUTE);
    stage.trail.rows.length = 1;
    stage.trail.add('x', 'y', 'z');
    await stage.clock.advance(5 * MINUTE);
    stage.kept.length = 0;
    await stage.clock.advance(HOUR);
    expect(stage.watch.state).toMatchObject({ state: 'Broken', verification: { findings: [{ kind: 'Rewritten', from: 1, to: 3 }] } });
  });

  test('whose verification takes long does not keep the process from stopping', async () => {
    const stage = aStage();
    stage.trail.verify = (_checkpoints, signal) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('told to stop'))));
    const { stop } = start(stage);
    await stage.clock.advance(MINUTE);
    await stop();
    expect(stage.watch.state.state).toBe('Pending');
  });

  test('that fits no kept checkpoint is found at the start, and its end is no new checkpoint', async () => {
    const stage = aStage();
    stage.trail.add('a', 'b', 'c');
    stage.kept.push({ at: '1969-12-31T23:00:00Z', sequence: 9, hash: 'f'.repeat(64) });
    start(stage);
    await stage.clock.advance(10 * MINUTE);
    expect(stage.watch.state).toMatchObject({ state: 'Broken', verification: { findings: [{ kind: 'Truncated', from: 4, to: 9 }] } });
    expect(stage.kept).toHaveLength(1);
  });

  test('that cannot be read is not taken for proved, and is once it can', async () => {
    const stage = aStage();
    stage.trail.failure = new Error('disk full');
    start(stage);
    await stage.clock.advance(0);
    expect(stage.watch.state).toMatchObject({ state: 'Unreadable', message: 'disk full' });
    expect(stage.watch.problem()).toBe('the audit trail could not be verified: disk full');
    stage.trail.failure = undefined;
    await stage.clock.advance(5 * MINUTE);
    expect(stage.watch).toMatchObject({ state: { state: 'Verified' } });
    expect(stage.watch.problem()).toBeUndefined();
  });
});

describe('a file of checkpoints', () => {
  const aFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'sickbay-checkpoints-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return folder;
  };
  const checkpoint: Checkpoint = { at: '2026-03-02T10:00:00Z', sequence: 7, hash: 'a'.repeat(64) };

  test('is made with the first one, and only grows', async () => {
    const path = join(aFolder(), 'checkpoints.jsonl');
    const store = checkpointFile(path);
    expect(await store.read()).toEqual({ checkpoints: [], problems: [] });
    await store.write(checkpoint);
    await store.write({ ...checkpoint, sequence: 8 });
    expect(await store.read()).toEqual({ checkpoints: [checkpoint, { ...checkpoint, sequence: 8 }], problems: [] });
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(3);
  });

  test('that cannot be written or read is named with the problem', async () => {
    const folder = aFolder();
    await expect(checkpointFile(folder).write(checkpoint)).rejects.toThrow(`writing a checkpoint to ${folder}: EISDIR`);
    await expect(checkpointFile(folder).read()).rejects.toThrow('EISDIR');
  });

  test('with half a line, as a full disk leaves it, keeps what is before and after', async () => {
    const path = join(aFolder(), 'checkpoints.jsonl');
    const store = checkpointFile(path);
    await store.write(checkpoint);
    appendFileSync(path, '{"at":"2026-03-02T10:05:00Z","sequ');
    await store.write({ ...checkpoint, sequence: 9 });
    const { checkpoints, problems } = await store.read();
    expect(checkpoints).toEqual([checkpoint, { ...checkpoint, sequence: 9 }]);
    expect(problems).toEqual([`${path}, line 2: it is no checkpoint, which is a JSON object with at, sequence and hash`]);
  });

  test('that is damaged is reported, and its other lines prove the end', async () => {
    const path = join(aFolder(), 'checkpoints.jsonl');
    writeFileSync(path, `half a li\n${JSON.stringify({ ...checkpoint, sequence: 3 })}\n`);
    const stage = aStage(checkpointFile(path));
    await stage.watch.verify();
    expect(stage.watch.state).toMatchObject({ state: 'Broken', verification: { findings: [{ kind: 'Truncated', from: 1, to: 3 }] } });
    writeFileSync(path, 'half a li\n');
    await stage.watch.verify();
    expect(stage.watch.state.state).toBe('Verified');
    expect(stage.watch.problem()).toContain('line 1: it is no checkpoint');
  });

  test('may hold very many', async () => {
    const stage = aStage({
      read: () => Promise.resolve({ checkpoints: Array<Checkpoint>(200_000).fill(checkpoint), problems: [] }),
      write: () => Promise.resolve(),
    });
    await stage.watch.verify();
    expect(stage.watch.state.state).toBe('Broken');
  });
});
