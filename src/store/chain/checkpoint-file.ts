import { appendFile, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf, PlatformError } from '../../base/index.ts';
import { checkpointLine, checkpointsIn, type Checkpoint } from './checkpoint.ts';

/** Where checkpoints are kept. */
export interface CheckpointStore {
  read(): Promise<readonly Checkpoint[]>;
  write(checkpoint: Checkpoint): Promise<void>;
}

/** A file with one checkpoint per line, which only grows. */
export function checkpointFile(file: string): CheckpointStore {
  const path = resolve(file);
  return {
    async read() {
      try {
        return checkpointsIn(await readFile(path, 'utf8'), path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    },
    async write(checkpoint) {
      try {
        await appendFile(path, `${checkpointLine(checkpoint)}\n`, { mode: 0o600, flush: true });
      } catch (error) {
        throw new PlatformError('Unavailable', `writing a checkpoint to ${path}: ${messageOf(error)}`, { cause: error });
      }
    },
  };
}
