import { PlatformError } from '../../base/index.ts';
import type { Running } from './serve.ts';

/**
 * Does the work, then stays until it is told to stop, unless the work was all there is to do (true). Whatever happens, what runs is closed.
 * What ends by itself is an error, even in the middle of the work.
 */
export async function stay(running: Pick<Running, 'ended' | 'close'>, stop: AbortSignal, work: () => Promise<boolean>): Promise<void> {
  const staying = async (): Promise<void> => {
    if (!(await work())) await told(stop);
  };
  try {
    await Promise.race([staying(), running.ended.then(unasked)]);
  } finally {
    await running.close();
  }
}

const told = (stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });

function unasked(): never {
  throw new PlatformError('Internal', 'the controllers stopped although nobody told them to: start again; the log says more');
}
