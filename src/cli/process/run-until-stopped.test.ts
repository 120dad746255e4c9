import { describe, expect, test } from 'vitest';
import { turn } from '../../base/index.ts';
import { stay } from './run-until-stopped.ts';

/** Something that runs until the test ends it. */
function aRun() {
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>();
  const closed: string[] = [];
  const close = (): Promise<void> => {
    closed.push('closed');
    end();
    return Promise.resolve();
  };
  return { running: { ended, close }, closed, end, fail };
}

const never = new Promise<boolean>(() => undefined);

describe('what was started', () => {
  test('is closed after work that was all there is to do', async () => {
    const { running, closed } = aRun();
    await stay(running, new AbortController().signal, () => Promise.resolve(true));
    expect(closed).toEqual(['closed']);
  });

  test('stays after other work until it is stopped', async () => {
    const { running, closed } = aRun();
    const stop = new AbortController();
    const staying = stay(running, stop.signal, () => Promise.resolve(false));
    await turn();
    expect(closed).toEqual([]);
    stop.abort(new Error('SIGINT'));
    await staying;
    expect(closed).toEqual(['closed']);
  });

  test('does not stay when it was stopped before', async () => {
    const { running, closed } = aRun();
    await stay(running, AbortSignal.abort(), () => Promise.resolve(false));
    expect(closed).toEqual(['closed']);
  });

  test('is closed when the work goes wrong, and that is passed on', async () => {
    const { running, closed } = aRun();
    const work = stay(running, new AbortController().signal, () => Promise.reject(new Error('no pods')));
    await expect(work).rejects.toThrow('no pods');
    expect(closed).toEqual(['closed']);
  });

  test.each([
    { name: 'while it stays', work: () => Promise.resolve(false) },
    { name: 'in the middle of the work', work: () => never },
  ])('that ends by itself is an error, $name', async ({ work }) => {
    const { running, closed, end } = aRun();
    const staying = stay(running, new AbortController().signal, work);
    end();
    await expect(staying).rejects.toThrow('the controllers stopped unexpectedly');
    expect(closed).toEqual(['closed']);
  });

  test('that breaks reports why', async () => {
    const { running, fail } = aRun();
    const staying = stay(running, new AbortController().signal, () => never);
    fail(new Error('the cache is lost'));
    await expect(staying).rejects.toThrow('the cache is lost');
  });
});
