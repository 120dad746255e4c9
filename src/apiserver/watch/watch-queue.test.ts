import { describe, expect, test } from 'vitest';
import type { WatchLine } from '../../kube/client/transport.ts';
import { WatchQueue } from './watch-queue.ts';

const line = (name: string): WatchLine => ({
  type: 'ADDED',
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, uid: '', resourceVersion: '', creationTimestamp: '' } },
});

function rig(limit: number) {
  const ends: string[] = [];
  const queue = new WatchQueue({ limit, limitBytes: 100, onEnd: () => ends.push('ended') });
  const batches = queue[Symbol.asyncIterator]();
  const next = async (): Promise<readonly string[] | 'over'> => {
    const { done, value } = await batches.next();
    return done ? 'over' : value.map(({ object }) => object.metadata.name);
  };
  return { queue, ends, next };
}

describe('lines on their way to a watcher', () => {
  test('are handed over as they come', async () => {
    const { queue, next } = rig(2);
    const waiting = next();
    queue.push(line('a'));
    expect(await waiting).toEqual(['a']);
    queue.push(line('b'));
    queue.push(line('c'));
    expect(await next()).toEqual(['b', 'c']);
  });

  test('end, once, when too many wait; those that do are still handed over', async () => {
    const { queue, ends, next } = rig(2);
    for (const name of ['a', 'b', 'c', 'd']) queue.push(line(name));
    expect(ends).toEqual(['ended']);
    expect([await next(), await next()]).toEqual([['a', 'b'], 'over']);
    expect(ends).toEqual(['ended']);
  });

  test('end when they take too much memory, but one may be as large as it likes', async () => {
    const { queue, ends, next } = rig(9);
    queue.push(line('a'), 1_000);
    expect(await next()).toEqual(['a']);
    queue.push(line('b'), 60);
    queue.push(line('c'), 40);
    expect(ends).toEqual([]);
    queue.push(line('d'), 1);
    expect([await next(), await next(), ends]).toEqual([['b', 'c'], 'over', ['ended']]);
  });

  test('that the watch begins with do not count', async () => {
    const { queue, ends, next } = rig(2);
    for (const name of ['a', 'b', 'c']) queue.begin(line(name));
    for (const name of ['d', 'e']) queue.push(line(name));
    expect(await next()).toEqual(['a', 'b', 'c', 'd', 'e']);
    for (const name of ['f', 'g']) queue.push(line(name));
    expect(ends).toEqual([]);
    queue.push(line('h'));
    expect([await next(), await next(), ends]).toEqual([['f', 'g'], 'over', ['ended']]);
  });
});
