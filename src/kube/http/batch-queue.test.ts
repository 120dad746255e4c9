import { describe, expect, test } from 'vitest';
import { turn } from '../../base/index.ts';
import { BatchQueue } from './batch-queue.ts';
import { collect } from '../testing/collect.ts';

function queueWithLog(): { queue: BatchQueue<number>; log: string[] } {
  const log: string[] = [];
  const queue = new BatchQueue<number>({ pause: () => log.push('pause'), resume: () => log.push('resume'), stop: () => log.push('stop') });
  return { queue, log };
}

describe('handing batches to a reader', () => {
  test('gives what came before and after it started, then ends', async () => {
    const { queue, log } = queueWithLog();
    queue.push(1);
    const read = collect(queue);
    await turn();
    queue.push(2);
    queue.push(3);
    queue.end();
    queue.push(4);
    expect(await read).toEqual([1, 2, 3]);
    expect(log).toEqual(['stop']);
  });

  test('throws the error after what came before it', async () => {
    const { queue } = queueWithLog();
    queue.push(1);
    queue.end(new Error('reset'));
    queue.end();
    const seen: number[] = [];
    await expect(
      (async () => {
        for await (const item of queue) seen.push(item);
      })(),
    ).rejects.toThrow('reset');
    expect(seen).toEqual([1]);
  });

  test('slows the sender down while the reader is behind', async () => {
    const { queue, log } = queueWithLog();
    for (let i = 0; i < 40; i++) queue.push(i);
    expect(log).toEqual(['pause']);
    const iterator = queue[Symbol.asyncIterator]();
    for (let i = 0; i < 39; i++) await iterator.next();
    expect(log).toEqual(['pause']);
    await iterator.next();
    expect(log).toEqual(['pause', 'resume']);
    await iterator.return(undefined);
  });

  test('stops the sender when the reader leaves', async () => {
    const { queue, log } = queueWithLog();
    queue.push(1);
    for await (const _ of queue) break;
    expect(log).toEqual(['stop']);
  });
});
