import { cpus } from 'node:os';
import { Agent, request } from 'undici';
import type { Access } from './part.ts';

/** CPU time spent while something ran: what a busy machine does not change much, other than how long it took. */
export interface Spent {
  /** By kube-apiserver, in ms. */
  readonly server: number;
  /** By everything on the machine, in ms. */
  readonly machine: number;
}

/** Runs the work and says what was spent meanwhile. */
export async function spending<T>(access: Access, work: () => Promise<T>): Promise<{ readonly result: T; readonly spent: Spent }> {
  const before = await spentSoFar(access);
  const result = await work();
  const now = await spentSoFar(access);
  return { result, spent: { server: now.server - before.server, machine: now.machine - before.machine } };
}

async function spentSoFar(access: Access): Promise<Spent> {
  const machine = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  return { server: await serverCpu(access), machine };
}

/** As the server tells itself. */
async function serverCpu({ url, token, caData }: Access): Promise<number> {
  const dispatcher = new Agent({ connect: { ca: caData } });
  try {
    const { body } = await request(`${url}/metrics`, { dispatcher, headers: { authorization: `Bearer ${token}` } });
    const [, seconds] = /^process_cpu_seconds_total (\S+)$/m.exec(await body.text()) ?? [];
    return Number(seconds) * 1_000;
  } finally {
    await dispatcher.close();
  }
}
