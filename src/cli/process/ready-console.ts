import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CONSOLE_FOLDER, isBuilt } from '../../../console/build/sources.ts';
import { messageOf, type Logger } from '../../base/index.ts';

/**
 * Builds the web console when it is missing or its sources have changed. Everything else works without it, so a build that fails is a line in
 * the log.
 */
export async function readyConsole(print: (line: string) => void, log: Logger): Promise<void> {
  if (isBuilt()) return;
  print('  building the console, once…');
  try {
    // A process of its own: the memory that a build takes is free again afterwards.
    await promisify(execFile)(process.execPath, [join(CONSOLE_FOLDER, 'build/main.ts')]);
  } catch (error) {
    log.error('the console was not built: only its pages are missing; `npm run console` tries again and shows why', {
      reason: messageOf(error),
    });
  }
}
