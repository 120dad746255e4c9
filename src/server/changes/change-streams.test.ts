import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { MINUTE, SECOND } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import type { Topic } from '../contract/index.ts';
import { ChangeFrames, type StateOf } from './change-frames.ts';
import { ChangeLog } from './change-log.ts';
import { ChangeStreams } from './change-streams.ts';

const TOPICS: ReadonlySet<Topic> = new Set(['remediations']);

/** A connection whose client reads, or has stopped reading. */
class Connection extends EventEmitter {
  readonly got: Buffer[] = [];
  isReading = true;
  isDestroyed = false;
  isEnded = false;
  write(bytes: Buffer): boolean {
    this.got.push(bytes);
    return this.isReading;
  }
  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
  end(): void {
    this.isEnded = true;
    this.emit('close');
  }
  get text(): string {
    return Buffer.concat(this.got).toString();
  }
}

function stage(stateOf: StateOf = ({ name }) => `{"name":"${name}"}`) {
  const clock = new ManualClock();
  const log = new ChangeLog();
  const frames = new ChangeFrames({ log, stateOf, process: 'p' });
  const streams = new ChangeStreams({ frames, clock });
  const open = (topics = TOPICS, check = () => Promise.resolve()): Connection => {
    const connection = new Connection();
    streams.open({ response: connection as unknown as ServerResponse, topics, position: log.newest, check });
    return connection;
  };
  return { clock, log, frames, streams, open };
}

describe('streams of changes', () => {
  test('send what changed since the last time, in its last state', () => {
    let state = 'old';
    const { log, streams, open } = stage(() => `"${state}"`);
    const connection = open();
    for (let i = 0; i < 100; i++) log.add('remediations', 'rr');
    state = 'new';
    streams.tick();
    expect(connection.text).toBe('id: p.100\nevent: change\ndata: {"topic":"remediations","name":"rr","op":"put","remediation":"new"}\n\n');
    streams.tick();
    expect(connection.got).toHaveLength(1);
  });

  test('send only topics that are followed', () => {
    const { log, streams, open } = stage();
    const connection = open();
    log.add('machines', 'default/m');
    streams.tick();
    expect(connection.got).toHaveLength(0);
    log.add('remediations', 'rr');
    streams.tick();
    expect(connection.got).toHaveLength(1);
  });

  test('make the bytes once for all that are at the same position', () => {
    const stateOf = vi.fn<StateOf>(() => '{}');
    const { log, streams, open } = stage(stateOf);
    const connections = Array.from({ length: 200 }, () => open());
    for (let i = 0; i < 50; i++) log.add('remediations', `rr-${i}`);
    streams.tick();
    expect(stateOf).toHaveBeenCalledTimes(50);
    expect(new Set(connections.map(({ got }) => got[0])).size).toBe(1);
  });

  test('send nothing more to a client that does not read, and everything once when it reads again', () => {
    const { clock, log, streams, open } = stage();
    const slow = open();
    const quick = open();
    slow.isReading = false;
    for (let i = 0; i < 20; i++) {
      clock.jump(SECOND);
      log.add('remediations', `rr-${i % 2}`);
      streams.tick();
    }
    expect([slow.got.length, quick.got.length]).toEqual([1, 20]);
    slow.isReading = true;
    slow.emit('drain');
    streams.tick();
    expect(slow.got).toHaveLength(2);
    expect(slow.got[1]!.toString().match(/"name":"rr-\d","op"/g)).toHaveLength(2);
  });

  test('disconnect a client that reads nothing for half a minute', () => {
    const { clock, log, streams, open } = stage();
    const slow = open();
    slow.isReading = false;
    log.add('remediations', 'rr');
    streams.tick();
    clock.jump(29 * SECOND);
    streams.tick();
    expect(slow.isDestroyed).toBe(false);
    clock.jump(SECOND);
    streams.tick();
    expect(slow.isDestroyed).toBe(true);
    expect(streams.size).toBe(0);
  });

  test('show that they are alive', () => {
    const { clock, streams, open } = stage();
    const connection = open();
    clock.jump(15 * SECOND);
    streams.tick();
    expect(connection.text).toBe(': still here\n\n');
  });

  test('end when their user may no longer read', async () => {
    const { clock, streams, open } = stage();
    const connection = open(TOPICS, () => Promise.reject(new Error('the token has expired')));
    clock.jump(MINUTE);
    streams.tick();
    await vi.waitFor(() => expect(connection.isEnded).toBe(true));
    expect(streams.size).toBe(0);
  });

  test('tell a client that was away for too long to read its lists again', () => {
    const log = new ChangeLog({ most: 5 });
    const frames = new ChangeFrames({ log, stateOf: () => '{}', process: 'p' });
    for (let i = 0; i < 100; i++) log.add('remediations', `rr-${i}`);
    expect(frames.after(3, TOPICS)).toEqual({ bytes: Buffer.from('id: p.100\nevent: reset\ndata: {}\n\n'), position: 100 });
  });
});

test('an id is of this process, or means nothing', () => {
  const { frames } = stage();
  expect(['p.7', 'p.0'].map((id) => frames.positionOf(id))).toEqual([7, 0]);
  for (const id of ['q.7', 'p.', 'p.x', 'p.1e9', '', '7']) expect(frames.positionOf(id)).toBeUndefined();
});
