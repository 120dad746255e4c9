import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

/** How the command ended. */
export interface CommandEnd {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Is a process left that it started? */
  readonly leftBehind: boolean;
}

/** The command while it runs. */
export interface SickbayCommand {
  /** Resolves when it has printed that; rejects when it ends before. */
  said(text: string): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Reads nothing of what it prints any more. */
  hangUp(): void;
  readonly end: Promise<CommandEnd>;
}

/** Starts the real command as a shell would; temporary files go to `scratch`. */
export function sickbay(scratch: string, ...words: readonly string[]): SickbayCommand {
  const env = { ...process.env, TMPDIR: scratch, HOME: scratch, KUBECONFIG: '' };
  // A group of its own, so that whatever it starts can be told from everything else.
  const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  const group = -(child.pid ?? 0);
  const ended = once(child, 'close') as Promise<[number | null]>;
  const dieWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', dieWithUs);
  return {
    async said(text) {
      while (!output.stdout.includes(text)) {
        const isOver = await Promise.race([once(child.stdout, 'data').then(() => false), ended.then(() => true)]);
        if (isOver && !output.stdout.includes(text)) throw new Error(`it ended and never said ${text}:\n${output.stdout}${output.stderr}`);
      }
    },
    signal: (signal) => void child.kill(signal),
    hangUp: () => void child.stdout.destroy(),
    end: ended.then(([code]) => {
      process.off('exit', dieWithUs);
      return { code, ...output, leftBehind: isThere(group) };
    }),
  };
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
