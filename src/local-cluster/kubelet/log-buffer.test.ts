import { describe, expect, test } from 'vitest';
import { SECOND } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { ContainerLogs } from './container-logs.ts';
import { LogBuffer } from './log-buffer.ts';

const textsOf = (log: LogBuffer): readonly string[] => log.lines.map(({ text }) => text);

describe('what a container writes', () => {
  test('is kept by lines, however it comes', () => {
    const log = new LogBuffer(new ManualClock());
    const write = log.writer();
    for (const piece of ['on', 'e\ntw', 'o\n', '', '\nth']) write(piece);
    expect(textsOf(log)).toEqual(['one\n', 'two\n', '\n']);
    log.end();
    expect(textsOf(log)).toEqual(['one\n', 'two\n', '\n', 'th']);
  });

  test('keeps the lines of two streams whole', () => {
    const log = new LogBuffer(new ManualClock());
    const [out, err] = [log.writer(), log.writer()];
    out('a');
    err('b\n');
    out('a\n');
    expect(textsOf(log)).toEqual(['b\n', 'aa\n']);
  });

  test('has the time of each line', async () => {
    const clock = new ManualClock();
    const log = new LogBuffer(clock);
    const write = log.writer();
    write('a\n');
    await clock.advance(SECOND);
    write('b\n');
    const [first, second] = log.lines;
    expect(second!.at - first!.at).toBe(SECOND);
  });

  test('is kept up to a MiB, the newest of it', () => {
    const log = new LogBuffer(new ManualClock());
    const write = log.writer();
    for (let i = 0; i < 2_000; i++) write(`${String(i).padStart(1023, '.')}\n`);
    expect(log.lines).toHaveLength(1024);
    expect(log.lines.at(-1)?.text).toContain('.1999');
  });

  test('a line without an end is not waited for for ever', () => {
    const log = new LogBuffer(new ManualClock());
    log.writer()('x'.repeat(100_000));
    expect(log.lines).toHaveLength(1);
  });
});

describe('followers', () => {
  test('gets what comes after, in order, until the end', async () => {
    const log = new LogBuffer(new ManualClock());
    const write = log.writer();
    write('before\n');
    const reading = log.following()[Symbol.asyncIterator]();
    const first = reading.next();
    write('a\nb\n');
    expect((await first).value?.map(({ text }) => text)).toEqual(['a\n', 'b\n']);
    const second = reading.next();
    write('c');
    log.end();
    expect((await second).value?.map(({ text }) => text)).toEqual(['c']);
    expect(await reading.next()).toEqual({ done: true, value: undefined });
  });

  test('gets nothing of a container that has ended', async () => {
    const log = new LogBuffer(new ManualClock());
    log.writer()('a\n');
    log.end();
    expect(await log.following()[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
  });

  test('may go while waiting, without ending it for others', async () => {
    const log = new LogBuffer(new ManualClock());
    const [one, other] = [log.following()[Symbol.asyncIterator](), log.following()[Symbol.asyncIterator]()];
    const [waiting, still] = [one.next(), other.next()];
    await one.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    log.writer()('a\n');
    expect((await still).value?.map(({ text }) => text)).toEqual(['a\n']);
  });
});

describe('the logs of a node', () => {
  const pod = (uid: string) => ({ namespace: 'n', name: 'p', uid });

  test('are found by pod and container', () => {
    const logs = new ContainerLogs(new ManualClock());
    const log = logs.begin('u1', 'a');
    expect(logs.find(pod('u1'), 'a')).toBe(log);
    expect(logs.find(pod('u1'), 'b')).toBeUndefined();
    expect(logs.find(pod('u2'), 'a')).toBeUndefined();
  });

  test('a restarted container starts with an empty log', () => {
    const logs = new ContainerLogs(new ManualClock());
    logs.begin('u1', 'a').writer()('old\n');
    logs.begin('u1', 'a');
    expect(logs.find(pod('u1'), 'a')?.lines).toEqual([]);
  });

  test('are not kept for ever', () => {
    const logs = new ContainerLogs(new ManualClock());
    for (let i = 0; i < 201; i++) logs.begin(`u${i}`, 'a');
    expect(logs.find(pod('u0'), 'a')).toBeUndefined();
    expect(logs.find(pod('u1'), 'a')).toBeDefined();
  });
});
