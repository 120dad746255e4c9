import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { after, steadyClock } from '../../src/base/index.ts';

/** A server in a process of its own. */
export interface Child {
  readonly url: string;
  /** How long its event loop was held up since the last call, in ms. */
  loopDelay(): Promise<LoopDelay>;
  /** What it holds now. */
  holds(): Promise<Holdings>;
  /** Ends it with SIGKILL, in the middle of whatever it does, and waits until it is gone. */
  kill(): Promise<void>;
}

export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface Holdings {
  readonly residentBytes: number;
  /** Connections that are open. */
  readonly sockets: number;
}

/** What may be asked of a served program. */
export type Asked = 'delay' | 'holdings';

/** What a served program reports to its parent process. */
export type Told = { readonly url: string } | { readonly delay: LoopDelay } | { readonly holdings: Holdings } | { readonly error: string };

/** Starts a program with its options as JSON; resolves once it serves, rejects with its own words when it cannot. */
export async function startChild(program: URL, options: object): Promise<Child> {
  const child = fork(program, [JSON.stringify(options)], { stdio: 'inherit' });
  const gone = once(child, 'exit');
  const dieWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', dieWithUs);
  const kill = async (): Promise<void> => {
    process.off('exit', dieWithUs);
    child.kill('SIGKILL');
    await gone;
  };
  const told = await Promise.race([heard(child), gone.then(() => ({ error: 'it ended' }))]);
  if (!('url' in told)) {
    await kill();
    throw new Error(`starting ${program.pathname}: ${'error' in told ? told.error : 'it told something else'}`);
  }
  const ask = (asked: Asked): Promise<Told> => {
    const answer = heard(child);
    child.send(asked);
    return answer;
  };
  return {
    url: told.url,
    loopDelay: async () => ((await ask('delay')) as { readonly delay: LoopDelay }).delay,
    holds: async () => ((await ask('holdings')) as { readonly holdings: Holdings }).holdings,
    kill,
  };
}

/** Starts a program and kills it in the middle of its start. */
export async function killWhileStarting(program: URL, options: object, afterMs: number): Promise<void> {
  const child = fork(program, [JSON.stringify(options)], { stdio: 'inherit' });
  const gone = once(child, 'exit');
  await steadyClock.waitUntil(after(steadyClock.now(), afterMs), new AbortController().signal);
  child.kill('SIGKILL');
  await gone;
}

/** The next message of a process. */
export const heard = async <T = Told>(child: ChildProcess): Promise<T> => ((await once(child, 'message')) as [T])[0];
