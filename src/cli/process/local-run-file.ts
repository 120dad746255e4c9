import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { messageOf, type Logger } from '../../base/index.ts';

const folderIn = (home: string): string => join(home, '.sickbay');
const fileIn = (home: string): string => join(folderIn(home), 'local-run');

/** The kubeconfig of the local cluster that was started last and runs, as far as is known; undefined where there is none. */
export async function kubeconfigOfLocalRun(home = homedir()): Promise<string | undefined> {
  try {
    return (await readFile(fileIn(home), 'utf8')).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Notes where the kubeconfig of a local run is, so that commands find it. Returns how to take the note away. Without it commands need --kubeconfig. */
export async function noteLocalRun(kubeconfig: string, log: Logger, home = homedir()): Promise<() => Promise<void>> {
  try {
    await mkdir(folderIn(home), { recursive: true, mode: 0o700 });
    await writeFile(fileIn(home), `${kubeconfig}\n`, { mode: 0o600 });
  } catch (error) {
    log.debug('other commands need --kubeconfig: where it is could not be noted', { reason: messageOf(error) });
  }
  return async () => {
    // A run that was started later has noted its own.
    if ((await kubeconfigOfLocalRun(home)) !== kubeconfig) return;
    await rm(fileIn(home), { force: true });
    await rmdir(folderIn(home)).catch(() => undefined);
  };
}
