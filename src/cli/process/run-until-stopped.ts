import { PlatformError } from '../../base/index.ts';
import type { Running } from './serve.ts';

/**
 * Does the work, then runs until it is stopped, unless the work was everything (true). What runs is closed in any case.
 * An end without a stop is an error, even during the work.
 */
export async function stay(running: Pick<Running, 'ended' | 'close'>, stop: AbortSignal, work: () => Promise<boolean>): Promise<void> {
  const staying = async (): Promise<void> => {
    if (!(await work())) await stopped(stop);
  };
  try {
    await Promise.race([staying(), running.ended.then(endedUnexpectedly)]);
  } finally {
    await running.close();
  }
}

const stopped = (stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });

function endedUnexpectedly(): never {
  throw new PlatformError('Internal', 'the controllers stopped unexpectedly: start again; the log says more');
}
