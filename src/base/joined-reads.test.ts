import { expect, test } from 'vitest';
import { turn } from './clock.ts';
import { JoinedReads } from './joined-reads.ts';

/** Reads that end when they are told to, numbered in the order in which they began. */
class Source {
  readonly begun: PromiseWithResolvers<string>[] = [];

  readonly begin = async (): Promise<string> => {
    const answer = Promise.withResolvers<string>();
    this.begun.push(answer);
    return answer.promise;
  };

  end(nth: number): void {
    this.begun[nth - 1]?.resolve(`read ${nth}`);
  }

  fail(nth: number): void {
    this.begun[nth - 1]?.reject(new Error(`read ${nth} failed`));
  }
}

test('who asks while a read is under way shares the next one, which begins after the question', async () => {
  const source = new Source();
  const joined = new JoinedReads<string>();
  const first = joined.read('a', source.begin);
  const later = [joined.read('a', source.begin), joined.read('a', source.begin)];
  await turn();
  expect(source.begun).toHaveLength(1);
  source.end(1);
  expect(await first).toBe('read 1');
  await turn();
  const last = joined.read('a', source.begin);
  source.end(2);
  expect(await Promise.all(later)).toEqual(['read 2', 'read 2']);
  await turn();
  source.end(3);
  expect(await last).toBe('read 3');
  expect(source.begun).toHaveLength(3);
});

test('who asks when nothing is under way gets a read of his own', async () => {
  const source = new Source();
  const joined = new JoinedReads<string>();
  for (const nth of [1, 2]) {
    const read = joined.read('a', source.begin);
    source.end(nth);
    expect(await read).toBe(`read ${nth}`);
    await turn();
  }
});

test('what is asked for under another key is read on its own', async () => {
  const source = new Source();
  const joined = new JoinedReads<string>();
  const reads = [joined.read('a', source.begin), joined.read('b', source.begin)];
  source.end(2);
  expect(await reads[1]).toBe('read 2');
  source.end(1);
  expect(await reads[0]).toBe('read 1');
});

test('a read that fails fails for those who share it, and for no other caller', async () => {
  const source = new Source();
  const joined = new JoinedReads<string>();
  const first = joined.read('a', source.begin);
  const later = [joined.read('a', source.begin), joined.read('a', source.begin)];
  source.fail(1);
  await expect(first).rejects.toThrow('read 1 failed');
  await turn();
  const last = joined.read('a', source.begin);
  source.fail(2);
  for (const read of later) await expect(read).rejects.toThrow('read 2 failed');
  await turn();
  source.end(3);
  expect(await last).toBe('read 3');
});

test('nor does one that fails before it has begun', async () => {
  const source = new Source();
  const joined = new JoinedReads<string>();
  const broken = (): Promise<string> => {
    throw new Error('not begun');
  };
  const first = joined.read('a', source.begin);
  const next = joined.read('a', broken);
  source.end(1);
  expect(await first).toBe('read 1');
  await expect(next).rejects.toThrow('not begun');
  await turn();
  const last = joined.read('a', source.begin);
  source.end(2);
  expect(await last).toBe('read 2');
});
