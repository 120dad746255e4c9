import { open, readFile, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf, PlatformError } from '../../base/index.ts';
import { checkpointLine, checkpointsIn, type Checkpoint, type KeptCheckpoints } from './checkpoint.ts';

/** Where checkpoints are kept. */
export interface CheckpointStore {
  read(): Promise<KeptCheckpoints>;
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
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { checkpoints: [], problems: [] };
        throw error;
      }
    },
    async write(checkpoint) {
      try {
        await using file = await open(path, 'a+', 0o600);
        await file.appendFile(`${(await endsLine(file)) ? '' : '\n'}${checkpointLine(checkpoint)}\n`);
        await file.sync();
      } catch (error) {
        throw new PlatformError('Unavailable', `writing a checkpoint to ${path}: ${messageOf(error)}`, { cause: error });
      }
    },
  };
}

/** Not after half a line, as a full disk leaves it: what follows begins a new one. */
async function endsLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString('latin1') === '\n';
}
