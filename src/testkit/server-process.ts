import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { signalChild } from '../base/index.ts';

/** A server started for a test: its output goes to a file, and it dies with the process that started it. */
export interface ServerProcess {
  readonly name: string;
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  /** Set once the process has ended. */
  ended(): boolean;
  /** The end of its log, for the message of a failed start. */
  lastWords(): string;
  /** Ends it at once and waits until it is gone. Nothing it holds is worth a graceful stop. */
  kill(): Promise<void>;
}

/** Starts a program and keeps its output in `logFile`. Its home is that of the developer, unless the environment names another. */
export function startServer(
  program: string,
  args: readonly string[],
  logFile: string,
  environment: Readonly<Record<string, string>> = {},
): ServerProcess {
  const log = openSync(logFile, 'w');
  const child = spawn(program, args, { stdio: ['ignore', log, log], env: { ...process.env, ...environment } });
  closeSync(log);
  const gone = whenGone(child);
  const dieWithUs = (): void => void signalChild(child, 'SIGKILL');
  // First in line, so that the cleanup of its folder on exit finds it unused.
  process.prependOnceListener('exit', dieWithUs);
  return {
    name: basename(program),
    pid: child.pid,
    ended: () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined,
    lastWords: () => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-5).join('\n'),
    kill: () => {
      process.off('exit', dieWithUs);
      signalChild(child, 'SIGKILL');
      return gone;
    },
  };
}

/** A program that cannot be started emits `error` and never `exit`. */
const whenGone = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
