import { spawn, type ChildProcess } from 'node:child_process';
import type { Container } from '../../api/builtin/index.ts';
import { after, messageOf, SECOND, signalChild, systemClock, type Clock, type Logger } from '../../base/index.ts';
import { repositoryOf } from './container-program.ts';
import type { ContainerLogs } from './container-logs.ts';
import type { LogBuffer } from './log-buffer.ts';
import type { ProcessAccount, ProcessEnd, RunProcess } from './run-process.ts';

export interface ProcessRunnerOptions {
  /** What stands for an image's entrypoint, by the image without its tag. */
  readonly programs: Readonly<Record<string, ProcessProgram>>;
  /** What every process gets besides what its container declares. Nothing else of ours is passed on. */
  readonly env: Readonly<Record<string, string>>;
  /** What lets a process act in the name of its account; nothing when absent. */
  readonly credentialsOf?: (account: ProcessAccount) => Promise<ProcessCredentials>;
  readonly log: Logger;
  /** Where what containers write is kept for `kubectl logs`; nowhere when absent. */
  readonly logs?: ContainerLogs;
  readonly clock?: Clock;
}

/** A program that stands for an image's entrypoint. */
export interface ProcessProgram {
  /** The command line; `home` is the folder of the one process. */
  readonly command: (home: string | undefined) => readonly string[];
  /** The variables that a container may set. All others stay out: NODE_OPTIONS, LD_PRELOAD or PATH would make another program of it. */
  readonly variables: ReadonlySet<string>;
}

/** How a process is told who it is, for as long as it runs. */
export interface ProcessCredentials {
  readonly env: Readonly<Record<string, string>>;
  /** The one folder that is the process's own. */
  readonly home?: string;
  withdraw(): Promise<void>;
}

/** A RunProcess that can end everything it started. */
export interface ProcessRunner extends RunProcess {
  close(): void;
}

/** How long a process may take to end itself before it is killed. */
const GRACE_MS = 5 * SECOND;
/** As much of the output as a termination message holds on a real node. */
const LONGEST_MESSAGE = 4096;
const CANNOT_RUN = 128;
const KILLED = 137;

/** Runs containers as child processes. They read from a pipe that ends with this process, so that they can end with it. */
export function createProcessRunner({ programs, log, logs, clock = systemClock, ...options }: ProcessRunnerOptions): ProcessRunner {
  /** What runs; without a child yet, what is about to. */
  const children = new Map<string, ChildProcess | undefined>();
  const stop = (podUid: string): void => {
    const child = children.get(podUid);
    if (child) void endChild(child, clock);
    else children.delete(podUid);
  };
  const entrypoint = (image = ''): ProcessProgram | undefined => {
    const repository = repositoryOf(image);
    return Object.hasOwn(programs, repository) ? programs[repository] : undefined;
  };
  const run = async (podUid: string, container: Container, own: Partial<ProcessCredentials>): Promise<ProcessEnd> => {
    const program = entrypoint(container.image);
    const [file, ...args] = [...(program?.command(own.home) ?? []), ...(container.args ?? [])];
    if (!program || file === undefined) return { exitCode: CANNOT_RUN, message: `nothing stands for image ${container.image ?? ''}` };
    if (!children.has(podUid)) return { exitCode: KILLED, message: 'stopped before it began' };
    // What a container declares must not lend it another account.
    const env = { ...declaredEnv(container, program), ...options.env, ...own.env };
    const child = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    children.set(podUid, child);
    log.info('container started', { podUid, image: container.image, pid: child.pid });
    const written = logs?.begin(podUid, container.name);
    const end = await endOf(child, written);
    written?.end();
    log.info('container ended', { podUid, exitCode: end.exitCode });
    return end;
  };
  return {
    runs: (image) => entrypoint(image) !== undefined,
    async start(podUid, container, account) {
      children.set(podUid, undefined);
      try {
        const credentials = await options.credentialsOf?.(account);
        try {
          return await run(podUid, container, credentials ?? {});
        } finally {
          await credentials?.withdraw();
        }
      } catch (error) {
        return { exitCode: CANNOT_RUN, message: messageOf(error) };
      } finally {
        children.delete(podUid);
      }
    },
    stop,
    close: () => [...children.keys()].forEach(stop),
  };
}

const declaredEnv = ({ env = [] }: Container, { variables }: ProcessProgram): Readonly<Record<string, string>> =>
  Object.fromEntries(env.filter(({ name }) => variables.has(name)).map(({ name, value = '' }) => [name, value]));

/** Resolves when the process is gone and all that it wrote has been read. */
function endOf(child: ChildProcess, log: LogBuffer | undefined): Promise<ProcessEnd> {
  // What a run waited for is on stderr too: it is no part of what a run that went through says.
  const tail = { all: '', out: '' };
  for (const stream of [child.stdout, child.stderr]) {
    const write = log?.writer();
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      tail.all = (tail.all + chunk).slice(-LONGEST_MESSAGE);
      if (stream === child.stdout) tail.out = (tail.out + chunk).slice(-LONGEST_MESSAGE);
      write?.(chunk);
    });
  }
  // A process that never reads may be gone before the pipe is.
  child.stdin?.on('error', () => {});
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ exitCode: CANNOT_RUN, message: error.message }));
    child.on('close', (code, signal) =>
      resolve({ exitCode: code ?? (signal === 'SIGTERM' ? 143 : 137), message: code === 0 ? tail.out : tail.all }),
    );
  });
}

/** Asks the process to end, and makes it end when it does not. */
async function endChild(child: ChildProcess, clock: Clock): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.stdin?.end();
  if (!signalChild(child, 'SIGTERM')) return;
  const gone = new AbortController();
  child.once('exit', () => gone.abort());
  await clock.waitUntil(after(clock.now(), GRACE_MS), gone.signal).then(
    () => signalChild(child, 'SIGKILL'),
    () => false,
  );
}
